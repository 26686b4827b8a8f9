import { readFileSync } from 'node:fs'
import { parseSync } from 'rolldown/utils'

export interface Prose {
  line: number
  text: string
}

interface Node {
  type: string
  start: number
  [field: string]: unknown
}

/** Shorter texts are names, codes and keys. */
const fewestWords = 3
const wordsIn = (text: string) => text.split(/\s+/).filter((word) => /[a-z]{2}/i.test(word)).length

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

/** Nodes without sentences: imports, SQL and other tagged templates. */
const skipped = new Set(['ImportDeclaration', 'ExportAllDeclaration', 'ImportExpression', 'TaggedTemplateExpression'])

const textOf = (node: Node): string | undefined => {
  if ((node.type === 'Literal' || node.type === 'JSXText') && typeof node.value === 'string') return node.value
  // Replace each value by one word, so that the sentence stays complete.
  if (node.type === 'TemplateLiteral')
    return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('X')
  return undefined
}

const collect = (node: Node, add: (at: number, text: string) => void) => {
  if (skipped.has(node.type)) return
  const text = textOf(node)
  if (text !== undefined) add(node.start, text)
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) collect(child, add)
}

/** The texts and comments of a source file, in order. */
export const proseOfSource = (file: string): Prose[] => {
  const code = readFileSync(file, 'utf8')
  const { program, comments } = parseSync(file, code, { lang: file.endsWith('x') ? 'tsx' : 'ts' })
  const found: { at: number; text: string }[] = []
  collect(program as unknown as Node, (at, text) => {
    if (!/^\s*(select|insert|update|delete|create|<)/i.test(text)) found.push({ at, text })
  })
  for (const { start, value } of comments) {
    const text = value.replace(/^\s*\*+ ?/gm, '').trim()
    if (!text.startsWith('biome-ignore')) found.push({ at: start, text })
  }
  let line = 1
  let read = 0
  return found
    .filter(({ text }) => wordsIn(text) >= fewestWords)
    .sort((a, b) => a.at - b.at)
    .map(({ at, text }) => {
      line += code.slice(read, at).split('\n').length - 1
      read = at
      return { line, text }
    })
}
