import { McpServer } from '@modelcontextprotocol/server'
import { expect, it } from 'vitest'
import { createMinter } from '../../../tests/support/minter.ts'
import { verificationTool } from '../ai/index.ts'
import { createClient, createLinkIssuer, createVerificationTool, guardOutput } from '../index.ts'
import { pinLog } from '../log/pin/index.ts'
import { registerVerificationTool } from '../mcp/index.ts'
import { createMtlsFetch, hashModel } from '../node/index.ts'
import { handleToolCall } from '../openai/index.ts'
import { requestSigner } from '../signer/index.ts'
import { workloadSigner } from '../signer/workload.ts'
import { policy as createPolicy, createVerifier } from './index.ts'

const { issuer } = createMinter()
const client = createClient({ baseURL: 'https://registry.example' })
const toolCall = { type: 'function_call', name: 'get_verification_link', arguments: '{}' } as const
const policy = `log registry.example/log+a1b2c3d4+${'A'.repeat(44)}\nquorum none\n`

/** Each call with valid options, and the options that it needs. */
const calls: [call: string, run: (options: never) => unknown, valid: object, needed: readonly string[]][] = [
  ['createVerifier', createVerifier, { issuer: 'https://registry.example' }, ['issuer']],
  [
    'guardOutput',
    guardOutput,
    { issued: issuer, sessionId: 's', host: 'registry.example' },
    ['issued', 'sessionId', 'host'],
  ],
  ['createVerificationTool', createVerificationTool, { issuer }, ['issuer']],
  ['verificationTool', verificationTool, { issuer }, ['issuer']],
  [
    'registerVerificationTool',
    (options) => registerVerificationTool(new McpServer({ name: 'acme', version: '1.0.0' }), options),
    { issuer, sessionId: 's' },
    ['issuer', 'sessionId'],
  ],
  [
    'handleToolCall',
    (options) => handleToolCall(toolCall, options),
    { issuer, sessionId: 's' },
    ['issuer', 'sessionId'],
  ],
  ['requestSigner', requestSigner, { key: 'pem' }, ['key']],
  [
    'workloadSigner',
    workloadSigner,
    { registry: 'https://registry.example', providerId: 'prv_1', token: () => 'jwt' },
    ['registry', 'providerId', 'token'],
  ],
  ['createMtlsFetch', createMtlsFetch, { cert: 'pem', key: 'pem' }, ['cert', 'key']],
  ['hashModel', (options) => hashModel('.', options), {}, []],
  ['pinLog', (options) => pinLog(policy, options), {}, []],
]

const errorOf = async (run: (options: never) => unknown, options: object) => {
  try {
    await run(options as never)
  } catch (error) {
    return error
  }
}

it.each(calls)(
  '%s names an unknown option and those it knows, and the first option that is missing',
  async (call, run, valid, needed) => {
    const unknown = await errorOf(run, { ...valid, misspelled: 1 })
    expect(unknown).toBeInstanceOf(TypeError)
    expect(String(unknown)).toMatch(new RegExp(`${call}: unknown option "misspelled"; known: \\w+(, \\w+)+$`))
    for (const name of needed) {
      const missing = await errorOf(run, { ...valid, [name]: undefined })
      expect(missing).toBeInstanceOf(TypeError)
      expect(String(missing)).toMatch(new RegExp(`${call}: "${name}" (is missing: pass|must be) \\w+`))
    }
  },
)

const modelId = 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm'
const verifier = createVerifier({ issuer: 'https://registry.example' })

const nothing = undefined as never

/** Wrong arguments, as a program without types may pass them, and what the error says. */
const mistakes: [says: string, run: (call: never) => unknown][] = [
  ['verifications.check: "input" must be a link, a code or a token', () => client.verifications.check(nothing)],
  ['verifications.check: "input" must be a link', () => client.verifications.check(3 as never)],
  ['verify: "input" must be a link, a code or a token', () => verifier.verify(nothing)],
  ['verify: "input" must be a link', () => verifier.assert(3 as never)],
  ['issuer.get: "challenge" must be a string', () => issuer.get('s', { challenge: 3 as never })],
  ['issuer.get: "origin" must be an origin without a path', () => issuer.get('s', { origin: 'x' })],
  ['createLinkIssuer: "maxLinks" must be a number from 1', () => createLinkIssuer({ client, modelId, maxLinks: -1 })],
  [
    'createLinkIssuer: "origin" must be an origin without a path',
    () => createLinkIssuer({ client, modelId, origin: 'x' }),
  ],
  ['createLinkIssuer: "client" must be a client', () => createLinkIssuer({ client: {} as never, modelId })],
  [
    'guardOutput: "sessionId" must be a string of 1 to 512 characters',
    () => guardOutput({ issued: issuer, sessionId: '', host: 'registry.example' }),
  ],
  [
    'guardOutput: "issued" must be a link issuer',
    () => guardOutput({ issued: {} as never, sessionId: 's', host: 'registry.example' }),
  ],
  ...[3, null].map((jwks): [string, () => unknown] => [
    'createVerifier: "jwks" must be keys or their address',
    () => createVerifier({ issuer: 'https://registry.example', jwks: jwks as never }),
  ]),
  [
    'createVerifier: "clockToleranceSeconds" must be from 0 to 300',
    () => createVerifier({ issuer: 'https://registry.example', clockToleranceSeconds: 301 }),
  ],
  [
    'createVerifier: "cooldownMs" must be from 0 to',
    () => createVerifier({ issuer: 'https://registry.example', cooldownMs: '5' as never }),
  ],
  ['createVerifier: "issuer" must be the registry’s address', () => createVerifier({ issuer: 'registry' })],
  ['policy: "providers" must be a list of domains', () => createPolicy({ providers: ['https://acme.example'] })],
  ['requestSigner: "key" must be PEM', () => requestSigner({ key: 3 as never })],
  [
    'requestSigner: "registry" must be the registry’s address',
    () => requestSigner({ key: {} as never, registry: 'x' }),
  ],
  ...(
    [
      ['createLinkIssuer', createLinkIssuer, 'options; known: client, modelId'],
      ['policy', createPolicy, 'rules; known: issuer, providers'],
      ['createVerifier', createVerifier, 'options; known: issuer, jwks'],
      ['requestSigner', requestSigner, 'options; known: key, registry'],
    ] as [string, (options: never) => unknown, string][]
  ).map(([call, run, what]): [string, (call: never) => unknown] => [
    `${call}: pass a plain object of ${what}`,
    () => run(nothing),
  ]),
]

it.each(mistakes)('a wrong argument is rejected: %s', async (says, run) => {
  const error = await errorOf(run, {})
  expect(error).toBeInstanceOf(TypeError)
  expect(String(error)).toContain(says)
})
