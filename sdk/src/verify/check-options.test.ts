import { McpServer } from '@modelcontextprotocol/server'
import { expect, it } from 'vitest'
import { createMinter } from '../../../tests/support/minter.ts'
import { verificationTool } from '../ai/index.ts'
import { createVerificationTool, guardOutput } from '../index.ts'
import { pinLog } from '../log/pin/index.ts'
import { registerVerificationTool } from '../mcp/index.ts'
import { createMtlsFetch, hashModel } from '../node/index.ts'
import { handleToolCall } from '../openai/index.ts'
import { requestSigner } from '../signer/index.ts'
import { workloadSigner } from '../signer/workload.ts'
import { createVerifier } from './index.ts'

const { issuer } = createMinter()
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
