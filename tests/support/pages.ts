import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** The code blocks of a language in a text, in order. */
export const blocksIn = (text: string, language: string): string[] =>
  Array.from(
    text.matchAll(new RegExp(`^ *\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\`$`, 'gm')),
    ([, block = '']) => block,
  )

/** The code blocks of a page, or of the section under a heading. */
export const blocksOf = async (page: string, language = 'sh', heading?: string) => {
  const text = await readFile(join(root, page), 'utf8')
  const part = heading === undefined ? text : text.split(/^## /m).find((section) => section.startsWith(`${heading}\n`))
  return blocksIn(part ?? '', language)
}
