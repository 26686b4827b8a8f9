import { expect, it } from 'vitest'
import type { ProviderActor } from '../support/actors.ts'
import { ask, type Reply } from '../support/ask.ts'
import { describeEachEngine } from '../support/databases.ts'
import { isFull } from '../support/full.ts'
import { createWorld, type World } from '../support/world.ts'

const parallel = 64
const rounds = isFull ? { plain: 80, forced: 20, same: 5, bound: 10 } : { plain: 3, forced: 1, same: 2, bound: 3 }

/** On a busy machine, a request that waited too long for the others gets 503 and has changed nothing: clients send it again. */
const askUntilServed = async (url: string, request: Parameters<typeof ask>[1]): Promise<Reply> => {
  for (;;) {
    const reply = await ask(url, request)
    if (reply.status !== 503) return reply
  }
}

/** One world, two replicas of the registry on its database, and the same call sent to both concurrently. */
const createReplicas = async (engine: World['engine']) => {
  const world = await createWorld({ engine })
  const replica = await world.startReplica()
  const addresses = [world.address, replica.address]
  const race = (
    count: number,
    { apiKey }: Pick<ProviderActor, 'apiKey'>,
    path: string,
    bodyOf: (index: number) => unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply[]> =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        askUntilServed(`${addresses[index % 2]}/api/v1/${path}`, {
          method: 'POST',
          headers: { 'X-API-Key': apiKey, ...headers },
          body: bodyOf(index),
        }),
      ),
    )
  return { ...world, race }
}

const tally = (replies: readonly Reply[]) => {
  const counts: Record<string, number> = {}
  for (const { status, body } of replies) {
    const name = status < 300 ? 'done' : String(body.code)
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

const registration = (api_model_identifier: string, version: string, force_new_version: boolean) => ({
  display_name: 'Atlas',
  api_model_identifier,
  version,
  force_new_version,
  description: 'A model that many register at once.',
  endpoint: 'https://api.acme.example/v1',
})

const versionsOf = (world: World, identifier: string) =>
  world.database.read
    .selectFrom('models')
    .select(['id', 'version_number', 'is_latest', 'is_active', 'superseded_at', 'predecessor_id', 'successor_id'])
    .where('api_model_identifier', '=', identifier)
    .orderBy('version_number')
    .execute()

describeEachEngine('the table of versions', (engine) => {
  it('allows only one latest version per identifier, by constraint', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    await acme.registerModel({ api_model_identifier: 'tiny' })
    const copy = world.database.transaction(async (tx) => {
      const latest = await tx.selectFrom('models').selectAll().where('is_latest', '=', 1).executeTakeFirstOrThrow()
      await tx
        .insertInto('models')
        .values({ ...latest, id: `${latest.id}x`, version: '9.9', version_number: latest.version_number + 1 })
        .execute()
    })
    await expect(copy).rejects.toThrow(/unique/i)
    expect(await versionsOf(world, 'tiny')).toHaveLength(1)
  })
})

describeEachEngine('two replicas with concurrent requests', (engine) => {
  it(`register one version, not two, in ${rounds.plain} rounds of ${parallel}`, async () => {
    const world = await createReplicas(engine)
    const acme = await world.provider('acme', { isVerified: false })
    for (let round = 0; round < rounds.plain; round++) {
      const identifier = `atlas-${round}`
      const replies = await world.race(parallel, acme, 'models/register', () =>
        registration(identifier, '1.0.0', false),
      )
      expect(tally(replies)).toEqual({ done: 1, model_exists: parallel - 1 })
      expect(await versionsOf(world, identifier)).toMatchObject([
        { version_number: 1, is_latest: 1, superseded_at: null, predecessor_id: null, successor_id: null },
      ])
    }
  }, 120_000)

  it(`chain all forced versions, in ${rounds.forced} rounds of ${parallel}`, async () => {
    const world = await createReplicas(engine)
    const acme = await world.provider('acme', { isVerified: false })
    for (let round = 0; round < rounds.forced; round++) {
      const identifier = `atlas-${round}`
      const replies = await world.race(parallel, acme, 'models/register', (index) =>
        registration(identifier, `v${index}`, true),
      )
      expect(tally(replies)).toEqual({ done: parallel })
      const versions = await versionsOf(world, identifier)
      expect(versions.map(({ version_number }) => version_number)).toEqual(
        Array.from({ length: parallel }, (_, index) => index + 1),
      )
      expect(new Set(replies.map(({ body }) => body.model_id))).toEqual(new Set(versions.map(({ id }) => id)))
      for (const [index, version] of versions.entries()) {
        const isLast = index === versions.length - 1
        expect(version).toMatchObject({
          predecessor_id: versions[index - 1]?.id ?? null,
          successor_id: versions[index + 1]?.id ?? null,
          is_latest: isLast ? 1 : 0,
          is_active: isLast ? 1 : 0,
        })
        expect(version.superseded_at === null).toBe(isLast)
      }
    }
  }, 240_000)

  it('register the same forced version once', async () => {
    const world = await createReplicas(engine)
    const acme = await world.provider('acme', { isVerified: false })
    await acme.client.models.register(registration('atlas', '1.0.0', false))
    for (let round = 0; round < rounds.same; round++) {
      const replies = await world.race(16, acme, 'models/register', () => registration('atlas', `2.${round}`, true))
      expect(tally(replies)).toEqual({ done: 1, version_exists: 15 })
    }
    expect(await versionsOf(world, 'atlas')).toHaveLength(1 + rounds.same)
  }, 60_000)

  it('bind one answer of each kind, and keep every returned token valid', async () => {
    const world = await createReplicas(engine)
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel()
    for (let round = 0; round < rounds.bound; round++) {
      const { token, verification_url } = await acme.client.verifications.create({ model_id })
      const path = `jwt/${token}/bind-response`
      const [byProvider, byBearer] = await Promise.all([
        world.race(16, acme, path, (index) => ({ response_text: `provider ${index}` })),
        Promise.all(
          Array.from({ length: 16 }, (_, index) =>
            ask(`${world.address}/api/v1/${path}`, { method: 'POST', body: { response_text: `bearer ${index}` } }),
          ),
        ),
      ])
      for (const replies of [byProvider, byBearer]) expect(tally(replies)).toEqual({ done: 1, already_bound: 15 })
      const bound = byProvider.find(({ status }) => status < 300)?.body
      expect((await world.anyone.verifications.get(verification_url)).bound_answer).toMatchObject({
        bound_by: 'provider',
        response_hash: bound?.response_hash,
      })
      for (const { body } of [...byProvider, ...byBearer].filter(({ status }) => status < 300)) {
        expect((await world.anyone.verifications.get(String(body.bound_token))).result).toBe('verified')
      }
    }
  }, 60_000)

  it('run a request with one idempotency key once', async () => {
    const world = await createReplicas(engine)
    const acme = await world.provider('acme', { isVerified: false })
    for (let round = 0; round < rounds.same; round++) {
      const body = registration(`atlas-${round}`, '1.0.0', false)
      const replies = await world.race(16, acme, 'models/register', () => body, { 'Idempotency-Key': `key-${round}` })
      const { done = 0, idempotency_in_flight = 0 } = tally(replies)
      expect(done + idempotency_in_flight).toBe(16)
      expect(new Set(replies.filter(({ status }) => status < 300).map(({ text }) => text)).size).toBe(1)
      expect(await versionsOf(world, `atlas-${round}`)).toHaveLength(1)
    }
  }, 60_000)

  it('count an opening, and an authorization, once', async () => {
    const world = await createReplicas(engine)
    const acme = await world.provider('acme', { isVerified: false })
    const model_id = await acme.registerModel()
    const { deployment_id } = await acme.registerDeployment()
    const allowed = await world.race(16, acme, `models/${model_id}/allow-deployment`, () => ({ deployment_id }))
    expect(tally(allowed)).toEqual({ done: 1, already_authorized: 15 })
    const { token } = await acme.client.verifications.create({ model_id })
    const opened = await Promise.all(
      Array.from({ length: 16 }, () =>
        ask(`${world.address}/api/v1/verify/${token}/opened`, { method: 'POST', body: {} }),
      ),
    )
    expect(opened.filter(({ body }) => body.counted === true)).toHaveLength(1)
    const [row] = await world.database.read.selectFrom('providers').select('opened_count').execute()
    expect(row?.opened_count).toBe(1)
  }, 60_000)

  it('give a domain that several prove to one of them', async () => {
    const world = await createReplicas(engine)
    const names = ['one', 'two', 'three', 'four']
    const providers = await Promise.all(
      names.map((name) => world.provider(name, { isVerified: false, website: 'https://acme.example' })),
    )
    const [first] = providers
    world.dns.setTxt(
      first?.proof.record_name ?? '',
      providers.map(({ proof }) => proof.record_value),
    )
    const replies = (
      await Promise.all(providers.map((provider) => world.race(4, provider, 'providers/me/verify-domain', () => ({}))))
    ).flat()
    const { done = 0, domain_taken = 0 } = tally(replies)
    expect({
      total: done + domain_taken,
      winners: new Set(
        replies.filter(({ status }) => status < 300).map(({ body }) => JSON.stringify(body.domain_proof)),
      ).size,
    }).toEqual({ total: 16, winners: 1 })
    const verified = await world.database.read
      .selectFrom('providers')
      .select('id')
      .where('domain_verified_at', 'is not', null)
      .execute()
    expect(verified).toHaveLength(1)
  }, 60_000)
})
