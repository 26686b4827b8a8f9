import { expect, it, onTestFinished } from 'vitest'
import { createChecker } from './checker.ts'

const root = { id: 'one', json: undefined }
const bundle = { bundle: Buffer.from('{}'), digest: null, signers: [], now: 0 }

/** A thread that follows instructions instead of checking. */
const programOf = (code: string) =>
  new URL(`data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads'\n${code}`)}`)

const checkerWith = (code: string, timeoutMs: number) => {
  const checker = createChecker({ timeoutMs, program: programOf(code) })
  onTestFinished(checker.close)
  return checker
}

it('stops an endless check and a check that crashes its thread; the next check gets a new thread', async () => {
  const code = `let count = 0
    parentPort.on('message', ({ check: { digest } }) => {
      if (digest === 'loop') for (;;) {}
      if (digest === 'throw') throw new Error('no')
      if (digest === 'exit') process.exit(1)
      parentPort.postMessage({ verdict: { count: ++count } })
    })`
  const checker = checkerWith(code, 2_000)
  const check = (digest: string) => checker.check(root, { ...bundle, digest })
  expect(
    await Promise.all(['fine', 'fine', 'throw', 'fine', 'exit', 'fine', 'loop', 'fine', 'fine'].map(check)),
  ).toEqual([
    { count: 1 },
    { count: 2 },
    undefined,
    { count: 1 },
    undefined,
    { count: 1 },
    undefined,
    { count: 1 },
    { count: 2 },
  ])
  expect(checker.waiting()).toBe(0)
})

it('runs real checks: an unreadable bundle gets a verdict, an unreadable root an error', async () => {
  const checker = createChecker()
  onTestFinished(checker.close)
  expect(await checker.check(root, bundle)).toMatchObject({
    status: 'invalid',
    reason: expect.stringContaining('bundle_'),
  })
  expect(await checker.faultOf(root)).toBeNull()
  expect(await checker.faultOf({ id: 'two', json: '{}' })).toEqual(expect.any(String))
  expect(await checker.check({ id: 'two', json: '{}' }, bundle)).toMatchObject({ status: 'invalid' })
})
