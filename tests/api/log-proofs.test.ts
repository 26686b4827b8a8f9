import { createPublicKey, verify } from 'node:crypto'
import type { LogProofs, VerificationResult } from '@countersign/sdk/contract'
import { type LogPolicy, leafHash, parseProof, parseVkey, verifyProof } from '@countersign/sdk/log'
import { isDisclosed, parseEntry } from '@countersign/sdk/log/entries'
import { expect, it } from 'vitest'
import { describeOnSqlite } from '../support/databases.ts'
import { createWorld, type World } from '../support/world.ts'

const policyOf = async (world: World): Promise<LogPolicy> => {
  const { vkeys = [] } = (await world.registry.transparency.describe()) ?? {}
  return {
    logs: vkeys.map((key) => ({ key: parseVkey(key) })),
    witnesses: new Map(),
    groups: new Map(),
    quorum: 'none',
  }
}

/** Every proof, checked as a client does that trusts only the log’s key. */
const check = async ({ facts }: LogProofs, policy: LogPolicy) => {
  for (const { entry, proof, disclosures, index } of facts) {
    const leaf = Buffer.from(entry ?? '')
    expect(await verifyProof(parseProof(proof ?? ''), leafHash(leaf), policy)).toMatchObject({ isWitnessed: true })
    expect(parseProof(proof ?? '').index).toBe(index)
    // A private entry is disclosed first; the other texts are those of the entry that it stands for.
    let shown = leaf
    for (const { field, salt, value } of disclosures) {
      expect(isDisclosed(parseEntry(shown), { field, salt: Buffer.from(salt, 'base64url'), value })).toBe(true)
      if (field === 'private') shown = Buffer.from(value)
    }
  }
}

const namesOf = ({ facts }: LogProofs) => facts.map(({ fact, type }) => [fact, type])

/** A link that names the server of its model. */
const createNamedLink = async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const model = await acme.registerModel()
  const { deployment_id, spki_fingerprint } = await acme.registerDeployment([model])
  const { verification_id, verification_url } = await acme.client.verifications.create(
    { model_id: model },
    { headers: { 'X-Client-Cert-Fingerprint': spki_fingerprint } },
  )
  return { world, acme, model, deployment_id, spki_fingerprint, verification_id, verification_url }
}

type Named = Awaited<ReturnType<typeof createNamedLink>>

describeOnSqlite('the proofs of a link', () => {
  it('cover each fact that its verdict rests on, with a signed statement', async () => {
    const { world, acme, model, deployment_id, verification_id, verification_url } = await createNamedLink()
    expect(await world.anyone.log.proofs(verification_url)).toMatchObject({ state: 'being_logged' })

    await world.registry.transparency.sequence()
    const proofs = await world.anyone.log.proofs(verification_url)
    expect(proofs.state).toBe('logged')
    expect(namesOf(proofs)).toEqual([
      ['domain acme.example', 'domain.proven'],
      ['version', 'version.registered'],
      [`authorization ${model}`, 'deployment.authorized'],
      ['key', 'registry_key.added'],
    ])
    expect(proofs.facts.map(({ subject }) => subject).slice(0, 3)).toEqual([acme.id, model, deployment_id])
    await check(proofs, await policyOf(world))

    const [head = '', body = '', signature = ''] = proofs.statement?.split('.') ?? []
    const { kid, typ } = JSON.parse(Buffer.from(head, 'base64url').toString())
    const jwk = (await world.anyone.signing.jwks()).keys.find((key) => key.kid === kid)
    const key = createPublicKey({ key: { ...jwk }, format: 'jwk' })
    expect(verify(null, Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'))).toBe(true)
    expect(typ).toBe('verdict+jwt')
    expect(JSON.parse(Buffer.from(body, 'base64url').toString())).toMatchObject({
      iss: world.publicUrl,
      jti: verification_id,
      result: 'verified',
      binding: null,
      facts: proofs.facts.map(({ index }) => ({ index })),
    })
  })

  it('end with the fact that ended the link', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const model = await acme.registerModel()
    const { verification_url } = await acme.client.verifications.create({ model_id: model })
    await acme.client.models.archive(model, { reason: 'Withdrawn.' })
    await world.registry.transparency.sequence()
    const archived = await world.anyone.log.proofs(verification_url)
    expect(namesOf(archived)).toContainEqual(['archived', 'version.archived'])
    await acme.client.providers.deactivate(acme.id, {})
    await world.registry.transparency.sequence()
    expect(namesOf(await world.anyone.log.proofs(verification_url))).toEqual([
      ['provider', 'provider.deactivated'],
      ['key', 'registry_key.added'],
    ])
  })

  it('say so if a fact was never logged, or has waited for a minute', async () => {
    const world = await createWorld()
    const unproven = await world.provider('northwind', { isVerified: false })
    const model = await unproven.registerModel()
    const { verification_url } = await unproven.client.verifications.create({ model_id: model })
    await world.registry.transparency.sequence()
    expect((await world.anyone.log.proofs(verification_url)).state).toBe('not_logged')

    const acme = await world.provider('acme')
    const link = await acme.client.verifications.create({ model_id: await acme.registerModel() })
    world.clock.advance('61s')
    expect((await world.anyone.log.proofs(link.verification_url)).state).toBe('not_logged')
  })

  it('show only that a private version is logged, except to its provider', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const model = await acme.registerModel({ is_public: false })
    const { verification_url } = await acme.client.verifications.create({ model_id: model })
    await world.registry.transparency.sequence()
    const proofs = await world.anyone.log.proofs(verification_url)
    expect(proofs.state).toBe('logged_privately')
    expect(proofs.facts.find(({ fact }) => fact === 'version')).toMatchObject({
      // The time would give the entry away.
      at: null,
      index: null,
      entry: null,
      proof: null,
      disclosures: [],
    })

    expect((await world.anyone.log.proofs(model)).facts).toEqual([])
    const own = await acme.client.log.proofs(model)
    expect(own.state).toBe('logged_privately')
    await check(own, await policyOf(world))
  })
})

describeOnSqlite('the log in the answer about a link', () => {
  const checkOf = ({ result, log, checks }: VerificationResult) => {
    const { passed, detail } = checks.find(({ check }) => check === 'log') ?? {}
    return { result, state: log.state, passed, detail }
  }

  it('is logged once every fact is, and never decides the result', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const { verification_url } = await acme.client.verifications.create({ model_id: await acme.registerModel() })
    const read = async () => checkOf(await world.anyone.verifications.get(verification_url))
    expect(await read()).toMatchObject({ result: 'verified', state: 'being_logged', passed: null })
    world.clock.advance('61s')
    expect(await read()).toEqual({
      result: 'verified',
      state: 'not_logged',
      passed: null,
      detail: 'A fact behind this link is not in the public log.',
    })
    await world.registry.transparency.sequence()
    expect(await read()).toEqual({
      result: 'verified',
      state: 'logged',
      passed: true,
      detail: 'Every fact behind this link is in the public log, seen by no one else.',
    })
  })

  it.each([
    {
      what: 'the domain',
      end: async ({ world, acme }: Named) => {
        world.dns.setTxt(acme.proof.record_name, [])
        await acme.client.providers.verifyDomain({}).catch(() => undefined)
      },
      begin: async ({ acme }: Named) => {
        acme.publishProof()
        await acme.client.providers.verifyDomain({})
      },
    },
    {
      what: 'the authorization',
      end: ({ acme, model, deployment_id }: Named) => acme.client.models.revokeDeployment(model, deployment_id),
      begin: ({ acme, model, deployment_id }: Named) => acme.client.models.allowDeployment(model, { deployment_id }),
    },
  ])(
    'is not logged yet once $what ended and began again, even for a check within 30 seconds',
    async ({ end, begin }) => {
      const named = await createNamedLink()
      const { world, verification_url } = named
      const read = async () => checkOf(await world.anyone.verifications.get(verification_url))
      await world.registry.transparency.sequence()
      expect(await read()).toMatchObject({ result: 'verified', state: 'logged', passed: true })
      await end(named)
      await world.registry.transparency.sequence()
      world.clock.advance('1s')
      await begin(named)
      expect(await read()).toMatchObject({ result: 'verified', state: 'being_logged', passed: null })
      await world.registry.transparency.sequence()
      expect(await read()).toMatchObject({ result: 'verified', state: 'logged', passed: true })
    },
  )

  it('is not logged if the log says that one of them ended, although the database says that it holds', async () => {
    const { world, acme, model, deployment_id, verification_url } = await createNamedLink()
    const { database, clock, anyone } = world
    const { transparency, signing } = world.registry
    const { kid } = await database.read.selectFrom('verifications').select('kid').executeTakeFirstOrThrow()
    const read = async () => {
      // Facts that were all logged are kept for 30 seconds.
      clock.advance('31s')
      return checkOf(await anyone.verifications.get(verification_url))
    }
    const [row, version, server, approval] = await Promise.all([
      database.read.selectFrom('providers').selectAll().where('id', '=', acme.id).executeTakeFirstOrThrow(),
      database.read.selectFrom('models').selectAll().where('id', '=', model).executeTakeFirstOrThrow(),
      database.read.selectFrom('deployments').selectAll().where('id', '=', deployment_id).executeTakeFirstOrThrow(),
      database.read.selectFrom('authorizations').selectAll().executeTakeFirstOrThrow(),
    ])
    /** The rows as they were, without the log. */
    const restore = () =>
      database.transaction(async (tx) => {
        await tx.updateTable('providers').set(row).where('id', '=', acme.id).execute()
        await tx.updateTable('models').set(version).where('id', '=', model).execute()
        await tx.updateTable('deployments').set(server).where('id', '=', deployment_id).execute()
        await tx
          .insertInto('authorizations')
          .values(approval)
          .onConflict((each) => each.doNothing())
          .execute()
        const key = { state: 'retired', compromised_at: null } as const
        await tx.updateTable('signing_keys').set(key).where('state', '=', 'compromised').execute()
      })
    const { deployments, models, providers } = acme.client
    const ends = [
      {
        fact: 'deployment',
        type: 'deployment.disabled',
        end: () => deployments.setStatus(deployment_id, { status: 'disabled' }),
        undo: () => deployments.setStatus(deployment_id, { status: 'enabled' }),
      },
      {
        fact: 'archived',
        type: 'version.archived',
        end: () => models.archive(model, { reason: 'Withdrawn.' }),
        undo: () => models.unarchive(model),
      },
      {
        fact: `authorization ${model}`,
        type: 'deployment.revoked',
        end: () => models.revokeDeployment(model, deployment_id),
        undo: () => models.allowDeployment(model, { deployment_id }),
      },
      {
        fact: 'provider',
        type: 'provider.deactivated',
        end: () => providers.deactivate(acme.id, {}),
        undo: () => providers.reactivate(acme.id, {}),
      },
      { fact: 'key', type: 'registry_key.compromised', end: () => signing.compromise(kid), undo: undefined },
    ]
    await transparency.sequence()
    for (const { fact, type, end, undo } of ends) {
      expect(await read(), type).toMatchObject({ result: 'verified', state: 'logged', passed: true })
      await end()
      await transparency.sequence()
      await restore()
      expect(await read(), type).toMatchObject({ result: 'verified', state: 'not_logged', passed: null })
      const { state, facts } = await anyone.log.proofs(verification_url)
      expect(state, type).toBe('not_logged')
      const denied = facts.filter((each) => each.state === 'not_logged')
      expect(denied, type).toMatchObject([{ fact, type, index: expect.any(Number), proof: expect.any(String) }])
      if (!undo) continue
      await end()
      await undo()
      await transparency.sequence()
    }
  })

  it('has the same states and positions as the proofs', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const model = await acme.registerModel()
    const { spki_fingerprint } = await acme.registerDeployment([model])
    const { verification_url } = await acme.client.verifications.create(
      { model_id: model },
      { headers: { 'X-Client-Cert-Fingerprint': spki_fingerprint } },
    )
    await world.registry.transparency.sequence()
    const { facts } = await world.anyone.log.proofs(verification_url)
    const { log } = await world.anyone.verifications.get(verification_url)
    expect(log).toMatchObject({ is_witnessed: false, facts: facts.map(({ fact, index }) => ({ fact, index })) })
    expect(log.size).toBeGreaterThan(Math.max(...facts.map(({ index }) => index ?? 0)))
    await acme.client.models.archive(model, { reason: 'Withdrawn.' })
    const archived = await world.anyone.verifications.inspect(verification_url)
    expect(archived.checks).toContainEqual(expect.objectContaining({ check: 'log', passed: null }))
  })

  it('hides which private entry is meant', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const model = await acme.registerModel({ is_public: false })
    const { verification_url } = await acme.client.verifications.create({ model_id: model })
    await world.registry.transparency.sequence()
    const answer = await world.anyone.verifications.get(verification_url)
    expect(checkOf(answer)).toMatchObject({ result: 'verified', state: 'logged_privately', passed: null })
    expect(answer.log.facts).toContainEqual({ fact: 'version', index: null })
  })
})

describeOnSqlite('the proofs of a provider', () => {
  it('are limited to a hundred in one answer, which has the positions of all entries', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    await world.registry.transparency.sequence()
    await world.database.transaction(async (tx) => {
      const row = await tx
        .selectFrom('log_facts')
        .selectAll()
        .where('provider_id', '=', acme.id)
        .where('fact', '=', 'name')
        .executeTakeFirstOrThrow()
      const more = Array.from({ length: 3_000 }, (_, index) => ({ ...row, fact: `domain d${index}.example` }))
      for (let start = 0; start < more.length; start += 500)
        await tx
          .insertInto('log_facts')
          .values(more.slice(start, start + 500))
          .execute()
    })
    const { facts } = await world.anyone.log.proofs(acme.id)
    expect(facts.length).toBeGreaterThan(3_000)
    expect(facts.filter(({ proof }) => proof !== null)).toHaveLength(100)
    expect(facts.filter(({ index }) => index === null)).toEqual([])
  })

  it('are its last entries; an unknown one has none', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    await world.registry.transparency.sequence()
    const proofs = await world.anyone.log.proofs(acme.id)
    expect(namesOf(proofs).sort()).toEqual([
      ['domain acme.example', 'domain.proven'],
      ['name', 'provider.named'],
      ['primary', 'domain.primary'],
    ])
    await check(proofs, await policyOf(world))
    expect(await world.anyone.log.proofs(`prv_${'0'.repeat(26)}`)).toMatchObject({ state: 'not_logged', facts: [] })
  })
})
