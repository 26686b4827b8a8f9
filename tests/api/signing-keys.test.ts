import { limits } from '@countersign/sdk/contract'
import { createVerifier } from '@countersign/sdk/verify'
import { expect, it } from 'vitest'
import { describeOnSqlite } from '../support/databases.ts'
import { createWorld } from '../support/world.ts'

const scene = async (engine: 'sqlite' | 'postgres') => {
  const world = await createWorld({ engine })
  const acme = await world.provider('acme')
  const { signing } = world.registry
  const jwks = () => world.anyone.signing.jwks()
  const publishedKids = async () => (await jwks()).keys.map(({ kid }) => kid)
  const kidIn = async (state: 'active' | 'next') => (await signing.list()).find((key) => key.state === state)?.kid ?? ''
  return { world, acme, signing, jwks, publishedKids, kidIn }
}

describeOnSqlite('the published keys', (engine) => {
  it('keep a retired key until its last token has left every cache', async () => {
    const { world, acme, signing, jwks, publishedKids, kidIn } = await scene(engine)
    const retired = await kidIn('active')
    const { token } = await acme.client.verifications.create({ model_id: await acme.registerModel() })
    await signing.rotate({ force: true })
    expect(await kidIn('active')).not.toBe(retired)

    world.clock.advance(`${limits.tokenLifetimeSeconds - 1}s`)
    expect(await publishedKids()).toContain(retired)
    const verifier = createVerifier({ issuer: world.publicUrl, jwks: await jwks(), now: world.clock.now })
    expect(await verifier.verify(token)).toMatchObject({ result: 'verified' })

    // A cache may have read them at the last moment, and keeps them for five minutes.
    world.clock.advance('6m')
    expect(await publishedKids()).toContain(retired)
    world.clock.advance('1m')
    expect(await publishedKids()).not.toContain(retired)
  })

  it.each(['active', 'next', 'retired'] as const)('lose a compromised key at once: %s', async (state) => {
    const { signing, publishedKids, kidIn } = await scene(engine)
    const kid = await kidIn(state === 'next' ? 'next' : 'active')
    if (state === 'retired') await signing.rotate({ force: true })
    expect(await publishedKids()).toContain(kid)
    await signing.compromise(kid)
    expect(await publishedKids()).not.toContain(kid)
    expect(await publishedKids()).toHaveLength(2)
  })
})
