import { spawn } from 'node:child_process'
import { cp, readFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { blocksIn } from './pages.ts'
import { createReader } from './samples.ts'

const root = new URL('../../', import.meta.url).pathname

/** An example as its reader has it: a copy of the folder, with `countersign`, the packages and this Node available. */
export const copyExample = async (name: string, apiUrl: string) => {
  const reader = await createReader(apiUrl)
  const folder = join(reader.folder, name)
  await cp(join(root, 'examples', name), folder, { recursive: true })
  const path = [join(reader.folder, 'bin'), dirname(process.execPath), reader.env.PATH].join(delimiter)
  // The packages from their sources, not from the last build.
  const node = '--conditions=@countersign/source --disable-warning=ExperimentalWarning'

  const start = (command: string, env: Readonly<Record<string, string>> = {}) =>
    spawn('/bin/sh', ['-eu', '-c', command], {
      cwd: folder,
      env: { ...reader.env, PATH: path, NODE_OPTIONS: node, ...env },
    })

  const run = (command: string, env: Readonly<Record<string, string>> = {}) =>
    new Promise<{ exit: number; output: string }>((resolve) => {
      const child = start(command, env)
      let output = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
      child.stdin.end()
      child.on('close', (code) => resolve({ exit: code ?? -1, output }))
    })

  /** The `sh` blocks of its README, with the reader's addresses and IDs filled in. */
  const readSteps = async (values: Readonly<Record<string, string>>) => {
    let text = await readFile(join(folder, 'README.md'), 'utf8')
    for (const [placeholder, value] of Object.entries(values)) text = text.replaceAll(placeholder, value)
    return blocksIn(text, 'sh').map((block) => block.replace(/^npm (init|install) .*\n/gm, ''))
  }

  return { ...reader, folder, start, run, readSteps }
}

/** Runs the programs of `examples/` in place, with `countersign` available and a clean environment. */
export const createExampleRunner = async (apiUrl: string) => {
  const { execute } = await createReader(apiUrl)
  return (file: string, env: Readonly<Record<string, string>> = {}) =>
    execute(process.execPath, ['--conditions=@countersign/source', join(root, 'examples', file)], env)
}
