import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const here = import.meta.dirname
const cache = fileURLToPath(new URL('../../../node_modules/.cache/conformance/', import.meta.url))

/** A Python with the packages of requirements.txt, or the reason why there is none. */
export type Python = { state: 'found'; program: string } | { state: 'missing'; why: string }

const canImport = (program: string): Promise<boolean> =>
  run(program, ['-c', 'import pytest, model_signing, sigstore_protobuf_specs'], { timeout: 60_000 }).then(
    () => true,
    () => false,
  )

/** Created on CI, or with `CONFORMANCE=1`; otherwise tests install no packages. */
const install = async (): Promise<Python> => {
  const program = join(cache, 'bin/python')
  try {
    if (!existsSync(program)) await run('python3', ['-m', 'venv', cache], { timeout: 60_000 })
    const patience = ['--retries', '1', '--timeout', '20']
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...patience]
    await run(program, [...pip, '--requirement', join(here, 'requirements.txt')], { timeout: 240_000 })
    return { state: 'found', program }
  } catch {
    return { state: 'missing', why: 'Python 3 or the package index PyPI is missing' }
  }
}

export const findPython = async (): Promise<Python> => {
  const candidates = [process.env.CONFORMANCE_PYTHON, join(cache, 'bin/python'), 'python3'].filter(
    (each) => each !== undefined,
  )
  for (const program of candidates) if (await canImport(program)) return { state: 'found', program }
  if (process.env.CI || process.env.CONFORMANCE) return install()
  return {
    state: 'missing',
    why: 'Python with the packages of tests/integrity/conformance/requirements.txt is missing; CONFORMANCE=1 installs it',
  }
}
