import { z } from 'zod'

const Report = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(z.object({ name: z.string(), status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) })),
})

/**
 * Counts Vitest's JSON report. A file that fails outside its tests (it does not load, or a hook throws) is one failure,
 * and so is a run that Vitest itself calls failed without naming a test.
 */
export const countResults = (given: unknown, exitStatus: number | null): { passed: number; failed: number; notes: string[] } => {
  const report = Report.safeParse(given)
  if (!report.success) return { passed: 0, failed: 1, notes: ['Vitest ended without a report.'] }
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
      ...(isFailedOtherwise ? [`Vitest ended with ${exitStatus} although no test failed; its reason stands above.`] : []),
      ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ],
  }
}
