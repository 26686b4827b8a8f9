import { expect, it } from 'vitest'
import { createHubClient } from './client.ts'

const url = 'https://hub.example/api/models/acme/tiny'

/** A hub that gives these answers in turn, repeating the last one. */
const clientOf = (answers: readonly (() => Response)[]) => {
  const waited: number[] = []
  let requests = 0
  const hub = createHubClient({
    endpoint: 'https://hub.example',
    token: undefined,
    fetch: async () => (answers[Math.min(requests++, answers.length - 1)] ?? Response.error)(),
    timeoutMs: 1_000,
    signal: new AbortController().signal,
    pause: async (waitMs) => waited.push(waitMs),
  })
  const read = () => hub.read(url, { id: 'acme/tiny', maxBytes: 100 })
  return { read, waited, requests: () => requests }
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
  { name: 'stays busy', answers: [busy(503)], code: 'upstream_unavailable', requests: 3 },
  { name: 'has had too many requests', answers: [busy(429)], code: 'rate_limited', requests: 3 },
  { name: 'requests a long wait', answers: [busy(429, '31')], code: 'rate_limited', requests: 1 },
  { name: 'does not answer', answers: [broken], code: 'network', requests: 3 },
  { name: 'has no such model', answers: [busy(404)], code: 'not_found', requests: 1 },
  { name: 'demands a different user', answers: [busy(403)], code: 'forbidden', requests: 1 },
  {
    name: 'sends too large an answer',
    answers: [() => new Response('x'.repeat(101))],
    code: 'upstream_refused',
    requests: 1,
  },
])('reports $code after all retries if a hub $name', async ({ answers, code, requests: expected }) => {
  const { read, requests } = clientOf(answers)
  await expect(read()).rejects.toMatchObject({ code })
  expect(requests()).toBe(expected)
})
