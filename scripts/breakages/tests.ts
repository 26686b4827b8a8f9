import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { z } from 'zod'

const Report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(
        z.object({ ancestorTitles: z.array(z.string()), title: z.string(), status: z.string() }),
      ),
    }),
  ),
})

interface Run {
  files: readonly string[]
  /** A regular expression for the full name of a test. */
  name?: string | undefined
  signal: AbortSignal
  /** Continues after the first failure. */
  isWhole?: boolean
}

export interface TestName {
  file: string
  name: string
}

/**
 * Runs tests only with SQLite: both databases share the code of each breakage, or its test does not use a database.
 * A file that fails outside its tests counts neither as passed nor as failed.
 */
export const runTests = async (folder: string, { files, name = '', signal, isWhole = false }: Run) => {
  const report = join(folder, 'report.json')
  rmSync(report, { force: true })
  const args = [
    ...[
      'node_modules/vitest/vitest.mjs',
      'run',
      '--reporter=json',
      '--reporter=default',
      `--outputFile.json=${report}`,
    ],
    ...['--retry=0', isWhole ? '--bail=0' : '--bail=1', '-t', `^(?!.*, on postgres).*${name}`],
    ...files,
  ]
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], signal })
  let output = ''
  const keep = (chunk: Buffer) => {
    output = (output + chunk).slice(-4_000)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  await new Promise<void>((resolve) => {
    child.on('error', () => resolve())
    child.on('close', () => resolve())
  })
  const tests = readReport(report).flatMap(({ name: path, assertionResults }) =>
    assertionResults.map(({ ancestorTitles, title, status }) => ({
      file: relative(folder, path),
      // As Vitest's `-t` spells it.
      name: [...ancestorTitles, title].join(' > '),
      status,
    })),
  )
  return {
    failed: tests.filter(({ status }) => status === 'failed').map(({ file, name }): TestName => ({ file, name })),
    passed: tests.filter(({ status }) => status === 'passed').map(({ file, name }): TestName => ({ file, name })),
    output,
  }
}

const readReport = (file: string) => {
  try {
    return Report.parse(JSON.parse(readFileSync(file, 'utf8'))).testResults
  } catch {
    return []
  }
}
