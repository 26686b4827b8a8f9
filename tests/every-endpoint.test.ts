import {
  type Endpoint,
  type ErrorCode,
  errors,
  maxBodyBytesOf,
  mayBeStaged,
  refusalsOf,
} from '@countersign/sdk/contract'
import { Validator } from '@seriousme/openapi-schema-validator'
import { beforeAll, describe, expect, it } from 'vitest'
import { ask, type Reply } from './support/ask.ts'
import { describeOnSqlite } from './support/databases.ts'
import { isFull, sampled } from './support/full.ts'
import { keepDatabase } from './support/keep-database.ts'
import { troubleIn } from './support/portable-sql.ts'
import { forgetStatements, recordedStatements } from './support/statements.ts'
import { call, createTargets, type EndpointName, leaksIn, rows, type Target } from './support/tour.ts'
import { createWorld, shareWorld, type World } from './support/world.ts'

type Answer = 200 | 201 | 202 | ErrorCode

/** An endpoint's answers about another provider's private entity, and to invalid input. */
interface Expectation {
  /** Someone without a key. */
  stranger: Answer
  /** Another provider, with a valid key. */
  other: Answer
  /** The owner, with a key that was revoked. */
  revoked: Answer
  /** A body above the endpoint's limit, from the owner. */
  oversized: Answer | 'no body'
  /** The owner, with a malformed ID. */
  malformed: Answer | 'no id'
  /** The owner, who also sends fields that only the registry sets. */
  serverOwned: Answer | 'no body'
}

const closed = { stranger: 'unauthorized', revoked: 'unauthorized' } as const
const open = { stranger: 200, other: 200, revoked: 200 } as const
const reads = { oversized: 'no body', serverOwned: 'no body' } as const
const writes = { oversized: 'body_too_large', serverOwned: 'validation_failed' } as const
const own = { ...closed, other: 'not_found', malformed: 'not_found' } as const

const expectations = {
  'verifications.create': { ...closed, ...writes, other: 'not_found', malformed: 'no id' },
  'verifications.get': { ...open, ...reads, malformed: 'link_malformed' },
  'verifications.opened': { ...writes, stranger: 200, other: 200, revoked: 'unauthorized', malformed: 200 },
  'verifications.inspect': { ...open, ...reads, malformed: 200 },
  // One binding by a bearer: the stranger’s, who came first.
  'verifications.bind': {
    ...writes,
    stranger: 200,
    other: 'already_bound',
    revoked: 'unauthorized',
    malformed: 'link_malformed',
  },
  'signing.jwks': { ...open, ...reads, malformed: 'no id' },
  'log.proofs': { ...open, ...reads, malformed: 'link_malformed' },
  'log.dispute': { ...own, ...reads },
  'log.near': { ...closed, ...reads, other: 200, malformed: 'no id' },
  'activity.list': { ...closed, ...reads, other: 200, malformed: 'no id' },
  'activity.undo': { ...closed, ...writes, other: 'not_found', malformed: 'no id' },
  'log.entries': { ...closed, ...reads, other: 200, malformed: 'no id' },
  'providers.register': {
    ...writes,
    stranger: 201,
    other: 'already_registered',
    revoked: 'unauthorized',
    malformed: 'no id',
  },
  'providers.me': { ...closed, ...reads, other: 200, malformed: 'no id' },
  'providers.verifyDomain': { ...closed, ...writes, other: 200, malformed: 'no id' },
  'providers.update': { ...own, ...writes, other: 'forbidden' },
  'providers.setProfile': { ...own, ...writes, other: 'forbidden' },
  'providers.setCompliance': { ...own, ...writes, other: 'forbidden' },
  'providers.setVisibility': { ...own, ...writes, other: 'forbidden' },
  // Its size is tested with files.
  'providers.uploadLogo': { ...own, ...reads, other: 'forbidden' },
  'providers.deleteLogo': { ...own, ...reads, other: 'forbidden' },
  'providers.deactivate': { ...own, ...writes, other: 'forbidden' },
  'providers.reactivate': { ...own, ...writes, other: 'forbidden' },
  'providers.delete': { ...own, ...reads, other: 'forbidden' },
  'providers.list': { ...open, ...reads, malformed: 'no id' },
  'providers.get': { ...open, ...reads, malformed: 'not_found' },
  'providers.getPrivate': { ...own, ...reads, other: 'forbidden' },
  'providers.models': { ...own, ...reads, other: 'forbidden' },
  'domains.list': { ...closed, ...reads, other: 200, malformed: 'no id' },
  'domains.add': { ...closed, ...writes, other: 201, malformed: 'no id' },
  'domains.verify': { ...own, ...writes },
  'domains.remove': { ...own, ...reads },
  'domains.makePrimary': { ...own, ...writes },
  'models.register': { ...closed, ...writes, other: 201, malformed: 'no id' },
  'models.list': { ...open, ...reads, malformed: 'no id' },
  'models.get': { ...reads, stranger: 'not_found', other: 'not_found', revoked: 'not_found', malformed: 'not_found' },
  'models.archive': { ...own, ...writes },
  'models.putArchive': { ...own, ...writes },
  'models.unarchive': { ...own, ...writes },
  'models.quickEdit': { ...own, ...writes },
  'models.history': { ...own, ...reads },
  'models.setVisibility': { ...own, ...writes },
  'models.latest': {
    ...reads,
    stranger: 'not_found',
    other: 'not_found',
    revoked: 'not_found',
    malformed: 'not_found',
  },
  'models.files': { ...reads, stranger: 'not_found', other: 'not_found', revoked: 'not_found', malformed: 'not_found' },
  'models.health': {
    ...reads,
    stranger: 'not_found',
    other: 'not_found',
    revoked: 'not_found',
    malformed: 'not_found',
  },
  'models.setHealth': { ...own, ...writes },
  'models.communityStats': {
    ...reads,
    stranger: 'not_found',
    other: 'not_found',
    revoked: 'not_found',
    malformed: 'not_found',
  },
  'models.syncHuggingface': { ...own, ...writes },
  'models.allowDeployment': { ...own, ...writes },
  'models.deployments': { ...own, ...reads },
  'models.countDeployments': {
    ...reads,
    stranger: 'not_found',
    other: 'not_found',
    revoked: 'not_found',
    malformed: 'not_found',
  },
  'models.revokeDeployment': { ...own, ...reads },
  // One report for each link and category: the stranger’s, who came first.
  'incidents.report': {
    ...writes,
    stranger: 201,
    other: 'already_reported',
    revoked: 'already_reported',
    malformed: 'no id',
  },
  'incidents.list': { ...closed, ...reads, other: 200, malformed: 'no id' },
  'incidents.get': { ...own, ...reads },
  'incidents.respond': { ...own, ...writes },
  'bundles.verify': { ...own, ...writes },
  'bundles.upload': { ...own, ...writes },
  'bundles.status': {
    ...reads,
    stranger: 'not_found',
    other: 'not_found',
    revoked: 'not_found',
    malformed: 'not_found',
  },
  'signers.list': { ...closed, ...reads, other: 200, malformed: 'no id' },
  'signers.declare': { ...closed, ...writes, other: 201, malformed: 'no id' },
  'signers.challenge': { ...own, ...writes },
  'signers.prove': { ...own, ...writes },
  'signers.withdraw': { ...own, ...reads },
  'search.find': { ...open, ...reads, malformed: 'no id' },
  'auth.checkDomain': { ...open, ...writes, malformed: 'no id' },
  'auth.sendVerification': { ...writes, stranger: 200, other: 200, revoked: 'unauthorized', malformed: 'no id' },
  // The email alone is not enough.
  'auth.verifyEmail': {
    ...writes,
    stranger: 'confirmation_required',
    other: 'confirmation_required',
    revoked: 'unauthorized',
    malformed: 'no id',
  },
  'auth.verify': {
    ...writes,
    stranger: 'confirmation_required',
    other: 'confirmation_required',
    revoked: 'unauthorized',
    malformed: 'no id',
  },
  'auth.register': { ...open, ...writes, malformed: 'no id' },
  // Anyone who knows the password.
  'auth.login': { ...open, ...writes, malformed: 'no id' },
  // Used up by the stranger, who has the email.
  'auth.setPassword': { ...writes, stranger: 200, other: 'code_invalid', revoked: 'code_invalid', malformed: 'no id' },
  'auth.passwordAccount': { ...open, ...writes, malformed: 'no id' },
  'auth.forgotPassword': { ...open, ...writes, malformed: 'no id' },
  'auth.changePassword': { ...closed, ...writes, other: 'forbidden', malformed: 'no id' },
  'auth.signOut': { ...closed, ...writes, other: 200, malformed: 'no id' },
  'auth.sessions': { ...closed, ...reads, other: 200, malformed: 'no id' },
  'auth.revokeSession': { ...own, ...reads },
  // Used up by the stranger, who has the browser’s cookie.
  'auth.exchange': { ...writes, stranger: 200, other: 'code_invalid', revoked: 'code_invalid', malformed: 'no id' },
  'auth.identities': { ...closed, ...reads, other: 200, malformed: 'no id' },
  // A key is not enough.
  'auth.startLink': { ...closed, ...writes, other: 'forbidden', malformed: 'no id' },
  'auth.unlink': { ...own, ...reads },
  'keys.list': { ...closed, ...reads, other: 200, malformed: 'no id' },
  'keys.create': { ...closed, ...writes, other: 201, malformed: 'no id' },
  'keys.revoke': { ...own, ...reads },
  'keys.compromise': { ...own, ...writes },
  'keys.reviews': { ...closed, ...reads, other: 200, malformed: 'no id' },
  'keys.review': { ...own, ...writes },
  'publishers.list': { ...closed, ...reads, other: 200, malformed: 'no id' },
  'publishers.add': { ...closed, ...writes, other: 201, malformed: 'no id' },
  'publishers.remove': { ...own, ...reads },
  // Used up by the stranger, whose job it is.
  'publishers.exchange': {
    ...writes,
    stranger: 200,
    other: 'identity_token_invalid',
    revoked: 'identity_token_invalid',
    malformed: 'no id',
  },
  'workloads.list': { ...closed, ...reads, other: 200, malformed: 'no id' },
  'workloads.trust': { ...closed, ...writes, other: 201, malformed: 'no id' },
  'workloads.remove': { ...own, ...reads },
  // Used up by the stranger, whose workload it is.
  'workloads.exchange': {
    ...writes,
    stranger: 200,
    other: 'identity_token_invalid',
    revoked: 'identity_token_invalid',
    malformed: 'no id',
  },
  'members.list': { ...closed, ...reads, other: 200, malformed: 'no id' },
  'members.invite': { ...closed, ...writes, other: 201, malformed: 'no id' },
  'members.withdraw': { ...own, ...reads },
  'members.setRole': { ...own, ...writes },
  'members.remove': { ...own, ...writes },
  // Anyone who has the email.
  'members.preview': { ...open, ...writes, malformed: 'no id' },
  // Used up by the stranger, who has the email.
  'members.accept': { ...writes, stranger: 200, other: 'code_invalid', revoked: 'unauthorized', malformed: 'no id' },
  'members.providers': { ...closed, ...reads, other: 200, malformed: 'no id' },
  'members.use': { ...own, ...writes },
  // A key is not a person.
  'account.deleteMe': { ...closed, ...writes, other: 'forbidden', malformed: 'no id' },
  'account.changeEmail': { ...closed, ...writes, other: 'forbidden', malformed: 'no id' },
  'account.confirmEmail': { ...closed, ...writes, other: 'forbidden', malformed: 'no id' },
  // Used up by the stranger, who has the email.
  'account.restoreEmail': {
    ...writes,
    stranger: 200,
    other: 'code_invalid',
    revoked: 'code_invalid',
    malformed: 'no id',
  },
  // A key has no passkeys: they belong to a person.
  'factors.list': { ...closed, ...reads, other: 'forbidden', malformed: 'no id' },
  'factors.sendCode': { ...closed, ...writes, other: 'forbidden', malformed: 'no id' },
  'factors.begin': { ...closed, ...writes, other: 'forbidden', malformed: 'no id' },
  'factors.add': { ...closed, ...writes, other: 'forbidden', malformed: 'no id' },
  'factors.rename': { ...closed, ...writes, other: 'forbidden', malformed: 'not_found' },
  'factors.remove': { ...closed, ...reads, other: 'forbidden', malformed: 'not_found' },
  'factors.renewCodes': { ...closed, ...writes, other: 'forbidden', malformed: 'no id' },
  'factors.beginProof': { ...closed, ...writes, other: 'forbidden', malformed: 'no id' },
  'factors.prove': { ...closed, ...writes, other: 'forbidden', malformed: 'no id' },
  'factors.beginSignIn': { ...open, ...writes, malformed: 'no id' },
  // In the browser that began, with the passkey.
  'factors.signIn': {
    ...writes,
    stranger: 'passkey_rejected',
    other: 'passkey_rejected',
    revoked: 'passkey_rejected',
    malformed: 'no id',
  },
  'devices.begin': { ...open, ...writes, malformed: 'no id' },
  'devices.token': {
    ...writes,
    stranger: 'device_not_approved',
    other: 'device_not_approved',
    revoked: 'device_not_approved',
    malformed: 'no id',
  },
  // A person approves a machine.
  'devices.find': { ...closed, ...writes, other: 'forbidden', malformed: 'no id' },
  'devices.approve': { ...closed, ...writes, other: 'forbidden', malformed: 'no id' },
  'devices.deny': { ...closed, ...writes, other: 'forbidden', malformed: 'no id' },
  'factors.beginRecovery': { ...writes, stranger: 200, other: 200, revoked: 'unauthorized', malformed: 'no id' },
  // The link works until the recovery is done.
  'factors.recover': { ...open, ...writes, malformed: 'no id' },
  'factors.cancelRecovery': { ...closed, ...reads, other: 'forbidden', malformed: 'no id' },
  'changes.list': { ...closed, ...reads, other: 200, malformed: 'no id' },
  'changes.get': { ...own, ...reads },
  'changes.approve': { ...own, ...writes },
  'changes.reject': { ...own, ...writes },
  'changes.cancel': { ...own, ...writes },
  // Used up by the stranger, who has the email.
  'changes.undo': {
    ...writes,
    stranger: 200,
    other: 'code_invalid',
    revoked: 'code_invalid',
    malformed: 'no id',
  },
  'account.attention': { ...closed, ...reads, other: 200, malformed: 'no id' },
  'account.usage': { ...closed, ...reads, other: 200, malformed: 'no id' },
  'account.verifications': { ...closed, ...reads, other: 200, malformed: 'no id' },
  'account.verificationsByDay': { ...closed, ...reads, other: 200, malformed: 'no id' },
  'account.events': { ...closed, ...reads, other: 200, malformed: 'no id' },
  'account.notifications': { ...closed, ...reads, other: 200, malformed: 'no id' },
  'account.setNotifications': { ...closed, ...writes, other: 200, malformed: 'no id' },
  'deployments.register': { ...closed, ...writes, other: 201, malformed: 'no id' },
  'deployments.list': { ...closed, ...reads, other: 200, malformed: 'no id' },
  'deployments.setStatus': { ...own, ...writes },
  'deployments.delete': { ...own, ...reads },
} as const satisfies Record<EndpointName, Expectation>

/** Set by the registry alone; none of them may be taken from a request. */
const serverOwnedFields: Record<string, unknown> = {
  id: 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm',
  provider_id: 'prv_06dh0e3x7c9bw4vjz2n8qk5ytm',
  trust_score: 100,
  trust_level: 'premium',
  email_verified: true,
  domain_verified: true,
  domain_verified_at: 1,
  verification_level: 'verified',
  version_number: 7,
  is_latest: true,
  is_active: true,
  is_archived: false,
  is_demo: true,
  bundle_status: 'verified',
  bundle_last_checked: 1,
  bundle_verification_details: {},
  bundle_verdict: {},
  bundle_signer: { kind: 'identity', issuer: 'https://accounts.acme.example', identity: 'release@acme.example' },
  bundle_root: 'mine',
  bundle_due_at: 1,
  bundle_failures: 0,
  health_status: 'healthy',
  successor_id: 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm',
  trust_factors: [],
  counts_publicly: true,
  is_verified_report: true,
  first_verified_at: 1,
  proven_at: 1,
  proven_by: 'mtls',
  created_at: '2020-01-01T00:00:00.000Z',
  deleted_at: 1,
  binding: 'mtls',
  bound_by: 'provider',
  expires_in: 1e9,
}

/** As the contract says: a successful response of the declared shape, or an error that the endpoint declares. */
const expectDeclared = (row: Endpoint, reply: Reply) => {
  expect(reply.status, `${row.method} ${row.path}: ${reply.text.slice(0, 500)}`).toBeLessThan(500)
  if (reply.status < 300) {
    expect(reply.status).toBe(row.status ?? 200)
    expect(row.response.safeParse(reply.body).error).toBeUndefined()
    return
  }
  const code = reply.body.code as ErrorCode
  expect(refusalsOf(row), reply.text.slice(0, 500)).toContain(code)
  expect(reply.status).toBe(errors[code].status)
  expect(reply.headers['content-type']).toBe('application/problem+json')
}

const expectAnswer = (name: string, row: Endpoint, reply: Reply, answer: Answer) => {
  expect({ name, answer: reply.status < 300 ? reply.status : reply.body.code }).toEqual({ name, answer })
  expectDeclared(row, reply)
}

const snapshotTables = [
  ...([
    'providers',
    'api_keys',
    'sessions',
    'passwords',
    'identities',
    'declared_signers',
    'trusted_publishers',
    'workloads',
  ] as const),
  ...(['models', 'deployments', 'authorizations', 'verifications', 'bindings', 'incidents'] as const),
]

const snapshot = async (world: World) => {
  // A successful request records the use of its key or session a moment later; PostgreSQL then returns the rows in another order.
  const textOf = (row: object) => JSON.stringify(row, (name, value) => (name === 'last_used_at' ? undefined : value))
  const read = snapshotTables.map(async (table) => {
    const rows = await world.database.read.selectFrom(table).selectAll().execute()
    return [table, rows.map(textOf).sort()] as const
  })
  return JSON.stringify(await Promise.all(read))
}

type Row = (typeof rows)[number]

const createScene = async (world: World) => ({
  world,
  ...(await createTargets(world)),
  other: await world.provider('northwind', { isVerified: false }),
})
type Scene = Awaited<ReturnType<typeof createScene>>

const setRevoked = ({ world, owner }: Scene, revoked_at: number | null) =>
  world.database.transaction((tx) =>
    tx.updateTable('api_keys').set({ revoked_at }).where('id', '=', owner.keyId).execute(),
  )

/** Sends requests as everyone but the owner would. The owner's key is revoked at the end. */
const tryAsOthers = async (scene: Scene, { name, row }: Row) => {
  const { world } = scene
  const { owner, targets, secrets } = scene
  const target = targets[name]
  const expected: Expectation = expectations[name]
  let content = await snapshot(world)
  const expectUnchanged = async () => expect(await snapshot(world)).toBe(content)
  const isRefused = (answer: Expectation[keyof Expectation]) => typeof answer === 'string'

  if (expected.malformed !== 'no id') {
    for (const id of [
      'x',
      'mdl_',
      "' or 1=1 --",
      '../../etc/passwd',
      '\u0000',
      'é',
      '0',
      `${target.ids[0]}x`.slice(-30),
      'x'.repeat(3_000),
    ]) {
      const reply = await call(world, row, { ...target, ids: target.ids.map(() => id) }, { apiKey: owner.apiKey })
      if (reply.body.code === 'link_mistyped') continue
      expectAnswer(`malformed id ${id}`, row, reply, expected.malformed)
    }
  }
  if (expected.oversized !== 'no body') {
    const body = { ...target.body, padding: 'x'.repeat(maxBodyBytesOf(row)) }
    expectAnswer(
      'oversized',
      row,
      await call(world, row, { ...target, body }, { apiKey: owner.apiKey }),
      expected.oversized,
    )
  }
  if (expected.serverOwned !== 'no body') {
    // A job names the provider it publishes as; whether it may is checked.
    const fields = Object.entries(serverOwnedFields).filter(
      ([field]) => (name !== 'publishers.exchange' && name !== 'workloads.exchange') || field !== 'provider_id',
    )
    const accepted = fields.filter(([field, value]) => row.body?.safeParse({ ...target.body, [field]: value }).success)
    expect({ name, accepted }).toEqual({ name, accepted: [] })
    const body = { ...target.body, ...Object.fromEntries(fields.slice(0, 1)) }
    const reply = await call(world, row, { ...target, body }, { apiKey: owner.apiKey })
    expectAnswer('server-owned', row, reply, expected.serverOwned)
  }
  if (!isRefused(expected.malformed) && row.method !== 'GET') expect(expected.malformed).toBe(200)
  await expectUnchanged()

  const strangers = await call(world, row, target)
  expectAnswer('a stranger', row, strangers, expected.stranger)
  expect(leaksIn(strangers, { name, target, secrets })).toEqual([])
  if (isRefused(expected.stranger)) await expectUnchanged()
  else content = await snapshot(world)

  const other = scene.other
  const reply = await call(world, row, target, { apiKey: other.apiKey })
  expectAnswer('another provider', row, reply, expected.other)
  expect(leaksIn(reply, { name, target, secrets })).toEqual([])
  if (isRefused(expected.other)) await expectUnchanged()

  await setRevoked(scene, 1)
  content = await snapshot(world)
  expectAnswer('a revoked key', row, await call(world, row, target, { apiKey: owner.apiKey }), expected.revoked)
  if (isRefused(expected.revoked)) await expectUnchanged()
}

/** Others get an error, or only read: nothing changes. */
const changesNothing = ({ name, row }: Row) => {
  const { stranger, other, revoked, malformed }: Expectation = expectations[name]
  return row.method === 'GET' || [stranger, other, revoked, malformed].every((answer) => typeof answer === 'string')
}

type Made = Awaited<ReturnType<typeof createTargets>>

/** Lose the proof of the primary domain, and publish it again. */
const unprove = async (world: World, { owner }: Made) => {
  world.dns.setTxt(owner.proof.record_name, [])
  await owner.client.providers.verifyDomain({})
  owner.publishProof()
}

/** A model registered with a key that is then reported. */
const loseKey = async (world: World, { owner }: Made) => {
  const leaked = await owner.client.keys.create({ name: 'Leaked', scopes: ['full'] })
  const thief = world.client(leaked.api_key)
  await thief.models.register({
    display_name: 'Stolen',
    api_model_identifier: 'stolen',
    description: 'Registered by a thief.',
    endpoint: 'https://api.acme.example',
  })
  await thief.providers.update(owner.id, { company_name: `Stolen ${owner.domain.split('.')[0]}` })
  return leaked.id
}

/** What makes an endpoint change what is listed, where its usual call does not. */
const listed: Partial<Record<EndpointName, (world: World, made: Made) => Promise<Partial<Target> | undefined>>> = {
  'providers.verifyDomain': async (world, made) => {
    await unprove(world, made)
    return {}
  },
  'domains.verify': async (world, made) => {
    await unprove(world, made)
    return { ids: [made.owner.domain] }
  },
  'domains.makePrimary': async (world, { owner, spareDomain }) => {
    // Only one provider can prove it.
    const { domain_proof } =
      (await owner.client.domains.list()).domains.find(({ domain }) => domain === spareDomain) ?? {}
    world.dns.setTxt(domain_proof?.record_name ?? '', [domain_proof?.record_value ?? ''])
    await owner.client.domains.verify(spareDomain, {})
    return { ids: [spareDomain] }
  },
  'providers.reactivate': async (_, { owner }) => {
    await owner.client.providers.deactivate(owner.id, {})
    return {}
  },
  'models.setVisibility': async () => ({ body: { is_public: false } }),
  'keys.compromise': async (world, made) => ({ ids: [await loseKey(world, made)] }),
  'keys.review': async (world, made) => {
    const { reviews } = await made.owner.client.keys.compromise(await loseKey(world, made))
    const model = reviews.find(({ kind }) => kind === 'version')
    return { ids: [model?.id ?? ''] }
  },
}

/** Features about a provider's people and credentials. What they change is not listed, except addresses. */
const unlisted = ['account', 'auth', 'changes', 'devices', 'factors', 'log', 'members', 'publishers', 'workloads']
const ofAddresses = ['account.confirmEmail', 'account.restoreEmail', 'auth.register', 'auth.verify', 'auth.verifyEmail']

const changesListed = ({ name, row }: Row) =>
  row.method !== 'GET' && (ofAddresses.includes(name) || !unlisted.includes(name.split('.')[0] ?? ''))

const listings = async ({ database }: World) => {
  const providers = await database.read
    .selectFrom('listed_providers')
    .select(['id as provider_id', 'place', 'names', 'words', 'title', 'standing'])
    .execute()
  const models = await database.read
    .selectFrom('listed_models')
    .select(['provider_id', 'id', 'place', 'names', 'words', 'title', 'company', 'year', 'context'])
    .execute()
  return [...providers, ...models].map((row) => JSON.stringify(row)).sort()
}

describeOnSqlite('every endpoint', (engine) => {
  const shared = shareWorld({ engine })
  let scene: Scene
  let restore: () => Promise<void>
  beforeAll(async () => {
    scene = await createScene(shared())
    restore = await keepDatabase(shared())
  })

  it.each(rows)('$name answers strangers, others, revoked keys and bad input as declared', async (each) => {
    if (changesNothing(each)) return tryAsOthers(scene, each).finally(() => setRevoked(scene, null))
    return tryAsOthers(scene, each).finally(restore)
  })

  it('answers its owner with portable SQL, and updates the index of search itself', async () => {
    forgetStatements()
    const world = await createWorld({ engine })
    const made = await createTargets(world, 'acme', { is_public: true })
    const restoreWorld = await keepDatabase(world)
    for (const each of rows) {
      const { name, row } = each
      const target = { ...made.targets[name], ...(await listed[name]?.(world, made)) }
      const { credential = async () => made.owner.apiKey } = target
      const reply = await call(world, row, target, name === 'providers.register' ? {} : { apiKey: await credential() })
      expectAnswer(name, row, reply, row.status ?? 200)
      if (changesListed(each)) {
        // Rebuilding the index changes nothing.
        const before = await listings(world)
        await world.jobs.run('search-index')
        expect({ name, listed: await listings(world) }).toEqual({ name, listed: before })
      }
      await restoreWorld()
    }
    const statements = recordedStatements()
    expect(statements.length).toBeGreaterThan(80)
    expect(troubleIn(statements)).toEqual([])
  }, 120_000)
})

const strange: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  '',
  ' ',
  '\u202e\u200b',
  'é'.repeat(200),
  'x'.repeat(50_000),
  '🦦'.repeat(100),
  "'; drop table models; --",
  '%00',
  '{{7*7}}',
  '<script>alert(1)</script>',
  'javascript:alert(1)',
  '2026-02-31',
  [],
  [null],
  [[[]]],
  ['x', 5],
  Array.from({ length: 1_000 }, () => 'x'),
  {},
  { a: { b: {} } },
  { toString: 'x' },
  { '': '' },
]

describeOnSqlite('no input', (engine) => {
  it('malformed body fields only ever yield declared responses', async () => {
    const world = await createWorld({ engine })
    const { owner, targets } = await createTargets(world)
    let requests = 0
    for (const { name, row } of rows) {
      if (!row.body) continue
      const fields = fieldsOf(row)
      for (const field of [...fields, '']) {
        const bodies = sampled(strange, 9, requests).map((value) =>
          field === '' ? value : { ...targets[name].body, [field]: value },
        )
        const replies = await Promise.all(
          bodies.map((body) => call(world, row, targets[name], { apiKey: owner.apiKey, body: JSON.stringify(body) })),
        )
        for (const reply of replies) expectDeclared(row, reply)
        requests += replies.length
      }
    }
    expect(requests).toBeGreaterThan(isFull ? 1_500 : 300)
  }, 120_000)

  it('malformed query parameters only ever yield declared responses', async () => {
    const world = await createWorld({ engine })
    const { owner, targets } = await createTargets(world)
    const values = [
      '',
      '+',
      '-1',
      '0',
      '1',
      '1e3',
      '1e309',
      '9007199254740993',
      'true',
      'NaN',
      '%25',
      '%00',
      '%ed%a0%80',
      '%C3%A9',
      "'",
      '%27%20or%201%3D1',
      '%5C',
      'x'.repeat(2_000),
    ]
    const names = [
      'limit',
      'skip',
      'cursor',
      'search',
      'sort',
      'location',
      'verification',
      'provider_id',
      'min_context_window',
      'max_context_window',
      'release_year',
      'is_active',
      'include_archived',
      'q',
      'include_models',
      'other',
    ]
    for (const [index, { name, row }] of rows.entries()) {
      if (!row.query) continue
      for (const parameter of names) {
        const replies = await Promise.all(
          sampled(values, 9, index * names.length + names.indexOf(parameter)).map((value) =>
            call(world, { ...row, path: `${row.path}?${parameter}=${value}` }, targets[name], { apiKey: owner.apiKey }),
          ),
        )
        for (const reply of replies) expectDeclared(row, reply)
      }
    }
  }, 120_000)
})

/** Names of a body's fields, as the OpenAPI document lists them. */
const fieldsOf = (row: Endpoint): string[] => {
  const shape = row.body && 'in' in row.body ? innermost(row.body) : row.body
  return shape && 'shape' in shape ? Object.keys(shape.shape as object) : []
}

const innermost = (schema: object): object => ('in' in schema ? innermost(schema.in as object) : schema)

describe('the OpenAPI document', () => {
  it('is valid, and has every endpoint with every error', async () => {
    const world = await createWorld()
    const { status, text, headers } = await ask(`${world.address}/openapi.json`)
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'application/json' })
    const document = JSON.parse(text) as {
      openapi: string
      paths: Record<string, Record<string, { operationId: string; responses: object }>>
    }
    const { valid, errors: problems } = await new Validator().validate(document)
    expect(problems).toBeUndefined()
    expect(valid).toBe(true)
    expect(document.openapi).toMatch(/^3\.1\./)
    for (const { name, row } of rows) {
      const operation = document.paths[row.path.replace(/:(\w+)/g, '{$1}')]?.[row.method.toLowerCase()]
      expect(operation?.operationId).toBe(name)
      const statuses = [
        row.status ?? 200,
        ...(mayBeStaged(row) ? [202] : []),
        ...refusalsOf(row).map((code) => errors[code].status),
      ].map(String)
      expect(Object.keys(operation?.responses ?? {}).sort()).toEqual([...new Set(statuses)].sort())
    }
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
    expect(operations).toHaveLength(rows.length)
  })
})
