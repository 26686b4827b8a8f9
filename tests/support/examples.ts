import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createReader } from './samples.ts'

const folder = new URL('../../examples/', import.meta.url).pathname

/** Runs the programs of `examples/` where they stand, with `countersign` at hand and nothing of this machine's environment. */
export const createExampleRunner = async (apiUrl: string) => {
  const reader = await createReader(apiUrl)
  return async (file: string, env: Readonly<Record<string, string>> = {}) => {
    const child = spawn(process.execPath, ['--conditions=@countersign/source', join(folder, file)], {
      cwd: reader.folder,
      env: { ...reader.env, PATH: `${join(reader.folder, 'bin')}:${reader.env.PATH}`, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk) => (stdout += chunk))
    child.stderr.on('data', (chunk) => (stderr += chunk))
    const [exit] = await once(child, 'close')
    return { exit: exit as number, stdout, stderr }
  }
}
