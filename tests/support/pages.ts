import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** The blocks of a language on a page, in order, under what comes after the given words. */
export const blocksOf = async (page: string, language = 'sh', after = '') => {
  const text = await readFile(join(root, page), 'utf8')
  const fenced = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm')
  return Array.from(text.slice(text.indexOf(after)).matchAll(fenced), ([, block = '']) => block)
}
