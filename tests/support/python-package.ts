import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * A Python of its own with one package of PyPI, such as `dnstwist==20250130`. It is installed on CI, or with
 * `CONFORMANCE=1`; otherwise tests install no packages. `why`: the reason why it is missing.
 */
export const pythonWith = async (requirement: string): Promise<{ program: string; why: string | undefined }> => {
  const folder = fileURLToPath(new URL(`../../node_modules/.cache/${requirement}/`, import.meta.url))
  const program = `${folder}bin/python`
  const installed = `${folder}installed`
  if (existsSync(installed)) return { program, why: undefined }
  if (!process.env.CI && !process.env.CONFORMANCE)
    return { program, why: `${requirement} is missing; CONFORMANCE=1 installs it` }
  try {
    await run('python3', ['-m', 'venv', folder], { timeout: 60_000 })
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--retries', '1', '--timeout', '20']
    await run(program, [...pip, requirement], { timeout: 120_000 })
    await run('touch', [installed])
    return { program, why: undefined }
  } catch {
    return { program, why: 'Python 3 or the package index PyPI is missing' }
  }
}
