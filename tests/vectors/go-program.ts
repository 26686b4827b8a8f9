import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A program of this folder, built; or the reason why it is missing. */
export type GoProgram = { program: string; run: (...args: string[]) => Promise<string> } | { missing: string }

/** `target`: the package to build; the folder's own, if not given. */
export const buildGoProgram = async (folder: 'go' | 'tessera' | 'litewitness', target = '.'): Promise<GoProgram> => {
  const source = fileURLToPath(new URL(`${folder}/`, import.meta.url))
  const program = fileURLToPath(new URL(`../../node_modules/.cache/log-${folder}`, import.meta.url))
  try {
    await run('go', ['version'])
  } catch {
    return { missing: 'Go is missing' }
  }
  try {
    await run('go', ['build', '-o', program, target], { cwd: source, timeout: 240_000 })
  } catch (error) {
    const { stderr = '', killed } = error as { stderr?: string; killed?: boolean }
    if (killed && stderr.includes('go: downloading')) return { missing: 'Go’s modules were not downloaded in time' }
    if (/dial tcp|no such host|proxyconnect|TLS handshake|requires go >=|connection refused|403 Forbidden/.test(stderr))
      return { missing: 'Go’s modules cannot be downloaded' }
    throw error
  }
  return {
    program,
    run: async (...args) => (await run(program, args, { maxBuffer: 10_000_000, timeout: 120_000 })).stdout,
  }
}
