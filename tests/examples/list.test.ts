import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const examples = new URL('../../examples/', import.meta.url)
const folders = readdirSync(examples, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
)

it('every example is in the list and is run by a test', () => {
  const list = readFileSync(new URL('README.md', examples), 'utf8')
  expect([...list.matchAll(/\]\(([\w-]+)\/README\.md\)/g)].map(([, name]) => name).sort()).toEqual(folders.sort())
  const here = new URL('./', import.meta.url)
  const tests = readdirSync(here).map((file) =>
    file === 'list.test.ts' ? '' : readFileSync(new URL(file, here), 'utf8'),
  )
  for (const folder of folders) {
    expect(() => readFileSync(new URL(`${folder}/README.md`, examples))).not.toThrow()
    expect(tests.filter((text) => text.includes(folder)).length, `${folder} is run by no test`).toBeGreaterThan(0)
  }
})

it('every page that installs the packages says that they are not on npm yet', () => {
  const root = new URL('../../', import.meta.url)
  const pages = ['README.md', ...['docs/', 'examples/'].flatMap((folder) => pagesIn(root, folder))]
  const installing = pages
    .map((page) => ({ page, text: readFileSync(new URL(page, root), 'utf8') }))
    .filter(({ text }) => /npm install .*@countersign\/(sdk|cli)/.test(text))
  expect(installing.length).toBeGreaterThan(10)
  expect(installing.filter(({ text }) => !text.includes('not on npm yet')).map(({ page }) => page)).toEqual([])
})

const pagesIn = (root: URL, folder: string) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => folder + file)

/** Variables with a default. */
const optional = new Set(['EVERY_MS', 'LOCAL_ADDRESS'])

it.each(folders)('the README of %s names the packages to install and the variables to set', (folder) => {
  const texts = (ending: RegExp) =>
    readdirSync(new URL(`${folder}/`, examples)).flatMap((file) =>
      ending.test(file) ? [readFileSync(new URL(`${folder}/${file}`, examples), 'utf8')] : [],
    )
  const readme = texts(/^README\.md$/).join()
  const code = texts(/\.(ts|sh)$/).join('\n')
  const installed = [...readme.matchAll(/^ *npm install (.*)$/gm)].flatMap(([, names = '']) => names.split(' '))
  const imported = [...code.matchAll(/^import (?!type ).*from '((?:@[\w-]+\/)?[\w-]+)[^:']*'$/gm)].map(
    ([, name]) => name,
  )
  const needed = [
    ...imported,
    ...(code.includes('createMtlsFetch') ? ['undici'] : []),
    ...(/\bcountersign \w+ |command: 'countersign'/.test(code) ? ['--global', '@countersign/cli'] : []),
  ]
  expect(installed).toEqual(expect.arrayContaining(needed))
  const variables = [...code.matchAll(/\b[A-Z]+(?:_[A-Z]+)+\b/g)]
    .map(([name]) => name)
    .filter((name) => !optional.has(name))
  for (const name of variables) expect(readme, name).toContain(name)
})
