import { expect, it } from 'vitest'
import { countResults } from './test-report.ts'

const test = (status: string) => ({ status })
const file = (status: string, ...statuses: string[]) => ({ name: `${status}.test.ts`, status, assertionResults: statuses.map(test) })
const report = (passed: number, failed: number, testResults: ReturnType<typeof file>[], pending = 0) => ({
  numPassedTests: passed,
  numFailedTests: failed,
  numPendingTests: pending,
  numTodoTests: 0,
  testResults,
})

it.each([
  { name: 'all good', given: report(2, 0, [file('passed', 'passed', 'passed')]), exit: 0, passed: 2, failed: 0 },
  { name: 'a failed test', given: report(1, 1, [file('failed', 'passed', 'failed')]), exit: 1, passed: 1, failed: 1 },
  { name: 'a file that does not load', given: report(1, 0, [file('passed', 'passed'), file('failed')]), exit: 1, passed: 1, failed: 1 },
  { name: 'a hook that throws', given: report(1, 0, [file('failed', 'passed', 'skipped')]), exit: 1, passed: 1, failed: 1 },
  { name: 'an error outside of all files', given: report(2, 0, [file('passed', 'passed', 'passed')]), exit: 1, passed: 2, failed: 1 },
  { name: 'killed before the report', given: undefined, exit: null, passed: 0, failed: 1 },
])('counts $name', ({ given, exit, passed, failed }) => {
  expect(countResults(given, exit)).toMatchObject({ passed, failed })
})

it('says how many were skipped', () => {
  expect(countResults(report(1, 0, [], 3), 0).notes).toEqual(['3 skipped'])
})
