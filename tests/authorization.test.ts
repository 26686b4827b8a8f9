import { randomUUID } from 'node:crypto'
import { type Endpoint, type ErrorCode, refusalsOf } from '@countersign/sdk/contract'
import { expect, it } from 'vitest'
import type { ProviderActor } from './support/actors.ts'
import { comparable } from './support/ask.ts'
import { describeOnSqlite } from './support/databases.ts'
import { isFull, sampled } from './support/full.ts'
import { call, createTargets, type EndpointName, leaksIn, rows, type Target } from './support/tour.ts'
import { createWorld, type World } from './support/world.ts'

/*
 * The access matrix for every endpoint of the contract: its kind determines its answers, and every endpoint has exactly one kind. What an
 * endpoint does for its owner is in tests/every-endpoint.test.ts; here are the states in which it does so.
 */

const kinds = ['account', 'path of a provider', 'own object', 'public object', 'link', 'open'] as const
type Kind = (typeof kinds)[number]

const kindOf = ({ caller, path }: Endpoint): Kind => {
  if (caller === 'provider') {
    // Factors belong to a person: keys are rejected first, for any ID.
    if (path.startsWith('/api/v1/me/factors')) return 'account'
    if (path.startsWith('/api/v1/providers/:id')) return 'path of a provider'
    return path.includes('/:') ? 'own object' : 'account'
  }
  if (path.includes('/:token')) return 'link'
  // The log answers for every subject: unknown ones are reported as not logged.
  if (path.startsWith('/api/v1/log/')) return 'open'
  return path.includes('/:') ? 'public object' : 'open'
}

/** States of the model or provider that an endpoint is about. */
const states = ['public', 'private', 'archived', 'superseded', 'missing', 'malformed'] as const
type State = (typeof states)[number]

/** Invalid credentials. */
const uselessCredentials = [
  'nothing',
  'revoked key',
  'revoked session',
  'expired session',
  'malformed key',
  'token of a link',
] as const
/** The last is valid for a few endpoints: those that reactivate or delete a provider. */
const othersCredentials = ['key of another', 'session of another', 'key of a deactivated provider'] as const
type Credential = (typeof uselessCredentials)[number] | (typeof othersCredentials)[number]

const isUseless = (row: Endpoint, credential: Credential) =>
  credential === 'key of a deactivated provider'
    ? !row.whileDeactivated
    : (uselessCredentials as readonly string[]).includes(credential)

/** The owner of a deactivated provider's key learns the reason. */
const refusalOf = (credential: Credential) => (credential === 'key of a deactivated provider' ? 403 : 401)

/** The expected answer for a kind of endpoint, a credential that is not the owner's, and a state. */
const declared = (row: Endpoint, credential: Credential, state: State): number | 'anything declared' => {
  const kind = kindOf(row)
  if (row.caller === 'provider') {
    if (isUseless(row, credential)) return refusalOf(credential)
    if (kind === 'account') return 'anything declared'
    if (kind === 'own object' || state === 'malformed') return 404
    return 403
  }
  // Invalid credentials are ignored on reads and rejected on writes.
  if (row.caller === 'optional' && row.method !== 'GET' && isUseless(row, credential) && credential !== 'nothing')
    return refusalOf(credential)
  if (kind !== 'public object') return 'anything declared'
  return state === 'private' || state === 'missing' || state === 'malformed' ? 404 : 200
}

/** Exceptions: states in which an endpoint does not work for its owner, or answers otherwise than `not_found` for a missing entity. */
const refusedToOwner: Partial<Record<EndpointName, Partial<Record<State, ErrorCode>>>> = {
  'models.unarchive': { public: 'not_archived', private: 'not_archived', superseded: 'not_archived' },
  'models.quickEdit': { archived: 'model_archived', superseded: 'quick_edit_closed' },
  'models.setVisibility': { archived: 'model_archived' },
  'models.allowDeployment': { archived: 'model_archived' },
}

const declaredForOwner = (name: EndpointName, row: Endpoint, state: State): number | ErrorCode => {
  const refused = refusedToOwner[name]?.[state]
  if (refused) return refused
  if (state === 'missing' && kindOf(row) === 'path of a provider') return 'forbidden'
  return state === 'missing' || state === 'malformed' ? 'not_found' : (row.status ?? 200)
}

/** An otherwise untouched model, with a deployment for endpoints that remove one. */
const modelIn = async (owner: ProviderActor, state: State, { ids: [, deployment_id] }: Target) => {
  const api_model_identifier = `fresh-${randomUUID()}`
  const sigstore_bundle_url = 'https://files.acme.example/model.sigstore.json'
  const id = await owner.registerModel({ api_model_identifier, is_public: state !== 'private', sigstore_bundle_url })
  if (deployment_id !== undefined) await owner.client.models.allowDeployment(id, { deployment_id })
  if (state === 'archived') await owner.client.models.archive(id, {})
  if (state === 'superseded') await owner.registerModel({ api_model_identifier, version: '2', force_new_version: true })
  return id
}

const missingId = (id: string) => `${id.slice(0, 4)}${'0'.repeat(26)}`

const createStates = async (world: World) => {
  const { owner, targets, token, secrets } = await createTargets(world)
  const model = (input: object) => owner.registerModel({ display_name: 'Everyone’s model', ...input })
  const shown = await model({ api_model_identifier: 'shown' })
  const archived = await model({ api_model_identifier: 'archived' })
  await owner.client.models.archive(archived, {})
  const superseded = await model({ api_model_identifier: 'superseded' })
  await model({ api_model_identifier: 'superseded', version: '2', force_new_version: true })
  const idIn = (name: EndpointName, state: State): readonly string[] => {
    const [first = '', ...rest] = targets[name].ids
    if (state === 'malformed') return [`${first.slice(0, 4)}..%`, ...rest]
    if (state === 'missing') return [missingId(first), ...rest]
    if (!first.startsWith('mdl_')) return [first, ...rest]
    return [{ public: shown, private: first, archived, superseded }[state], ...rest]
  }
  return { owner, targets, token, secrets, idIn }
}

const createCredentials = async (world: World, token: string) => {
  const revoked = await world.provider('revoked')
  await revoked.client.keys.revoke(revoked.keyId)
  const other = await world.provider('northwind')
  const away = await world.provider('away')
  await away.client.providers.deactivate(away.id, {})
  const ended = await world.session(await world.provider('ended'))
  await world.database.transaction((tx) =>
    tx.updateTable('sessions').set({ revoked_at: 1 }).where('id', '=', ended.id).execute(),
  )
  const expired = await world.session(await world.provider('expired'))
  await world.database.transaction((tx) =>
    tx.updateTable('sessions').set({ expires_at: 1 }).where('id', '=', expired.id).execute(),
  )
  return {
    nothing: undefined,
    'revoked key': revoked.apiKey,
    'revoked session': ended.token,
    'expired session': expired.token,
    'malformed key': 'csk_00000000_nothing',
    'token of a link': token,
    'key of another': other.apiKey,
    'session of another': (await world.session(other)).token,
    'key of a deactivated provider': away.apiKey,
  } satisfies Record<Credential, string | undefined>
}

describeOnSqlite('every row', (engine) => {
  it('answers each credential of a non-owner as declared for its kind, and reveals nothing about the owner', async () => {
    const world = await createWorld({ engine })
    const { targets, token, secrets, idIn } = await createStates(world)
    const credentials = await createCredentials(world, token)
    let requests = 0
    let turn = 0
    for (const { name, row } of rows) {
      const isAboutOne = row.path.includes('/:') && !row.path.includes('/:token')
      for (const state of isAboutOne ? states : (['public'] as const)) {
        // Only models can be private, withdrawn or superseded; other entities exist, are missing, or have a malformed
        // ID.
        if (!targets[name].ids[0]?.startsWith('mdl_') && !['public', 'missing', 'malformed'].includes(state)) continue
        for (const [credential, apiKey] of sampled(Object.entries(credentials), 2, turn++) as [
          Credential,
          string | undefined,
        ][]) {
          const wanted = declared(row, credential, state)
          // With a valid key these work for that key's owner: tests/every-endpoint.test.ts.
          if (wanted === 'anything declared' && !isUseless(row, credential) && row.method !== 'GET') continue
          const target = { ...targets[name], ids: idIn(name, state) }
          const reply = await call(world, row, target, { apiKey })
          const what = `${name}, ${credential}, ${state}: ${reply.text.slice(0, 200)}`
          requests++
          if (wanted !== 'anything declared') expect(reply.status, what).toBe(wanted)
          else if (reply.status >= 400) expect(refusalsOf(row), what).toContain(reply.body.code)
          expect(leaksIn(reply, { name, target, secrets }), what).toEqual([])
        }
      }
    }
    expect(requests).toBeGreaterThan(isFull ? 1_000 : 500)
  }, 120_000)

  it('answers its owner as declared for the state, with a key and with a session', async () => {
    const world = await createWorld({ engine })
    const { owner, targets, idIn } = await createStates(world)
    const credentials = { key: owner.apiKey, session: (await world.session(owner)).token }
    let requests = 0
    let turn = 0
    for (const { name, row } of rows) {
      const kind = kindOf(row)
      if (kind !== 'own object' && kind !== 'public object' && kind !== 'path of a provider') continue
      const isOfModel = row.path.startsWith('/api/v1/models/:id')
      for (const state of isOfModel ? states : (['public', 'missing', 'malformed'] as const)) {
        const isThere = state !== 'missing' && state !== 'malformed'
        for (const [credential, apiKey] of sampled(Object.entries(credentials), 2, turn++)) {
          const wanted = declaredForOwner(name, row, state)
          // Endpoints that change other entities are tested once, in tests/every-endpoint.test.ts.
          if (row.method !== 'GET' && isThere && !isOfModel) continue
          const fresh =
            row.method !== 'GET' && isThere ? [await modelIn(owner, state, targets[name])] : idIn(name, state)
          const ids = [fresh[0] ?? '', ...targets[name].ids.slice(1)]
          const reply = await call(world, row, { ...targets[name], ids }, { apiKey })
          const answer = reply.status < 300 ? reply.status : reply.body.code
          expect({ name, credential, state, answer }, reply.text.slice(0, 300)).toEqual({
            name,
            credential,
            state,
            answer: wanted,
          })
          requests++
        }
      }
    }
    expect(requests).toBeGreaterThan(isFull ? 200 : 100)
  }, 120_000)

  it('has a declared kind', () => {
    const found = new Set(rows.map(({ row }) => kindOf(row)))
    expect([...found].sort()).toEqual([...kinds].sort())
  })
})

describeOnSqlite('an id in a body', (engine) => {
  it('of another provider’s model or deployment answers like an unknown one, byte for byte, and writes nothing', async () => {
    const world = await createWorld({ engine })
    const { owner, targets } = await createTargets(world)
    const other = await world.provider('northwind')
    const own = { mdl: await other.registerModel(), dep: (await other.registerDeployment()).deployment_id }
    const isId = (value: unknown): value is string => typeof value === 'string' && /^(mdl|dep)_/.test(value)
    const withIds = (values: object, idFor: (id: string) => string) =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isId(value) ? idFor(value) : value]))
    const named = rows.filter(({ name }) => Object.values(targets[name].body ?? {}).some(isId))
    expect(named.map(({ name }) => name)).toEqual(['verifications.create', 'models.allowDeployment'])
    const eventsOf = async () => [
      await owner.client.account.events({}).toArray(),
      await other.client.account.events({}).toArray(),
    ]
    const before = await eventsOf()
    for (const { name, row } of named) {
      const { body = {}, ids } = targets[name]
      // Only the body comes from someone else.
      const ownIds = ids.map((id) => own[id.slice(0, 3) as keyof typeof own])
      const send = (idFor: (id: string) => string) =>
        call(world, row, { ids: ownIds, body: withIds(body, idFor) }, { apiKey: other.apiKey })
      const [foreign, unknown] = [await send((id) => id), await send(missingId)]
      expect(foreign, name).toMatchObject({ status: 404, body: { code: 'not_found' } })
      expect(comparable(foreign), name).toEqual(comparable(unknown))
    }
    expect(await eventsOf()).toEqual(before)
    expect(await owner.client.account.verifications({})).toMatchObject({ total: 1 })
    expect(await other.client.account.verifications({})).toMatchObject({ total: 0 })
  })
})

describeOnSqlite('private entities', (engine) => {
  it('answer like missing ones to everyone but the owner, byte for byte, on every public endpoint', async () => {
    const world = await createWorld({ engine })
    const { targets, token, idIn } = await createStates(world)
    const credentials = await createCredentials(world, token)
    const publicRows = rows.filter(
      ({ row }) => kindOf(row) === 'public object' && row.path.startsWith('/api/v1/models'),
    )
    expect(publicRows.length).toBeGreaterThan(4)
    for (const { name, row } of publicRows) {
      for (const apiKey of Object.values(credentials)) {
        const [hidden, unknown] = await Promise.all(
          (['private', 'missing'] as const).map((state) =>
            call(world, row, { ...targets[name], ids: idIn(name, state) }, { apiKey }),
          ),
        )
        if (!hidden || !unknown) throw new Error('No answer')
        expect(comparable(hidden), name).toEqual(comparable(unknown))
      }
    }
  })
})
