import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createQuickCommandLine } from './in-process.ts'

/** The words that a shell passes to `countersign`. What else it ran would be printed among them. */
const wordsOf = (command: string) =>
  execFileSync('sh', ['-c', `countersign() { printf '%s\\0' "$@"; }\n${command}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1)

it('names files in the commands that it suggests as one word each, even if a stranger named them', async () => {
  const { call, folder } = await createQuickCommandLine('http://127.0.0.1:9')
  const hostile = 'a $(id);id&&id'
  const suggested = async (...args: string[]) => {
    const { stdout, stderr } = await call(args)
    const commands = Array.from(
      `${stdout}${stderr}`.matchAll(/(?:: |next +)(countersign .*)$/gm),
      ([, command]) => command,
    )
    return commands.map((command) => wordsOf(command ?? ''))
  }
  expect(await suggested('deployments', 'keygen', hostile)).toEqual([
    ['deployments', 'register', '--cert', `${hostile}.csr`, '--model', 'MODEL'],
  ])
  await mkdir(join(folder, hostile))
  await writeFile(join(folder, hostile, 'weights.bin'), 'weights')
  expect(await suggested('bundles', 'sign', hostile, '--key', `${hostile}.key`)).toEqual([
    ['signers', 'add', '--key', `${hostile}.key`],
    ['models', 'register', hostile, '--bundle', expect.stringContaining(hostile)],
  ])
})
