import { expect, it } from 'vitest'
import { createHubClient } from './client.ts'

const url = 'https://hub.example/api/models/acme/tiny'

/** A hub that gives these answers in turn, repeating the last one. */
const clientOf = (answers: readonly (() => Response)[]) => {
  const waited: number[] = []
  let asked = 0
  const hub = createHubClient({
    endpoint: 'https://hub.example',
    token: undefined,
    fetch: async () => (answers[Math.min(asked++, answers.length - 1)] ?? Response.error)(),
    timeoutMs: 1_000,
    signal: new AbortController().signal,
    pause: async (waitMs) => waited.push(waitMs),
  })
  const read = () => hub.read(url, { id: 'acme/tiny', maxBytes: 100 })
  return { read, waited, asked: () => asked }
}

const fine = () => new Response('{}')
const busy = (status: number, retryAfter?: string) => () =>
  new Response('canary', { status, ...(retryAfter !== undefined && { headers: { 'Retry-After': retryAfter } }) })
const broken = () => {
  throw new TypeError('fetch failed')
}

it.each([
  { name: 'is busy, once', answers: [busy(503), fine], waited: [500] },
  { name: 'is busy, twice', answers: [busy(500), busy(502), fine], waited: [500, 1_000] },
  { name: 'drops the connection', answers: [broken, fine], waited: [500] },
  { name: 'says when to come back', answers: [busy(429, '2'), fine], waited: [2_000] },
  { name: 'says when to come back in an unknown format', answers: [busy(429, 'soon'), fine], waited: [500] },
])('retries a hub that $name', async ({ answers, waited: expected }) => {
  const { read, waited } = clientOf(answers)
  expect((await read()).body.toString()).toBe('{}')
  expect(waited).toEqual(expected)
})

it.each([
  { name: 'stays busy', answers: [busy(503)], code: 'upstream_unavailable', asked: 3 },
  { name: 'has had too many requests', answers: [busy(429)], code: 'rate_limited', asked: 3 },
  { name: 'requests a long wait', answers: [busy(429, '31')], code: 'rate_limited', asked: 1 },
  { name: 'does not answer', answers: [broken], code: 'network', asked: 3 },
  { name: 'has no such model', answers: [busy(404)], code: 'not_found', asked: 1 },
  { name: 'demands a different user', answers: [busy(403)], code: 'forbidden', asked: 1 },
  {
    name: 'sends too large an answer',
    answers: [() => new Response('x'.repeat(101))],
    code: 'upstream_refused',
    asked: 1,
  },
])('reports a hub that $name as $code after all retries', async ({ answers, code, asked: expected }) => {
  const { read, asked } = clientOf(answers)
  await expect(read()).rejects.toMatchObject({ code })
  expect(asked()).toBe(expected)
})
