import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const examples = new URL('../../examples/', import.meta.url)
const folders = readdirSync(examples, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))

it('every example is in the list and is run by a test', () => {
  const list = readFileSync(new URL('README.md', examples), 'utf8')
  expect([...list.matchAll(/\]\(([\w-]+)\/README\.md\)/g)].map(([, name]) => name).sort()).toEqual(folders.sort())
  const here = new URL('./', import.meta.url)
  const tests = readdirSync(here).map((file) => (file === 'list.test.ts' ? '' : readFileSync(new URL(file, here), 'utf8')))
  for (const folder of folders) {
    expect(() => readFileSync(new URL(`${folder}/README.md`, examples))).not.toThrow()
    expect(tests.filter((text) => text.includes(folder)).length, `${folder} is run by no test`).toBeGreaterThan(0)
  }
})
