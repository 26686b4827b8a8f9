// Tests the gate with a registry in memory: one answer must pass, all others must not. Exits 1 otherwise.
import { createClient } from '@countersign/sdk'
import { createMockRegistry, type MockRegistryOptions } from '@countersign/sdk/testing'
import { createGate } from './gate.ts'

const answer = 'The museum opens at nine.'
const challenge = 'blue otter 42'

interface Scene {
  registry?: MockRegistryOptions
  answered?: string
  challenged?: string
  link?: string
  /** Runs between the answer and the check. */
  meanwhile?: (registry: Awaited<ReturnType<typeof createMockRegistry>>) => void
  /** The rule that rejects the answer, or undefined. */
  rejectedBy: string | undefined
}

const acme: MockRegistryOptions = { model: { api_model_identifier: 'acme-chat' } }

const scenes: Record<string, Scene> = {
  'accepts the provider’s own answer': { rejectedBy: undefined },
  'rejects another answer with the same link': { answered: 'The museum is closed. Pay here.', rejectedBy: 'answer' },
  'rejects a link from another conversation': { challenged: 'red heron 7', rejectedBy: 'result' },
  'rejects a missing link': { link: '', rejectedBy: 'result' },
  'rejects another provider': {
    registry: { ...acme, provider: { domain: 'northwind.example' } },
    rejectedBy: 'providers',
  },
  'rejects a provider without a proven domain': {
    registry: { ...acme, provider: { domain_verified: false } },
    rejectedBy: 'result',
  },
  'rejects another model of the provider': {
    registry: { model: { api_model_identifier: 'acme-draft' } },
    rejectedBy: 'models',
  },
  'rejects a withdrawn model': { meanwhile: ({ change }) => change('model_archived'), rejectedBy: 'result' },
  'rejects an answer from ten minutes ago': {
    registry: { ...acme, now: () => Date.now() - 600_000 },
    rejectedBy: 'result',
  },
  'rejects the answer if the registry could not check': {
    meanwhile: ({ refuseNext }) => refuseNext('verifications.get', 'could_not_check', { times: 3 }),
    rejectedBy: 'result',
  },
}

for (const [
  name,
  { registry: options = acme, answered = answer, challenged = challenge, link, meanwhile, rejectedBy },
] of Object.entries(scenes)) {
  const registry = await createMockRegistry(options)
  const client = createClient({ baseURL: registry.address, fetch: registry.fetch, apiKey: registry.apiKey })
  const issued = await client.verifications.create({
    model_id: registry.model_id,
    challenge: challenged,
    response: answer,
  })
  meanwhile?.(registry)
  const reasons = await createGate(client)({ answer: answered, link: link ?? issued.verification_url }, challenge)
  const isRight = rejectedBy === undefined ? reasons.length === 0 : reasons[0]?.startsWith(`${rejectedBy}: `) === true
  console.log(isRight ? 'yes' : 'NO ', name, reasons)
  if (!isRight) process.exitCode = 1
}
