// Runs the tests (`npm test -- path` only those; `npm run test:full` everything on both databases, and long fuzzing) and ends with the line `N passed, N failed`, counted from Vitest's own report.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { countResults, describeSpent } from './test-report.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'countersign-report-'))
const report = join(folder, 'report.json')
const spent = join(folder, 'spent.json')

const args = process.argv.slice(2)
const isFull = args.includes('--full')

const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...args.filter((arg) => arg !== '--full'),
  ],
  {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, TEST_SPENT: spent, ...(isFull && { TEST_FULL: '1' }) },
  },
)

const readJson = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

const { passed, failed, notes } = countResults(readJson(report), status)
for (const line of describeSpent(readJson(report), readJson(spent), root)) process.stdout.write(`${line}\n`)
rmSync(folder, { recursive: true })
for (const note of notes) process.stdout.write(`${note}\n`)
process.stdout.write(`${passed} passed, ${failed} failed\n`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0
