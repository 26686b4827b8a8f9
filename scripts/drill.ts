// Breaks what the registry stands on, for real (`npm run drill`, or `npm run drill -- NAME…`; `--quick` for a tenth of the repetitions). Each
// file in scripts/drill is one fault. Prints a table and the line `N passed, N failed`. docs/reliability.md has the figures.
import { readdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Fault } from './drill/support/fault.ts'

const { values, positionals } = parseArgs({ options: { quick: { type: 'boolean' } }, allowPositionals: true })

const folder = new URL('./drill/', import.meta.url)
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.ts'))
  .sort()
const faults = (
  await Promise.all(files.map(async (name) => ((await import(new URL(name, folder).href)) as { fault: Fault }).fault))
).filter(({ name, runsWhenNamed }) => (positionals.length === 0 ? !runsWhenNamed : positionals.includes(name)))

const say = (line: string) => process.stdout.write(`${line}\n`)
const minutes = (since: number) => `${((performance.now() - since) / 60_000).toFixed(1)} min`

const runFault = async ({ run, limitMinutes = 15 }: Fault): Promise<string> => {
  const undoing: (() => unknown)[] = []
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It took longer than ${limitMinutes} minutes`)), limitMinutes * 60_000)
  })
  try {
    const figures = run({
      times: (count) => (values.quick ? Math.ceil(count / 10) : count),
      onEnd: (undo) => undoing.push(undo),
      say: (line) => say(`  ${line}`),
    })
    return await Promise.race([figures, tooLong])
  } finally {
    clearTimeout(timer)
    for (const undo of undoing.reverse()) await Promise.resolve(undo()).catch(() => {})
  }
}

const results: { name: string; isPassed: boolean; figures: string; took: string }[] = []
for (const fault of faults) {
  say(`${fault.name}: ${fault.does}`)
  const started = performance.now()
  const outcome = await runFault(fault).then(
    (figures) => ({ isPassed: true, figures }),
    (error: unknown) => ({ isPassed: false, figures: error instanceof Error ? error.message : String(error) }),
  )
  const took = minutes(started)
  results.push({ name: fault.name, took, ...outcome })
  say(`  ${outcome.isPassed ? 'passed' : 'FAILED'} in ${took}: ${outcome.figures}\n`)
}

say('| fault | result | figures | took |')
say('| --- | --- | --- | --- |')
for (const { name, isPassed, figures, took } of results)
  say(`| ${name} | ${isPassed ? 'passed' : 'failed'} | ${figures.split('\n')[0]} | ${took} |`)
const passed = results.filter(({ isPassed }) => isPassed).length
say(`${passed} passed, ${results.length - passed} failed`)
process.exit(passed === results.length && passed > 0 ? 0 : 1)
