import { AbortError, ApiError, ConnectionError, TimeoutError } from '@countersign/sdk'
import { type ErrorCode, errors } from '@countersign/sdk/contract'
import { describe, expect, it } from 'vitest'
import { Failure, Interruption } from '../failure.ts'
import { createTestWorld } from '../test-world.ts'
import { exitOf, fieldErrors, reportFailure, reportOf } from './report.ts'

const apiError = (code: ErrorCode, status: number) =>
  new ApiError({
    code,
    status,
    detail: 'Told so',
    requestId: 'req_1',
    retryable: false,
    retryAfterMs: null,
    problem: null,
  })

describe('the exit code', () => {
  it('matches the contract for every error', () => {
    for (const [code, { status, exit }] of Object.entries(errors))
      expect(reportOf(apiError(code as ErrorCode, status)).exit_code).toBe(exit)
  })

  it.each([
    { name: 'Ctrl-C', error: new Interruption('SIGINT'), exit: 130, code: 'interrupted' },
    { name: 'SIGTERM', error: new Interruption('SIGTERM'), exit: 143, code: 'interrupted' },
    { name: 'a failure of ours', error: new Failure('not_a_key', 2, 'No key'), exit: 2, code: 'not_a_key' },
    { name: 'no network', error: new ConnectionError('No answer'), exit: 8, code: 'network' },
    { name: 'no answer in time', error: new TimeoutError('No answer'), exit: 8, code: 'timeout' },
    {
      name: 'a missing file',
      error: Object.assign(new Error('ENOENT'), { code: 'ENOENT', path: '/a' }),
      exit: 2,
      code: 'file',
    },
    { name: 'a defect', error: new TypeError('x is not a function'), exit: 1, code: 'internal' },
    { name: 'a thrown text', error: 'oops', exit: 1, code: 'internal' },
    { name: 'an unexpected abort', error: new AbortError('aborted'), exit: 1, code: 'internal' },
  ])('is $exit for $name', ({ error, exit, code }) => {
    expect(reportOf(error)).toMatchObject({ exit_code: exit, code })
  })

  it.each([
    [401, 4],
    [403, 4],
    [404, 5],
    [409, 6],
    [429, 7],
    [500, 8],
    [418, 2],
  ])('follows the status for an unknown code: %i is %i', (status, exit) => {
    expect(exitOf('a_code_of_the_future', status)).toBe(exit)
  })
})

it('shows a registry’s message without its escapes', () => {
  const details = {
    status: 400,
    code: 'bad_request',
    requestId: 'req_\u009b2J',
    retryable: false,
    retryAfterMs: null,
    problem: null,
  } as const
  const error = new ApiError({ ...details, detail: 'no \u001b[2Jgood\u001b]0;owned\u0007\u202e' })
  for (const json of [false, true]) {
    const world = createTestWorld()
    expect(reportFailure(error, { given: { json } }, world)).toBe(2)
    expect(world.written.stderr).toMatch(/^[\u0020-\u007e\n]+$/)
  }
  const world = createTestWorld()
  reportFailure(error, { given: {} }, world)
  expect(world.written.stderr).toContain('error: no good\n')
})

it('breaks lines between words in a terminal, and not elsewhere', () => {
  const error = new Failure('internal', 1, 'one two three four', 'five six')
  for (const [isTerminal, shown] of [
    [true, 'error: one two\n  three four\nhint: five six\n'],
    [false, 'error: one two three four\nhint: five six\n'],
  ] as const) {
    const written: string[] = []
    const stderr = { isTerminal, columns: 16, write: (text: string) => void written.push(text) }
    reportFailure(error, { given: {} }, createTestWorld({ stderr }))
    expect(written.join('')).toBe(shown)
  }
})

it('names each invalid field', () => {
  const fields = [
    { loc: ['body', 'website'], msg: 'Website is required', pointer: '#/website' },
    { loc: ['body', 'labels', 'a'], msg: 'Too long', pointer: '#/labels/a' },
  ]
  expect(fieldErrors(fields)).toBe('website: Website is required; labels.a: Too long')
  expect(fieldErrors([])).toBeUndefined()
})
