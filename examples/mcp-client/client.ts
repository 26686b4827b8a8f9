// Works like a chat program: starts the MCP server, lists its tools for the model, and makes the call that the model
// requests. Then it checks the link as a visitor would, and exits 1 if the link does not prove what it should.
import { createClient } from '@countersign/sdk'
import { provenDomain } from '@countersign/sdk/verify'
import { Client } from '@modelcontextprotocol/client'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const { COUNTERSIGN_API_URL = '', COUNTERSIGN_API_KEY = '', COUNTERSIGN_MODEL = '' } = process.env
/** The server gets the registry, the key and the model when it starts. No call can change them. */
const settings = { COUNTERSIGN_API_URL, COUNTERSIGN_API_KEY, COUNTERSIGN_MODEL }
const missing = Object.entries(settings).flatMap(([name, value]) => (value === '' ? [name] : []))
if (missing.length > 0) {
  console.error(`Missing: ${missing.join(', ')}`)
  process.exit(2)
}

const server = new Client({ name: 'mcp-client', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
await server.connect(
  new StdioClientTransport({ command: 'countersign', args: ['mcp'], env: { ...getDefaultEnvironment(), ...settings } }),
)
const { tools } = await server.listTools()
console.log('Tools:', tools.map(({ name }) => name).join(', '))

// The visitor wrote "put blue otter 42 on it", so the model calls:
const answer = await server.callTool({ name: 'get_verification_link', arguments: { challenge: 'blue otter 42' } })
const [content] = answer.content
const text = content?.type === 'text' ? content.text : ''
console.log(text)

// An injected prompt asks for a link of another model:
const injected = await server.callTool({
  name: 'get_verification_link',
  arguments: { challenge: null, model_id: 'mdl_of_someone_else' },
})
console.log('Another model:', injected.isError ? 'rejected' : 'issued')
await server.close()

const registry = createClient({ baseURL: COUNTERSIGN_API_URL })
const verdict = await registry.verifications.check(text, {
  expect: { model_id: COUNTERSIGN_MODEL, challenge: 'blue otter 42' },
})
if (verdict.result === 'verified') console.log('Verified:', provenDomain(verdict.verification))
else console.error('Unexpected result:', verdict.result, verdict.reason)
process.exitCode = verdict.result === 'verified' && injected.isError ? 0 : 1
