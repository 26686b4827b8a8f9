// Applies deliberate mistakes to a scratch copy of the repository, one at a time, and checks that a test fails for each.
//
//   npm run test:breakages                     every breakage, each with the tests it names
//   npm run test:breakages -- ID …             only these
//   npm run test:breakages -- --package        with all fast tests of the package instead
//   npm run test:breakages -- --jobs 2         two at a time, each in its own copy
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { breakages } from './breakages/all.ts'
import type { Breakage } from './breakages/breakage.ts'
import { placeOf, staleOf, testFileOf } from './breakages/place.ts'
import { createScratch, type Scratch } from './breakages/scratch.ts'
import { type Outcome, updateTable } from './breakages/table.ts'
import { runTests } from './breakages/tests.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const page = join(root, 'docs/testing.md')

/** The fast tests of each package, for `--package`. */
const packageTests: Record<Breakage['package'], readonly string[]> = {
  sdk: ['sdk/src', 'tests/sdk', 'tests/guard', 'tests/runtime', 'tests/integrity'],
  server: [
    'server/src',
    'tests/api',
    'tests/faults',
    'tests/authorization.test.ts',
    'tests/every-endpoint.test.ts',
    'tests/sql.test.ts',
  ],
  cli: ['cli/src', 'tests/cli'],
  web: ['web/src', 'tests/web'],
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { package: { type: 'boolean', default: false }, jobs: { type: 'string', default: '1' } },
})

const fail = (message: string): never => {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}

const ids = new Set(breakages.map(({ id }) => id))
if (ids.size < breakages.length) fail('Two breakages have the same ID.')
const unknown = positionals.filter((id) => !ids.has(id))
if (unknown.length > 0) fail(`Unknown breakage: ${unknown.join(', ')}`)
const jobs = Number(values.jobs)
if (!Number.isInteger(jobs) || jobs < 1) fail('--jobs requires a number of at least 1.')
const chosen = positionals.length === 0 ? breakages : breakages.filter(({ id }) => positionals.includes(id))

// Find all snippets first, so that a stale one is reported within a second.
const stale = staleOf(root, chosen)
if (stale.length > 0) fail(stale.join('\n'))

const scratches: Scratch[] = []
const stop = new AbortController()
const cleanUp = () => {
  for (const { folder } of scratches) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
process.on('exit', cleanUp)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort())

/** Breaks the copy, runs the tests, and restores the copy. */
const tryBreakage = async (scratch: Scratch, breakage: Breakage): Promise<Outcome> => {
  const place = placeOf(scratch.folder, breakage)
  if ('problem' in place) return { verdict: 'unclear', note: place.problem }
  const file = join(scratch.folder, place.file)
  const before = readFileSync(file, 'utf8')
  try {
    writeFileSync(
      file,
      before.replace(breakage.find, () => breakage.replace),
    )
    if (breakage.build) await scratch.build(breakage.build, stop.signal)
    const result = values.package
      ? await runTests(scratch.folder, { files: packageTests[breakage.package], signal: stop.signal })
      : await runTests(scratch.folder, {
          files: breakage.tests.map((test) => testFileOf(scratch.folder, test) ?? test),
          name: breakage.name,
          signal: stop.signal,
        })
    if (result.failed[0]) return { verdict: 'caught', by: result.failed[0] }
    return result.passed.length > 0
      ? { verdict: 'missed' }
      : { verdict: 'unclear', note: `no test ran\n${result.output}` }
  } catch (error) {
    return { verdict: 'unclear', note: String(error) }
  } finally {
    writeFileSync(file, before)
    if (breakage.build) scratch.restoreBuilds()
  }
}

const outcomes = new Map<string, Outcome>()
const writeTable = () => writeFileSync(page, updateTable(readFileSync(page, 'utf8'), breakages, outcomes))
const waiting = [...chosen]
const work = async () => {
  const scratch = createScratch(root)
  scratches.push(scratch)
  for (let breakage = waiting.shift(); breakage && !stop.signal.aborted; breakage = waiting.shift()) {
    const startedAt = Date.now()
    const outcome = await tryBreakage(scratch, breakage)
    if (stop.signal.aborted) return
    outcomes.set(breakage.id, outcome)
    const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1)
    const detail =
      outcome.verdict === 'caught' ? outcome.by.name : outcome.verdict === 'missed' ? breakage.what : outcome.note
    process.stdout.write(`${outcome.verdict.padEnd(8)} ${breakage.id} (${seconds} s): ${detail}\n`)
  }
}
await Promise.all(Array.from({ length: Math.min(jobs, chosen.length) }, work))

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** A test that fails without the breakage proves nothing. */
const checkUnbroken = async () => {
  const caught = [...outcomes].flatMap(([id, outcome]) => (outcome.verdict === 'caught' ? [{ id, ...outcome.by }] : []))
  const [scratch] = scratches
  if (!scratch || caught.length === 0) return
  const { passed } = await runTests(scratch.folder, {
    files: [...new Set(caught.map(({ file }) => file))],
    name: `(${caught.map((test) => escaped(test.name)).join('|')})$`,
    signal: stop.signal,
    isWhole: true,
  })
  for (const { id, file, name } of caught) {
    if (passed.some((test) => test.file === file && test.name === name)) continue
    outcomes.set(id, { verdict: 'unclear', note: `this test does not pass without the breakage: ${name}` })
    process.stdout.write(`unclear  ${id}: ${name} does not pass without the breakage\n`)
  }
}
if (!stop.signal.aborted) await checkUnbroken()
if (stop.signal.aborted) process.exit(130)

if (!values.package) writeTable()
const count = (verdict: Outcome['verdict']) =>
  [...outcomes.values()].filter((outcome) => outcome.verdict === verdict).length
process.stdout.write(`${count('caught')} caught, ${count('missed')} missed, ${count('unclear')} unclear\n`)
process.exitCode = count('caught') === chosen.length ? 0 : 1
