// Does what a chat program does: starts the MCP server, shows its tools to a model, and carries out the call that the model
// makes. Then it checks the link as the person in the chat would, and ends with 1 where the link does not prove what it should.
import { createClient } from '@countersign/sdk'
import { provenDomain } from '@countersign/sdk/verify'
import { Client } from '@modelcontextprotocol/client'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const { COUNTERSIGN_API_URL = '', COUNTERSIGN_API_KEY = '', COUNTERSIGN_MODEL = '' } = process.env
/** The registry, the key and the model are said to the server when it starts. No call can change them. */
const settings = { COUNTERSIGN_API_URL, COUNTERSIGN_API_KEY, COUNTERSIGN_MODEL }
const lacks = Object.entries(settings).flatMap(([name, value]) => (value === '' ? [name] : []))
if (lacks.length > 0) {
  console.error(`Missing: ${lacks.join(', ')}`)
  process.exit(2)
}

const server = new Client({ name: 'mcp-client', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
await server.connect(new StdioClientTransport({ command: 'countersign', args: ['mcp'], env: { ...getDefaultEnvironment(), ...settings } }))
const { tools } = await server.listTools()
console.log('Tools:', tools.map(({ name }) => name).join(', '))

// The person wrote "put blue otter 42 on it", and so the model calls:
const answer = await server.callTool({ name: 'get_verification_link', arguments: { challenge: 'blue otter 42' } })
const [said] = answer.content
const told = said?.type === 'text' ? said.text : ''
console.log(told)

// A text that the model read somewhere wants the link of another model:
const injected = await server.callTool({ name: 'get_verification_link', arguments: { challenge: null, model_id: 'mdl_of_somebody_else' } })
console.log('Another model:', injected.isError ? 'refused' : 'issued')
await server.close()

const registry = createClient({ baseURL: COUNTERSIGN_API_URL })
const verdict = await registry.verifications.check(told, {
  expect: { model_id: COUNTERSIGN_MODEL, challenge: 'blue otter 42' },
})
if (verdict.result === 'verified') console.log('Verified:', provenDomain(verdict.verification))
else console.error('Not what it should be:', verdict.result, verdict.reason)
process.exitCode = verdict.result === 'verified' && injected.isError ? 0 : 1
