import { expect, it } from 'vitest'
import { countResults, describeSpent } from './test-report.ts'

const test = (status: string) => ({ status })
const file = (status: string, ...statuses: string[]) => ({
  name: `${status}.test.ts`,
  status,
  startTime: 1_000,
  endTime: 2_500,
  assertionResults: statuses.map(test),
})
const report = (passed: number, failed: number, testResults: ReturnType<typeof file>[], pending = 0) => ({
  numPassedTests: passed,
  numFailedTests: failed,
  numPendingTests: pending,
  numTodoTests: 0,
  testResults,
})

it.each([
  {
    name: 'only passed tests',
    given: report(2, 0, [file('passed', 'passed', 'passed')]),
    exit: 0,
    passed: 2,
    failed: 0,
  },
  { name: 'a failed test', given: report(1, 1, [file('failed', 'passed', 'failed')]), exit: 1, passed: 1, failed: 1 },
  {
    name: 'a file that does not load',
    given: report(1, 0, [file('passed', 'passed'), file('failed')]),
    exit: 1,
    passed: 1,
    failed: 1,
  },
  {
    name: 'a hook that throws',
    given: report(1, 0, [file('failed', 'passed', 'skipped')]),
    exit: 1,
    passed: 1,
    failed: 1,
  },
  {
    name: 'an error outside all files',
    given: report(2, 0, [file('passed', 'passed', 'passed')]),
    exit: 1,
    passed: 2,
    failed: 1,
  },
  { name: 'a run killed before the report', given: undefined, exit: null, passed: 0, failed: 1 },
])('counts $name', ({ given, exit, passed, failed }) => {
  expect(countResults(given, exit)).toMatchObject({ passed, failed })
})

it('prints how many were skipped', () => {
  expect(countResults(report(1, 0, [], 3), 0).notes).toEqual(['3 skipped'])
})

it('lists the slowest files and folders, and the waiting times of tests', () => {
  const timed = (name: string, endTime: number) => ({ ...file('passed', 'passed'), name: `/root/${name}`, endTime })
  const given = report(3, 0, [
    timed('tests/web/a.test.ts', 4_000),
    timed('tests/sql.test.ts', 2_000),
    timed('sdk/src/b.test.ts', 9_000),
  ])
  const lines = describeSpent(given, { browsers: { count: 2, ms: 1_234 } }, '/root').map((line) => line.trim())
  expect(lines).toEqual([
    'Slowest files:',
    '8.0 s  sdk/src/b.test.ts',
    '3.0 s  tests/web/a.test.ts',
    '1.0 s  tests/sql.test.ts',
    'By folder, of all workers together:',
    '8.0 s  sdk',
    '3.0 s  tests/web',
    '1.0 s  tests',
    'Waited for:',
    '1.2 s  2 browsers',
  ])
  expect(describeSpent(undefined, undefined, '/root')).toEqual([])
})
