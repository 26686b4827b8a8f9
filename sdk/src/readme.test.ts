import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = new URL('../..', import.meta.url).pathname
const pages = ['../README.md', '../../docs/ai-runtimes.md', '../../docs/sdk.md', '../../docs/integrity.md'].map(
  (path) => readFileSync(new URL(path, import.meta.url), 'utf8'),
)
const checkLinks = readFileSync(new URL('../../docs/check-links.md', import.meta.url), 'utf8')
// A program in JavaScript, which readers also save as TypeScript.
const examples = Array.from(
  `${pages.join('\n')}${checkLinks.replace('```js', '```ts')}`.matchAll(/```ts\n([\s\S]*?)```/g),
  ([, code = '']) => code,
)

it('compiles the examples of the README and of the pages about the SDK, AI runtimes, signed models and checking links', {
  timeout: 60_000,
}, () => {
  // Beside the sources, so that the package can import itself by its name.
  const folder = mkdtempSync(join(root, 'sdk', 'readme-'))
  try {
    for (const [index, code] of examples.entries())
      writeFileSync(join(folder, `example-${index}.ts`), `${code}export {}\n`)
    const config = { extends: '../../tsconfig.json', include: ['*.ts'], exclude: [] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    expect(examples.length).toBeGreaterThanOrEqual(5)
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder, '--checkers', '1'], {
      encoding: 'utf8',
      stdio: 'pipe',
    })
  } catch (error) {
    throw new Error(String((error as { stdout?: string }).stdout), { cause: error })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
