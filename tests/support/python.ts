import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { askShared } from './databases.ts'

const run = promisify(execFile)

/** What tests of ours are compared with. In one environment, without a pip of its own, which takes five seconds of the processor. */
const packages = [
  'confusable-homoglyphs==3.3.1',
  'dnstwist==20250130',
  'feedparser==6.0.11',
  'http-message-signatures==3.0.0',
  'modelsignature==0.3.0',
]

const folder = fileURLToPath(new URL(`../../node_modules/.cache/python/`, import.meta.url))
const program = `${folder}bin/python`

/** Installs Python packages from PyPI, on CI or with `CONFORMANCE=1`. Returns the reason if that failed, else an empty text. */
export const installPython = async (): Promise<string> => {
  const installed = `${folder}installed-${packages.join('-')}`
  if (existsSync(installed)) return ''
  if (!process.env.CI && !process.env.CONFORMANCE)
    return 'the Python packages of the tests are missing; CONFORMANCE=1 installs them'
  try {
    await run('python3', ['-m', 'venv', '--without-pip', '--clear', folder], { timeout: 60_000 })
    const pip = ['-m', 'pip', '--python', program, '--quiet', '--disable-pip-version-check', '--retries', '1']
    await run('python3', [...pip, '--timeout', '20', 'install', ...packages], { timeout: 120_000 })
    await writeFile(installed, '')
    return ''
  } catch {
    return 'Python 3 with pip, or the package index PyPI, is missing'
  }
}

/** A Python with packages that no one here wrote. `why`: the reason why it is missing. */
export const findPython = async (): Promise<{ program: string; why: string | undefined }> => ({
  program,
  why: (await askShared('python')) || undefined,
})
