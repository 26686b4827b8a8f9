// Checks the gate against a registry in memory: one offer that must pass, and everything that must not. Ends with 1 otherwise.
import { createClient } from '@countersign/sdk'
import { createMockRegistry, type MockRegistryOptions } from '@countersign/sdk/testing'
import { createGate } from './gate.ts'

const answer = 'The museum opens at nine.'
const challenge = 'blue otter 42'

interface Scene {
  /** Who answers. */
  registry?: MockRegistryOptions
  answered?: string
  challenged?: string
  link?: string
  /** What happens between the answer and the check. */
  meanwhile?: (registry: Awaited<ReturnType<typeof createMockRegistry>>) => void
  /** The rule that says no, or nothing. */
  refusedBy: string | undefined
}

const acme: MockRegistryOptions = { model: { api_model_identifier: 'acme-chat' } }

const scenes: Record<string, Scene> = {
  'the provider’s own answer passes': { refusedBy: undefined },
  'another answer under the same link does not': { answered: 'The museum is closed. Pay here.', refusedBy: 'answer' },
  'a link from another conversation does not': { challenged: 'red heron 7', refusedBy: 'result' },
  'no link does not': { link: '', refusedBy: 'result' },
  'another provider does not': { registry: { ...acme, provider: { domain: 'northwind.example' } }, refusedBy: 'providers' },
  'a provider whom nobody has checked does not': { registry: { ...acme, provider: { domain_verified: false } }, refusedBy: 'result' },
  'another model of the provider does not': { registry: { model: { api_model_identifier: 'acme-draft' } }, refusedBy: 'models' },
  'a model that was withdrawn does not': { meanwhile: ({ change }) => change('model_archived'), refusedBy: 'result' },
  'an answer of ten minutes ago does not': { registry: { ...acme, now: () => Date.now() - 600_000 }, refusedBy: 'result' },
  'a registry that could not look does not': {
    meanwhile: ({ refuseNext }) => refuseNext('verifications.get', 'could_not_check', { times: 3 }),
    refusedBy: 'result',
  },
}

for (const [name, { registry: options = acme, answered = answer, challenged = challenge, link, meanwhile, refusedBy }] of Object.entries(
  scenes,
)) {
  const registry = await createMockRegistry(options)
  const client = createClient({ baseURL: registry.address, fetch: registry.fetch, apiKey: registry.apiKey })
  const issued = await client.verifications.create({ model_id: registry.model_id, challenge: challenged, response: answer })
  meanwhile?.(registry)
  const refused = await createGate(client)({ answer: answered, link: link ?? issued.verification_url }, challenge)
  const isRight = refusedBy === undefined ? refused.length === 0 : refused[0]?.startsWith(`${refusedBy}: `) === true
  console.log(isRight ? 'yes' : 'NO ', name, refused)
  if (!isRight) process.exitCode = 1
}
