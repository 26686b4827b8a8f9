import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import type { Database } from '../../server/src/db/engine.ts'
import { migrate } from '../../server/src/db/migrate.ts'
import { migrations } from '../../server/src/db/migrations/index.ts'
import { openDatabase } from '../../server/src/db/open.ts'
import { version } from '../../server/src/version.ts'
import { createEmptyDatabase, describeEachEngine } from '../support/databases.ts'
import { insertProvider, oldModel, openBefore } from '../support/old-schema.ts'
import { runServer } from '../support/server-process.ts'

const oldLink = (id: string, model_id: string, opened_at: number | null) => ({
  id,
  provider_id: 'prv_old',
  model_id,
  kid: 'kid',
  code_key: id,
  token_digest: id,
  issued_at: 6,
  expires_at: 906,
  opened_at,
  provider_domain: id === 'vrf_1' ? null : 'acme.example',
  model_digest: id === 'vrf_1' ? 'sha256:old' : null,
})

const appliedIn = async (database: Database) =>
  (await database.read.selectFrom('migrations').select('name').execute()).map(({ name }) => name)

describeEachEngine('bringing a schema up to date', (engine) => {
  it('runs once when many replicas start on an empty database at the same moment', async () => {
    const url = await createEmptyDatabase(engine)
    const databases = await Promise.all(Array.from({ length: 6 }, () => openDatabase(url)))
    const applied = await Promise.all(databases.map((database) => migrate(database, Date.now)))
    const [database] = databases
    if (!database) throw new Error('There is no database')
    expect(applied.flat()).toEqual(migrations.map(({ name }) => name))
    expect(await appliedIn(database)).toEqual(migrations.map(({ name }) => name))
    expect(await database.read.selectFrom('leases').selectAll().execute()).toEqual([])
    for (const each of databases) await each.close()
  })

  it('keeps data of the first version: opened links count for their models, monitored endpoints are probed', async () => {
    const database = await openBefore(engine, migrations[1]?.name ?? '', async (tx) => {
      for (const [index, id] of ['mdl_seen', 'mdl_watched', 'mdl_quiet'].entries())
        await tx.insertInto('models').values(oldModel(id, index)).execute()
      await sql`insert into providers (id, company_name, domain_nonce, specialties, compliance_certifications, ai_specific_certifications,
        opened_count, is_listed, created_at, updated_at) values ('prv_old', 'Acme Labs', 'nonce', '[]', '[]', '[]', 0, 0, 1, 1)`.execute(
        tx,
      )
      for (const [index, opened_at] of [7, 9, null].entries())
        await tx
          .insertInto('verifications')
          .values(oldLink(`vrf_${index}`, 'mdl_seen', opened_at) as never)
          .execute()
    })
    expect(await migrate(database, Date.now)).toEqual(migrations.slice(1).map(({ name }) => name))
    const rows = await database.read
      .selectFrom('models')
      .select(['id', 'opened_count', 'health_due_at', 'first_minted_at'])
      .orderBy('id')
      .execute()
    expect(rows).toEqual([
      { id: 'mdl_quiet', opened_count: 0, health_due_at: null, first_minted_at: null },
      { id: 'mdl_seen', opened_count: 2, health_due_at: null, first_minted_at: 6 },
      { id: 'mdl_watched', opened_count: 0, health_due_at: 5, first_minted_at: 7 },
    ])
    // Names on old links stay as they were at minting.
    const links = await database.read
      .selectFrom('verifications as v')
      .innerJoin('link_snapshots as s', (join) =>
        join.onRef('s.provider_id', '=', 'v.provider_id').onRef('s.id', '=', 'v.snapshot_id'),
      )
      .select(['v.id', 's.display_name', 's.version', 's.company_name', 's.domain', 's.model_digest'])
      .orderBy('v.id')
      .execute()
    const named = { display_name: 'Atlas', version: '1', company_name: 'Acme Labs' }
    expect(links).toEqual([
      { id: 'vrf_0', ...named, domain: 'acme.example', model_digest: null },
      { id: 'vrf_1', ...named, domain: null, model_digest: 'sha256:old' },
      { id: 'vrf_2', ...named, domain: 'acme.example', model_digest: null },
    ])
  })

  it('ends proofs by a mailbox and emails their owners what to publish; records and files stay proofs', async () => {
    const database = await openBefore(engine, '0010-domains', async (tx) => {
      for (const [name, method] of [
        ['mailbox', 'email'],
        ['record', 'dns'],
        ['file', 'file'],
        ['nobody', null],
      ] as const)
        await sql`insert into providers (id, company_name, website, domain, domain_nonce, domain_verified_at, domain_verification_method,
            email, email_norm, email_verified_at, specialties, compliance_certifications, ai_specific_certifications, opened_count,
            is_listed, created_at, updated_at)
          values (${`prv_${name}`}, ${name}, ${`https://${name}.example`}, ${`${name}.example`}, 'nonce', ${method && 7}, ${method},
            ${`a@${name}.example`}, ${`a@${name}.example`}, 6, '[]', '[]', '[]', 0, 1, 5, 5)`.execute(tx)
    })
    await migrate(database, Date.now)
    const rows = await database.read
      .selectFrom('provider_domains as d')
      .innerJoin('providers as p', 'p.id', 'd.provider_id')
      .select([
        'd.domain',
        'd.is_primary',
        'd.method',
        'd.verified_at',
        'd.due_at',
        'd.notice',
        'p.domain_verified_at',
        'p.domain_verification_method',
      ])
      .orderBy('d.domain')
      .execute()
    const own = (
      domain: string,
      method: 'dns' | 'file' | null,
      due_at: number | null,
      notice: 'email_ended' | null = null,
    ) => {
      const at = method && 7
      return {
        domain,
        is_primary: 1,
        method,
        verified_at: at,
        due_at,
        notice,
        domain_verified_at: at,
        domain_verification_method: method,
      }
    }
    expect(rows).toEqual([
      own('file.example', 'file', 7),
      own('mailbox.example', null, 7, 'email_ended'),
      own('nobody.example', null, null),
      own('record.example', 'dns', 7),
    ])
  })

  it('uses the proof of the domain as the age of a name, and counts dismissed reports again', async () => {
    const reports = [
      {
        id: 'inc_dismissed',
        provider_id: 'prv_proven',
        status: 'dismissed',
        is_verified_report: 1,
        counts_publicly: 0,
      },
      { id: 'inc_doubted', provider_id: 'prv_proven', status: 'dismissed', is_verified_report: 0, counts_publicly: 0 },
      { id: 'inc_open', provider_id: 'prv_claimed', status: 'reported', is_verified_report: 1, counts_publicly: 1 },
      { id: 'inc_stranger', provider_id: 'prv_claimed', status: 'resolved', is_verified_report: 1, counts_publicly: 0 },
    ]
    const database = await openBefore(engine, '0012-names', async (tx) => {
      await insertProvider(tx, 'prv_proven', { skeleton: 'acme labs', verified_at: 7 })
      await insertProvider(tx, 'prv_claimed', { skeleton: 'acme labs' })
      await insertProvider(tx, 'prv_nameless', { verified_at: 7 })
      for (const provider_id of ['prv_proven', 'prv_claimed'])
        await tx
          .insertInto('models')
          .values({ ...oldModel(`mdl_${provider_id}`, 0), provider_id, api_model_identifier: 'Atlas-Chat' })
          .execute()
      for (const { id, provider_id, status, is_verified_report, counts_publicly } of reports)
        await sql`insert into incidents (provider_id, id, model_id, category, severity, status, title, description, is_verified_report,
            counts_publicly, created_at, updated_at)
          values (${provider_id}, ${id}, ${`mdl_${provider_id}`}, 'other', 'low', ${status}, 'Title', 'Words', ${is_verified_report},
            ${counts_publicly}, 8, 8)`.execute(tx)
    })
    await migrate(database, Date.now)
    const { read } = database
    const names = { unfit_name: 0, names_checked: 0 }
    expect(
      await read
        .selectFrom('providers')
        .select(['id', 'unfit_name', 'names_checked', 'name_since'])
        .orderBy('id')
        .execute(),
    ).toEqual([
      { id: 'prv_claimed', ...names, name_since: null },
      { id: 'prv_nameless', ...names, name_since: null },
      { id: 'prv_proven', ...names, name_since: 7 },
    ])
    expect(await read.selectFrom('models').select(['id', 'unfit_name']).orderBy('id').execute()).toEqual([
      { id: 'mdl_prv_claimed', unfit_name: 0 },
      { id: 'mdl_prv_proven', unfit_name: 0 },
    ])
    const counted = await read
      .selectFrom('incidents')
      .select(['id', 'domain', 'api_model_identifier', 'counts_publicly', 'status', 'withdrawn_at'])
      .orderBy('id')
      .execute()
    const stored = { api_model_identifier: 'atlas-chat', withdrawn_at: null }
    expect(counted).toEqual([
      { id: 'inc_dismissed', ...stored, domain: 'proven.example', counts_publicly: 1, status: 'dismissed' },
      { id: 'inc_doubted', ...stored, domain: 'proven.example', counts_publicly: 0, status: 'dismissed' },
      { id: 'inc_open', ...stored, domain: null, counts_publicly: 1, status: 'reported' },
      { id: 'inc_stranger', ...stored, domain: null, counts_publicly: 0, status: 'resolved' },
    ])
  })

  it('resets verdicts for unproven signers, and makes every bundle due', async () => {
    const bundles = [
      { id: 'mdl_verified', bundle_status: 'verified', bundle_due_at: 900 },
      { id: 'mdl_invalid', bundle_status: 'invalid', bundle_due_at: 900 },
      { id: 'mdl_without', bundle_status: 'unknown', bundle_due_at: null },
    ] as const
    const checked = {
      bundle_last_checked: 8,
      bundle_verification_details: '{}',
      bundle_signer: '{}',
      bundle_asked_at: 9,
    }
    const database = await openBefore(engine, '0013-own-signers', async (tx) => {
      await insertProvider(tx, 'prv_old')
      for (const [index, bundle] of bundles.entries())
        await tx
          .insertInto('models')
          .values({ ...oldModel(bundle.id, index), ...bundle, ...(bundle.bundle_due_at !== null && checked) })
          .execute()
      await sql`insert into declared_signers (provider_id, id, signer, created_at) values ('prv_old', 'sgn_old', '{"kind":"key"}', 5)`.execute(
        tx,
      )
    })
    await migrate(database, Date.now)
    const models = await database.read
      .selectFrom('models')
      .select([
        'id',
        'bundle_status',
        'bundle_due_at',
        'bundle_asked_at',
        'bundle_last_checked',
        'bundle_verification_details',
        'bundle_signer',
      ])
      .orderBy('id')
      .execute()
    const unchecked = { bundle_last_checked: null, bundle_verification_details: null, bundle_signer: null }
    expect(models).toEqual([
      { id: 'mdl_invalid', bundle_status: 'invalid', ...unchecked, bundle_due_at: 0, bundle_asked_at: 0 },
      { id: 'mdl_verified', bundle_status: 'unknown', ...unchecked, bundle_due_at: 0, bundle_asked_at: 0 },
      { id: 'mdl_without', bundle_status: 'unknown', ...unchecked, bundle_due_at: null, bundle_asked_at: null },
    ])
    expect(await database.read.selectFrom('declared_signers').selectAll().execute()).toEqual([
      {
        provider_id: 'prv_old',
        id: 'sgn_old',
        api_model_identifier: null,
        signer: '{"kind":"key"}',
        created_at: 5,
        challenge: null,
        challenge_expires_at: null,
        proven_at: null,
        proven_keys: null,
      },
    ])
  })

  it('records the domain of each mailbox that signed a verified bundle', async () => {
    const signers = [
      { identity: 'release@Old.example', key_fingerprint: null },
      { identity: 'release@old.example', key_fingerprint: 'ab' },
      { identity: 'https://github.com/acme/models/.github/workflows/x.yml@refs/heads/main', key_fingerprint: null },
      { identity: null, key_fingerprint: 'cd' },
    ]
    const database = await openBefore(engine, '0021-mailbox-signers', async (tx) => {
      for (const [index, signer] of signers.entries())
        await tx
          .insertInto('models')
          .values({
            ...oldModel(`mdl_${index}`, index),
            bundle_status: 'verified',
            bundle_signer: JSON.stringify({ signer, digest: null }),
          })
          .execute()
    })
    await migrate(database, Date.now)
    const rows = await database.read.selectFrom('models').select('bundle_domain').orderBy('id').execute()
    expect(rows.map(({ bundle_domain }) => bundle_domain)).toEqual(['old.example', null, null, null])
  })

  it('starts with no blocked domain, and with no domain for the origins of older links', async () => {
    const database = await openBefore(engine, '0014-blocked-domains', async (tx) => {
      await insertProvider(tx, 'prv_old', { verified_at: 7 })
      await sql`insert into provider_domains (provider_id, domain, nonce, is_primary, method, verified_at, checked_at, due_at, created_at)
        values ('prv_old', 'old.example', 'nonce', 1, 'dns', 7, 8, 9, 5)`.execute(tx)
      await sql`insert into verifications (id, provider_id, model_id, kid, code_key, token_digest, issued_at, expires_at, origin)
        values ('vrf_old', 'prv_old', 'mdl_old', 'kid', 'code', 'digest', 6, 906, 'https://chat.old.example')`.execute(
        tx,
      )
    })
    await migrate(database, Date.now)
    const { read } = database
    expect(
      await read
        .selectFrom('provider_domains')
        .select(['domain', 'method', 'verified_at', 'due_at', 'blocked_by'])
        .execute(),
    ).toEqual([{ domain: 'old.example', method: 'dns', verified_at: 7, due_at: 9, blocked_by: null }])
    expect(await read.selectFrom('verifications').select(['id', 'origin', 'origin_domain']).execute()).toEqual([
      { id: 'vrf_old', origin: 'https://chat.old.example', origin_domain: null },
    ])
  })

  it('reads from the trail when deployments were disabled and lost their models', async () => {
    const [lost, given] = ['mdl_06dh0e3x7c9bw4vjz2n8qk5ytm', 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytn']
    const database = await openBefore(engine, '0035-ended-permissions', async (tx) => {
      const common = { provider_id: 'prv_old', actor: 'key_1', person_id: null, before: null, after: null }
      const deployment = { subject_type: 'deployment', subject_id: 'dep_off', action: 'deployment.disabled' }
      const authorization = { subject_type: 'authorization', action: 'deployment.revoked' }
      await sql`insert into deployments (id, provider_id, spki_fingerprint, labels, status, created_at)
        values ('dep_off', 'prv_old', 'aa', '{}', 'disabled', 1), ('dep_on', 'prv_old', 'bb', '{}', 'enabled', 1)`.execute(
        tx,
      )
      await sql`insert into authorizations (provider_id, model_id, deployment_id, authorized_at)
        values ('prv_old', ${given}, 'dep_off', 20)`.execute(tx)
      await tx
        .insertInto('events')
        .values([
          { ...common, ...deployment, id: 'evt_1', at: 5 },
          { ...common, ...deployment, id: 'evt_2', at: 9 },
          { ...common, ...deployment, id: 'evt_3', at: 9, subject_id: 'dep_on' },
          { ...common, ...authorization, id: 'evt_4', at: 11, subject_id: `${lost} dep_off` },
          { ...common, ...authorization, id: 'evt_5', at: 12, subject_id: `${lost} dep_off` },
          { ...common, ...authorization, id: 'evt_6', at: 13, subject_id: `${given} dep_off` },
        ])
        .execute()
    })
    await migrate(database, Date.now)
    const deployments = await database.read
      .selectFrom('deployments')
      .select(['id', 'disabled_at'])
      .orderBy('id')
      .execute()
    expect(deployments).toEqual([
      { id: 'dep_off', disabled_at: 9 },
      { id: 'dep_on', disabled_at: null },
    ])
    expect(await database.read.selectFrom('ended_authorizations').selectAll().execute()).toEqual([
      { provider_id: 'prv_old', model_id: lost, deployment_id: 'dep_off', ended_at: 12 },
    ])
  })

  it('reads from the log which domain was proven, stale or lost', async () => {
    const domainFact = (domain: string) => ({
      provider_id: 'prv_old',
      subject: 'prv_old',
      fact: `domain ${domain}`,
      revision: 1,
      type: 'domain.proven',
      digest: 'digest',
      is_public: 1 as const,
      entry_id: null,
    })
    const entry = (id: string, type: string, domain: string) => ({
      id,
      owner: 'prv_old',
      subject: 'prv_old',
      type,
      is_public: 1 as const,
      at: 5,
      leaf: `{"at":"2026-11-28T10:00:00.000Z","domain":"${domain}","provider":"prv_old","type":"${type}","v":1}`,
      revealed: null,
    })
    const database = await openBefore(engine, '0049-log-domains', async (tx) => {
      await tx
        .insertInto('log_facts')
        .values(['old.example', 'my-old.example', 'my_old.example'].map(domainFact))
        .execute()
      await tx
        .insertInto('log_entries')
        .values([
          { ...entry('a', 'domain.proven', 'old.example'), position: 0 },
          { ...entry('b', 'domain.primary', 'old.example'), position: 1 },
          { ...entry('c', 'domain.stale', 'my_old.example'), position: 2 },
          { ...entry('d', 'domain.lost', 'my-old.example'), position: 3 },
        ])
        .execute()
      await tx
        .insertInto('log_pending')
        .values({ ...entry('e', 'domain.lost', 'old.example'), revision: 2 })
        .execute()
    })
    await migrate(database, Date.now)
    const domainsIn = async (table: 'log_entries' | 'log_pending') =>
      (await database.read.selectFrom(table).select('domain').orderBy('id').execute()).map(({ domain }) => domain)
    expect(await domainsIn('log_entries')).toEqual(['old.example', null, 'my_old.example', 'my-old.example'])
    expect(await domainsIn('log_pending')).toEqual(['old.example'])
  })

  it('rolls back a migration that fails, and applies it at the next start', async () => {
    // A conflicting table: the migration adds columns before it fails on this.
    const database = await openBefore(engine, '0012-names', (tx) =>
      sql`create table samples (model_id text)`.execute(tx),
    )
    const before = await appliedIn(database)
    await expect(migrate(database, Date.now)).rejects.toThrow(/samples/)
    expect(await appliedIn(database)).toEqual(before)
    await expect(database.read.selectFrom('models').select('unfit_name').execute()).rejects.toThrow(/unfit_name/)
    await database.transaction((tx) => sql`drop table samples`.execute(tx))
    await migrate(database, Date.now)
    expect((await appliedIn(database)).sort()).toEqual(migrations.map(({ name }) => name).sort())
  })

  it('waits for a process that is migrating, and continues once that process is killed', async () => {
    const url = await createEmptyDatabase(engine)
    const program = fileURLToPath(new URL('../support/migrating-process.ts', import.meta.url))
    const child = spawn(process.execPath, ['--conditions=@countersign/source', program, url], {
      env: { PATH: process.env.PATH ?? '', NODE_NO_WARNINGS: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const exited = once(child, 'exit')
    const [begun] = await Promise.race([once(child.stdout, 'data'), exited])
    expect(String(begun)).toBe('begun\n')
    const database = await openDatabase(url)
    onTestFinished(() => database.close())
    const applied = await migrate(database, Date.now, () => child.kill('SIGKILL'))
    expect(applied).toEqual(migrations.map(({ name }) => name))
    await exited
  }, 90_000)

  it('is rejected by an older server, which names both versions and changes nothing', async () => {
    const database = await openDatabase(await createEmptyDatabase(engine))
    onTestFinished(() => database.close())
    await migrate(database, Date.now)
    await database.transaction(async (tx) => {
      await tx.insertInto('migrations').values({ name: '9999-tomorrow', applied_at: 1 }).execute()
      await tx.updateTable('registry_facts').set({ value: '99.1.0' }).where('name', '=', 'version').execute()
    })
    const before = await database.read.selectFrom('registry_facts').selectAll().execute()
    await expect(migrate(database, Date.now)).rejects.toThrow(
      new RegExp(
        `9999-tomorrow of countersign-server 99\\.1\\.0.*countersign-server ${version}.*${migrations.at(-1)?.name}`,
      ),
    )
    expect(await database.read.selectFrom('registry_facts').selectAll().execute()).toEqual(before)
  })

  it('runs once with two processes', async () => {
    const url = await createEmptyDatabase(engine)
    const environment = { DATABASE_URL: url, KEY_ENCRYPTION_KEY: randomBytes(32).toString('hex') }
    const [one, two] = await Promise.all([
      runServer(['keys', 'list'], environment),
      runServer(['keys', 'list'], environment),
    ])
    expect([one, two]).toMatchObject([
      { code: 0, stderr: '' },
      { code: 0, stderr: '' },
    ])
    expect(one.stdout).toBe(two.stdout)
    const database = await openDatabase(url)
    expect(await appliedIn(database)).toEqual(migrations.map(({ name }) => name))
    await database.close()
  }, 60_000)
})

it('is not started by `keys` if there is no registry', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-nothing-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const mistyped = await runServer(['keys', 'list'], { DATABASE_URL: `sqlite:${join(folder, 'none.db')}` })
  expect(mistyped).toMatchObject({ code: 1, stdout: '' })
  expect(await readdir(folder)).not.toContain('none.db')
})
