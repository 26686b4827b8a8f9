import {
  type Disclosure,
  type EntryType,
  entryTypes,
  isDisclosed,
  isPrivate,
  type LogEntry,
  parseEntry,
} from '@countersign/sdk/log/entries'
import { expect, it } from 'vitest'
import type { DecidingFacts } from '../../server/src/verifications/rules.ts'
import { describeOnSqlite } from '../support/databases.ts'
import { ecKeys } from '../support/sigstore/keys.ts'
import { createWorld, type World } from '../support/world.ts'

interface Pending {
  type: string
  subject: string
  entry: LogEntry
  revealed: Disclosure[]
}

/** Everything that waits to be logged about a provider, oldest first. */
const pendingOf = async ({ database }: Pick<World, 'database'>, owner: string): Promise<Pending[]> => {
  const rows = await database.read
    .selectFrom('log_pending')
    .selectAll()
    .where('owner', '=', owner)
    .orderBy('id')
    .execute()
  return rows.map(({ type, subject, leaf, revealed }) => ({
    type,
    subject,
    entry: parseEntry(Buffer.from(leaf)),
    revealed: revealed === null ? [] : JSON.parse(revealed),
  }))
}

const typesOf = async (world: World, owner: string) => (await pendingOf(world, owner)).map(({ type }) => type)

interface Logged {
  begins: readonly EntryType[]
  ends: readonly EntryType[]
}

/** Each input of a verdict, with the entries for its beginning and its end, or why it has none. */
const inputs = {
  issued_at: 'in the link',
  expires_at: 'in the link',
  minted_domain: 'in the link; its proof is domain_verified_at',
  binding: 'in the link; its deployment is is_authorized',
  deployment_id: 'in the link; its deployment is is_authorized',
  is_api_key_compromised: 'ends only the links that the key made',
  key_state: { begins: ['registry_key.added'], ends: ['registry_key.retired', 'registry_key.compromised'] },
  provider_gone: { begins: ['provider.deactivated', 'provider.deleted'], ends: ['provider.reactivated'] },
  is_suspended: { begins: ['provider.deactivated'], ends: ['provider.reactivated'] },
  domain_verified_at: { begins: ['domain.proven', 'domain.primary'], ends: ['domain.lost'] },
  domain_stale_since: { begins: ['domain.stale'], ends: ['domain.proven', 'domain.lost'] },
  model_deleted: { begins: ['version.registered', 'version.edited'], ends: ['provider.deleted'] },
  model_archived_at: { begins: ['version.archived'], ends: ['version.unarchived'] },
  bundle_status: {
    begins: ['bundle.verified', 'bundle.third_party', 'bundle.invalid', 'signer.declared'],
    ends: ['bundle.ended', 'signer.withdrawn'],
  },
  deployment_status: { begins: ['deployment.disabled'], ends: ['deployment.enabled'] },
  deployment_deleted_at: { begins: ['deployment.authorized'], ends: ['deployment.revoked'] },
  deployment_disabled_at: 'when deployment_status changed',
  authorization_ended_at: 'when is_authorized changed',
  is_authorized: {
    begins: ['deployment.authorized', 'platform.trusted'],
    ends: ['deployment.revoked', 'platform.ended'],
  },
} as const satisfies Record<keyof DecidingFacts, Logged | string>

/** About the log, for monitors, or shown without deciding. */
const others: readonly EntryType[] = [
  'log.opened',
  'log_key.successor',
  'provider.named',
  'version.superseded',
  'version.deleted',
]

it('every input of a verdict has an entry for its beginning and its end, and every entry a purpose', () => {
  const used = Object.values<Logged | string>(inputs).flatMap((input) =>
    typeof input === 'string' ? [] : [...input.begins, ...input.ends],
  )
  expect([...new Set([...used, ...others])].sort()).toEqual([...entryTypes].sort())
})

describeOnSqlite('what is logged', (engine) => {
  it('has the beginning and the end of everything that a verdict rests on, in the order of the changes', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const { client } = acme
    const model = await acme.registerModel({ api_model_identifier: 'atlas' })
    const { deployment_id } = await acme.registerDeployment([model])
    await client.deployments.setStatus(deployment_id, { status: 'disabled' })
    await client.deployments.setStatus(deployment_id, { status: 'enabled' })
    await client.models.revokeDeployment(model, deployment_id)
    await client.models.quickEdit(model, { model_digest: `sha256:${'0'.repeat(64)}` })
    await acme.registerModel({ api_model_identifier: 'atlas', version: '2.0.0', force_new_version: true })
    await client.models.archive(model, { reason: 'Withdrawn.' })
    await client.models.unarchive(model, {})
    const public_key = ecKeys().publicKey.export({ type: 'spki', format: 'pem' }).toString().trim()
    const signer = await client.signers.declare({ signer: { kind: 'key', public_key } })
    await client.signers.withdraw(signer.id)
    await client.providers.update(acme.id, { company_name: 'Acme Cartography' })
    await client.domains.add({ domain: 'acme-maps.example' })
    await client.providers.deactivate(acme.id, {})
    await client.providers.reactivate(acme.id, {})
    await client.providers.delete(acme.id)
    expect(await typesOf(world, acme.id)).toEqual([
      'provider.named',
      'domain.proven',
      'domain.primary',
      'version.registered',
      'deployment.authorized',
      'deployment.disabled',
      'deployment.enabled',
      'deployment.revoked',
      'version.edited',
      'version.superseded',
      'version.registered',
      'version.archived',
      'version.unarchived',
      'signer.declared',
      'signer.withdrawn',
      'provider.named',
      'provider.deactivated',
      'provider.reactivated',
      'provider.deleted',
    ])
  })

  it('is written with the change or not at all', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const before = await typesOf(world, acme.id)
    await acme.registerModel({ api_model_identifier: 'atlas' })
    await expect(acme.registerModel({ api_model_identifier: 'atlas' })).rejects.toThrow()
    expect(await typesOf(world, acme.id)).toEqual([...before, 'version.registered'])
  })
})

describeOnSqlite('what is logged about a provider', (engine) => {
  it('begins with its first proven domain, with everything it has by then', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const model = await acme.registerModel()
    await acme.registerDeployment([model])
    expect(await pendingOf(world, acme.id)).toEqual([])

    acme.publishProof()
    await acme.client.providers.verifyDomain({})
    expect((await typesOf(world, acme.id)).sort()).toEqual([
      'deployment.authorized',
      'domain.primary',
      'domain.proven',
      'provider.named',
      'version.registered',
    ])
    await acme.registerModel()
    expect(await typesOf(world, acme.id)).toHaveLength(6)
  })

  it('ends when its domain is lost, and begins again with the next proof', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    world.dns.setTxt(acme.proof.record_name, [])
    await acme.client.providers.verifyDomain({})
    acme.publishProof()
    await acme.client.providers.verifyDomain({})
    const types = (await typesOf(world, acme.id)).filter(
      (type) => type.startsWith('domain.') && type !== 'domain.primary',
    )
    expect(types).toEqual(['domain.proven', 'domain.lost', 'domain.proven'])
  })

  it('has names only as salted hashes, which an erased account takes with it', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const model = await acme.registerModel({ api_model_identifier: 'atlas', display_name: 'Atlas Chat' })
    const find = async () => (await pendingOf(world, acme.id)).find(({ type }) => type === 'version.registered')
    const found = await find()
    expect(JSON.stringify(found?.entry)).not.toMatch(/atlas|Acme/i)
    expect(found?.revealed.map(({ field, value }) => [field, value])).toEqual([
      ['identifier', 'atlas'],
      ['version', '1.0.0'],
      ['display_name', 'Atlas Chat'],
    ])
    for (const { field, salt, value } of found?.revealed ?? [])
      expect(isDisclosed(found?.entry as LogEntry, { field, salt: Buffer.from(salt, 'base64url'), value })).toBe(true)
    expect(found?.entry).toMatchObject({ provider: acme.id, model })

    await acme.client.providers.delete(acme.id)
    expect((await find())?.revealed).toEqual([])
  })

  it('shows only that something happened to a private version, until it is public', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const model = await acme.registerModel({ is_public: false })
    await acme.registerDeployment([model])
    const hidden = (await pendingOf(world, acme.id)).slice(3)
    expect(hidden.map(({ type }) => type)).toEqual(['version.registered', 'deployment.authorized'])
    for (const { entry } of hidden) {
      expect(isPrivate(entry)).toBe(true)
      expect(Object.keys(entry).sort()).toEqual(['at', 'private', 'type', 'v'])
    }
    await acme.client.models.setVisibility(model, { is_public: true })
    const shown = (await pendingOf(world, acme.id)).slice(5)
    expect(shown.map(({ type }) => type).sort()).toEqual(['deployment.authorized', 'version.registered'])
    expect(shown.every(({ entry }) => !isPrivate(entry))).toBe(true)
  })

  it('has the platform identities that stand for a server, whose subject is hidden', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const model = await acme.registerModel()
    const { issuer } = world.jobIssuer
    const claims = { email: 'chat-prod@acme.example' }
    const { id, deployment_id } = await acme.client.workloads.trust({ issuer, subject: '1122334455', claims })
    await acme.client.models.allowDeployment(model, { deployment_id })
    const before = (await pendingOf(world, acme.id)).filter(({ type }) => type === 'platform.trusted')
    // Only a public version makes the server public.
    expect(before.map(({ entry }) => isPrivate(entry))).toEqual([true, false])
    const [, shown] = before
    expect(shown?.entry).toMatchObject({ provider: acme.id, deployment: deployment_id, workload: id, issuer })
    expect(JSON.stringify(shown?.entry)).not.toMatch(/1122334455|chat-prod/)
    expect(shown?.revealed.map(({ field, value }) => [field, value])).toEqual([
      ['subject', '1122334455'],
      ['claims', `{"aud":"${world.publicUrl}","email":"chat-prod@acme.example","sub":"1122334455"}`],
    ])
    const last = async () => {
      const entry = (await pendingOf(world, acme.id)).at(-1)?.entry
      // IDs of another process sort by time.
      world.clock.advance('1s')
      return entry
    }
    world.clock.advance('1s')
    await world.startReplica({ oidcIssuers: [] })
    expect(await last()).toMatchObject({ type: 'platform.ended', deployment: deployment_id, workload: id })
    await world.startReplica()
    expect(await last()).toMatchObject({ type: 'platform.trusted', workload: id })
    await acme.client.workloads.remove(id)
    expect(await last()).toMatchObject({ type: 'platform.ended', workload: id })
  })

  it('excludes links', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const model = await acme.registerModel()
    const before = await typesOf(world, acme.id)
    const { verification_url } = await acme.client.verifications.create({ model_id: model })
    await world.anyone.verifications.get(verification_url)
    expect(await typesOf(world, acme.id)).toEqual(before)
  })
})
