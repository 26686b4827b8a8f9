import { type ApiError, type Countersign, createClient } from '@countersign/sdk'
import type { Check } from '@countersign/sdk/contract'
import { createMockRegistry } from '@countersign/sdk/testing'
import { expect, it } from 'vitest'
import { createWorld } from '../support/world.ts'

interface Side {
  client: Countersign
  stranger: Countersign
  model_id: string
  link: string
  token: string
}

type Ask = (side: Side) => PromiseLike<unknown>

const asks: Record<string, Ask> = {
  'minting for an unknown model': ({ client }) =>
    client.verifications.create({ model_id: 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm' }),
  'minting for no id': ({ client }) => client.verifications.create({ model_id: 'tiny' }),
  'minting with a bad challenge and an unknown field': ({ client, model_id }) =>
    client.verifications.create({ model_id, challenge: '<b>', colour: 'red' } as never),
  'minting without a key': ({ stranger, model_id }) => stranger.verifications.create({ model_id }),
  minting: ({ client, model_id }) => client.verifications.create({ model_id, origin: 'https://chat.acme.example' }),
  'minting with an answer': ({ client, model_id }) => client.verifications.create({ model_id, response: 'hello' }),
  'a good link': ({ stranger, link }) => stranger.verifications.get(link),
  'its token': ({ stranger, token }) => stranger.verifications.get(token),
  'an unknown code': ({ stranger }) => stranger.verifications.get('W904-2CKW-GDNC-X7S1'),
  'a mistyped code': ({ stranger }) => stranger.verifications.get('W904-2CKW-GDNC-X7S2'),
  'no code': ({ stranger }) => stranger.verifications.get('hello'),
  'a link of another registry': ({ stranger }) =>
    stranger.verifications.get('https://evil.example/v/W904-2CKW-GDNC-X7S1'),
  'the keys': ({ stranger }) => stranger.signing.jwks(),
  'a page that is not there': ({ stranger }) => stranger.models.get('mine'),
}

/** The observable part of an answer, without values that differ each time. */
const tellOf = async (ask: Ask, side: Side) => {
  const { status, body } = await Promise.resolve(ask(side)).then(
    (answer) => ({ status: 200, body: answer as Record<string, unknown> }),
    (error: ApiError) => ({
      status: error.status,
      body: { ...error.problem, issues: 'issues' in error && error.issues },
    }),
  )
  const { code, result, reason, change, issues, checks } = body as Record<string, unknown>
  const shown = Object.fromEntries(((checks ?? []) as Check[]).map(({ check, passed }) => [check, passed]))
  return { status, code, result, reason, change, issues, shown, fields: Object.keys(body).sort() }
}

it('the mock registry answers like the registry in everything it implements', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const mock = await createMockRegistry({ now: world.clock.now })
  const ofMock = { baseURL: mock.address, fetch: mock.fetch, maxRetries: 0 }
  const sideOf = async (client: Countersign, stranger: Countersign, model_id: string): Promise<Side> => {
    const { verification_url: link, token } = await client.verifications.create({ model_id, challenge: 'blue heron' })
    return { client, stranger, model_id, link, token }
  }
  const real = await sideOf(acme.client, world.anyone, await acme.registerModel({ model_digest: undefined }))
  const mocked = await sideOf(createClient({ ...ofMock, apiKey: mock.apiKey }), createClient(ofMock), mock.model_id)
  const expectSame = async (name: string, ask: Ask) =>
    expect({ name, ...(await tellOf(ask, mocked)) }).toEqual({ name, ...(await tellOf(ask, real)) })
  for (const [name, ask] of Object.entries(asks)) await expectSame(name, ask)

  const look: Ask = ({ stranger, link }) => stranger.verifications.get(link)
  await acme.client.models.archive(real.model_id, { reason: 'Replaced' })
  mock.change('model_archived')
  await expectSame('a withdrawn model', look)
  world.clock.advance('15m')
  await expectSame('a withdrawn model, too late', look)
  await acme.client.providers.deactivate(acme.id, {})
  mock.change('provider_deactivated')
  await expectSame('a provider that left', look)
})
