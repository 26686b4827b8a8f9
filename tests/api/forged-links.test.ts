import { expect, it } from 'vitest'
import { ask } from '../support/ask.ts'
import { createWorld } from '../support/world.ts'

it('shows no claim of a token with an invalid signature, and passes none of its checks', async () => {
  const world = await createWorld()
  const alice = await world.provider('alice')
  const { token } = await alice.client.verifications.create({ model_id: await alice.registerModel() })
  const other = await alice.client.verifications.create({ model_id: await alice.registerModel() })
  const [header, , signature] = token.split('.')
  const claims = Buffer.from(other.token.split('.')[1] ?? '', 'base64url')
    .toString()
    .replace('alice.example', 'openai.example')
  const forged = `${header}.${Buffer.from(claims).toString('base64url')}.${signature}`

  for (const path of ['/api/v1/verify/', '/api/v1/jwt/verify/', '/v/']) {
    const { text } = await ask(world.address + path + forged, { method: 'GET' })
    expect(text, path).not.toMatch(/openai\.example|"passed":true|<strong>Passed/)
    expect(text, path).not.toContain(other.verification_id)
  }
  const verdict = await world.anyone.verifications.check(forged)
  expect(verdict).toMatchObject({
    result: 'not_verified',
    reason: 'bad_signature',
    outcome: 'forged',
    claims: null,
    verification: null,
  })
  expect(verdict.checks.filter(({ passed }) => passed !== null)).toMatchObject([{ check: 'signature', passed: false }])
})
