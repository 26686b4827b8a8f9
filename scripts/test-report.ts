import { relative } from 'node:path'
import { z } from 'zod'

const Report = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      startTime: z.number(),
      endTime: z.number(),
      assertionResults: z.array(z.object({ status: z.string() })),
    }),
  ),
})

const Spent = z.record(z.string(), z.object({ count: z.number(), ms: z.number() }))

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1).padStart(7)} s`

/** Lists where the time of a run went: the slowest files, the folders, and the databases and browsers that tests waited for. */
export const describeSpent = (given: unknown, spentGiven: unknown, root: string): string[] => {
  const report = Report.safeParse(given)
  if (!report.success) return []
  const files = report.data.testResults
    .map(({ name, startTime, endTime }) => ({ name: relative(root, name), ms: endTime - startTime }))
    .sort((a, b) => b.ms - a.ms)
  const folders = new Map<string, number>()
  for (const { name, ms } of files) {
    const [first = '', second = ''] = name.split('/')
    const folder = first === 'tests' && second !== '' && !second.endsWith('.ts') ? `${first}/${second}` : first
    folders.set(folder, (folders.get(folder) ?? 0) + ms)
  }
  const spent = Spent.safeParse(spentGiven)
  return [
    'Slowest files:',
    ...files.slice(0, 10).map(({ name, ms }) => `${seconds(ms)}  ${name}`),
    'By folder, of all workers together:',
    ...[...folders].sort(([, a], [, b]) => b - a).map(([name, ms]) => `${seconds(ms)}  ${name}`),
    ...(spent.success
      ? [
          'Waited for:',
          ...Object.entries(spent.data).map(([kind, { count, ms }]) => `${seconds(ms)}  ${count} ${kind}`),
        ]
      : []),
  ]
}

/**
 * Counts Vitest's JSON report. A file that fails outside its tests (it does not load, or a hook throws) counts as one failure,
 * and so does a run that Vitest reports as failed without naming a test.
 */
export const countResults = (
  given: unknown,
  exitStatus: number | null,
): { passed: number; failed: number; notes: string[] } => {
  const report = Report.safeParse(given)
  if (!report.success) return { passed: 0, failed: 1, notes: ['Vitest exited without a report.'] }
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = report.data
  const brokenFiles = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  )
  const skipped = numPendingTests + numTodoTests
  const failed = numFailedTests + brokenFiles.length
  const isFailedOtherwise = failed === 0 && exitStatus !== 0
  return {
    passed: numPassedTests,
    failed: isFailedOtherwise ? 1 : failed,
    notes: [
      ...brokenFiles.map(({ name }) => `Failed outside its tests: ${name}`),
      ...(isFailedOtherwise ? [`Vitest exited ${exitStatus} although no test failed; the reason is above.`] : []),
      ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ],
  }
}
