import { expect, it } from 'vitest'
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
