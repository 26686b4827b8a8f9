import { leafHash, parseProof } from '@countersign/sdk/log'
import { expect, it } from 'vitest'
import { describeEachEngine } from '../support/databases.ts'
import { createWorld } from '../support/world.ts'

describeEachEngine('what the log says about a provider', (engine) => {
  it('is listed for its owner, newest first, with what waits to be logged', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    await world.provider('northwind')
    const model = await acme.registerModel({ display_name: 'Acme Chat', is_public: false })
    await world.registry.transparency.sequence()
    await acme.client.models.archive(model, { reason: 'Withdrawn.' })

    const { entries, next_cursor } = await acme.client.log.entries()
    expect(next_cursor).toBeNull()
    expect(entries.map(({ type, state, index }) => [type, state, index !== null])).toEqual([
      ['version.archived', 'being_logged', false],
      ['version.registered', 'logged_privately', true],
      ['domain.primary', 'logged', true],
      ['domain.proven', 'logged', true],
      ['provider.named', 'logged', true],
    ])
    const [archived, registered, , proven] = entries
    expect(archived?.says).toMatch(/^Archived “Acme Chat .*” \(mdl_/)
    expect(registered?.says).toContain('“Acme Chat”')
    expect(registered?.names).toContainEqual({ field: 'display_name', value: 'Acme Chat' })
    expect(proven?.says).toContain('proved acme.example with a DNS record')

    const paged = []
    for await (const entry of acme.client.log.entries({ limit: 2 })) paged.push(entry)
    expect(paged).toEqual(entries)
    world.clock.advance('61s')
    expect((await acme.client.log.entries({ limit: 1 })).entries[0]?.state).toBe('not_logged')
  })

  it('has a proof for each entry, with the entry that its leaf hash stands for', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    await acme.registerModel({ is_public: false })
    await world.registry.transparency.sequence()
    for (const { index, leaf_hash } of (await acme.client.log.entries()).entries) {
      const proof = parseProof(await (await fetch(`${world.address}/log/proof/${index}`)).text())
      expect(proof.index).toBe(index)
      expect(Buffer.from(leafHash(proof.extra ?? new Uint8Array())).toString('base64')).toBe(leaf_hash)
    }
    expect((await fetch(`${world.address}/log/proof/99`)).status).toBe(404)
    expect((await fetch(`${world.address}/log/proof/01`)).status).toBe(404)
  })
})
