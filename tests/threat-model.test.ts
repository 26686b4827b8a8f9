import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))
const text = readFileSync(join(root, 'docs/threat-model.md'), 'utf8')

/** Rows with their last column, which names tests: `file` “part of a name”, “another”; `file` … */
const rows = text
  .split('\n')
  .filter((line) => line.startsWith('|') && line.includes('.test.ts'))
  .map((line) => {
    const cells = line.split('|').map((cell) => cell.trim())
    return { name: cells[1] ?? '', tests: cells.at(-2) ?? '' }
  })

const referencesOf = (tests: string) =>
  tests.split('; `').map((reference) => {
    const [, file = '', names = ''] = /^`?([\w./-]+)`\s*(.*)$/.exec(reference) ?? []
    return { file, phrases: [...names.matchAll(/“([^”]+)”/g)].map(([, phrase = '']) => phrase) }
  })

it('answers every numbered threat once, each with a test', () => {
  const numbers = rows.map(({ name }) => name).filter((name) => /^T\d+$/.test(name))
  expect(numbers).toEqual(Array.from({ length: 37 }, (_, index) => `T${index + 1}`))
})

it('has one row for each threat', () => {
  const names = rows.map(({ name }) => name)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

it.each(rows)('names existing tests: $name', ({ tests }) => {
  for (const { file, phrases } of referencesOf(tests)) {
    expect(existsSync(join(root, file)), file).toBe(true)
    const source = readFileSync(join(root, file), 'utf8')
    for (const phrase of phrases) expect(source.includes(phrase), `${file}: ${phrase}`).toBe(true)
  }
})
