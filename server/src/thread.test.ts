import { spawnSync } from 'node:child_process'
import { getPriority } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { createThread } from './thread.ts'

it('answers undefined if its program cannot be started', async () => {
  const notLocal = createThread({ program: new URL('https://acme.example/thread.js') })
  const missing = createThread({ program: new URL('./no-such-thread.ts', import.meta.url) })
  expect(await Promise.all([notLocal.ask(1), notLocal.ask(2), missing.ask(1)])).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(notLocal.waiting()).toBe(0)
})

/** Answers every question with its own number. */
const numbered = new URL(
  `data:text/javascript,import { parentPort, threadId } from 'node:worker_threads';
  parentPort.on('message', () => parentPort.postMessage(threadId))`,
)

it.each([true, false])('is the same thread after a pause if it was started ahead: %s', async (isAhead) => {
  const thread = createThread<string, number>({ program: numbered, idleMs: 0 })
  onTestFinished(thread.close)
  if (isAhead) thread.start()
  const first = await thread.ask('who?')
  expect(first).toBeGreaterThan(0)
  await wait(50)
  expect((await thread.ask('who?')) === first).toBe(isAhead)
})

it('gets the next question while it answers one', async () => {
  const pairs = new URL(
    `data:text/javascript,import { parentPort } from 'node:worker_threads';
    let first;
    parentPort.on('message', (question) => {
      if (first !== undefined) for (const each of [first, question]) parentPort.postMessage(each);
      first = question;
    })`,
  )
  const thread = createThread<string, string>({ program: pairs, atOnce: 2 })
  onTestFinished(thread.close)
  expect(await Promise.all([thread.ask('one'), thread.ask('two')])).toEqual(['one', 'two'])
})

it.runIf(process.platform === 'linux')('lowers the threads that V8 compiles in', () => {
  const program = `
    const { lowerCompilerThreads } = await import(${JSON.stringify(new URL('./thread.ts', import.meta.url).href)})
    const { readdirSync, readFileSync } = await import('node:fs')
    lowerCompilerThreads()
    for (const thread of readdirSync('/proc/self/task')) {
      const [name, rest] = readFileSync('/proc/self/task/' + thread + '/stat', 'utf8').split('(')[1].split(')')
      console.log(name, rest.trim().split(' ')[16])
    }`
  const { stdout } = spawnSync(process.execPath, ['--no-warnings', '--input-type=module', '--eval', program], {
    encoding: 'utf8',
  })
  expect(stdout).toContain('V8Worker 10')
  expect(stdout).not.toContain('V8Worker 0')
  expect(stdout).toContain(`MainThread ${getPriority()}`)
})
