import { describe, expect, it } from 'vitest'
import { AbortError, ConnectionError, toApiError } from '../api-error.ts'
import type { GetLinkOptions, VerificationLink } from './link-issuer.ts'
import { createVerificationTool, verificationToolSpec } from './verification-tool.ts'

const link: VerificationLink = {
  url: 'https://registry.example/v/W904-2CKW-GDNC-X7S1',
  code: 'W904-2CKW-GDNC-X7S1',
  token: 'token',
  verificationId: 'vrf_06dh0e3x7c9bw4vjz2n8qk5ytm',
  expiresAt: '2026-01-05T12:15:00.000Z',
  challenge: null,
  origin: null,
}

const createScene = (get: () => Promise<VerificationLink> = async () => link) => {
  const requests: { sessionId: string; options: GetLinkOptions | undefined }[] = []
  const issuer = {
    get: (sessionId: string, options?: GetLinkOptions) => {
      requests.push({ sessionId, options })
      return get()
    },
  }
  return { tool: createVerificationTool({ issuer, origin: 'https://chat.acme.example' }), requests }
}

it('has a schema that strict modes accept: all properties required, no others allowed', () => {
  const { parameters } = verificationToolSpec
  expect(parameters).toMatchObject({ type: 'object', additionalProperties: false })
  expect(parameters.required).toEqual(Object.keys(parameters.properties))
  expect(Object.keys(parameters.properties)).toEqual(['challenge'])
})

it.each([undefined, null, {}, { challenge: null }, { challenge: '' }, { challenge: undefined }])(
  'returns the link for %j',
  async (args) => {
    const { tool, requests } = createScene()
    const { signal } = new AbortController()
    const answer = await tool.call(args, { sessionId: 'chat-1', signal })
    expect(answer).toMatchObject({ ok: true, link })
    expect(answer.text).toContain(link.url)
    expect(answer.text).not.toContain(link.token)
    expect(requests).toEqual([
      { sessionId: 'chat-1', options: { challenge: null, origin: 'https://chat.acme.example', signal } },
    ])
  },
)

it('passes on the visitor’s phrase', async () => {
  const { tool, requests } = createScene()
  await tool.call({ challenge: ' blaue Otter-42 ' }, { sessionId: 'chat-1' })
  expect(requests[0]?.options?.challenge).toBe('blaue Otter-42')
})

describe('rejects without a request', () => {
  it.each([
    { args: { challenge: null, model_id: 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm' } },
    { args: { challenge: 'otter', session_id: 'chat-2' } },
    { args: { provider: 'northwind' } },
    { args: { challenge: '<b>otter</b>' } },
    { args: { challenge: 'x'.repeat(65) } },
    { args: { challenge: 42 } },
    { args: { challenge: ['otter'] } },
    { args: [] },
    { args: 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm' },
    { args: JSON.parse('{"__proto__": {"challenge": "otter"}}') as unknown },
  ])('$args', async ({ args }) => {
    const { tool, requests } = createScene()
    const answer = await tool.call(args, { sessionId: 'chat-1' })
    expect(answer).toMatchObject({ ok: false, reason: 'invalid_arguments' })
    expect(answer.text).not.toMatch(/https?:|mdl_/)
    expect(requests).toEqual([])
  })
})

const problem = (status: number, code: string) => ({ code, detail: 'no', status, title: 'no', type: 'about:blank' })

const refusal = (status: number, code: string) =>
  toApiError({
    status,
    body: problem(status, code),
    requestId: null,
    retryAfterMs: null,
    mayRetry: true,
  })

describe('without a link', () => {
  it.each([
    { error: refusal(409, 'model_archived'), reason: 'refused' },
    { error: refusal(401, 'unauthorized'), reason: 'refused' },
    { error: refusal(503, 'unavailable'), reason: 'unavailable' },
    { error: refusal(429, 'rate_limited'), reason: 'unavailable' },
    { error: new ConnectionError('down'), reason: 'unavailable' },
  ])('$error.name is $reason, in words for the model', async ({ error, reason }) => {
    const answer = await createScene(() => Promise.reject(error)).tool.call(
      { challenge: null },
      { sessionId: 'chat-1' },
    )
    expect(answer).toMatchObject({ ok: false, reason, cause: error })
    expect(answer.text).not.toMatch(/https?:|\/v\//)
  })

  it('asks the model for another challenge if the registry rejects this one', async () => {
    const error = toApiError({
      status: 422,
      body: {
        ...problem(422, 'validation_failed'),
        errors: [{ loc: ['body', 'challenge'], msg: 'no', pointer: '#/challenge' }],
      },
      requestId: null,
      retryAfterMs: null,
      mayRetry: true,
    })
    const answer = await createScene(() => Promise.reject(error)).tool.call(
      { challenge: 'verified otter' },
      { sessionId: 'chat-1' },
    )
    expect(answer).toMatchObject({ ok: false, reason: 'invalid_arguments' })
    expect(answer.text).toContain('Ask for another one')
  })

  it('throws only if the caller stopped waiting', async () => {
    await expect(
      createScene(() => Promise.reject(new AbortError('stop'))).tool.call({}, { sessionId: 'x' }),
    ).rejects.toThrow(AbortError)
    expect(await createScene(() => Promise.reject(new TypeError('no'))).tool.call({}, { sessionId: '' })).toMatchObject(
      {
        reason: 'refused',
      },
    )
  })
})
