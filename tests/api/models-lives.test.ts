import { expect, it } from 'vitest'
import { digestOf } from '../support/actors.ts'
import { ask, comparable } from '../support/ask.ts'
import { describeOnSqlite } from '../support/databases.ts'
import { createWorld, type World } from '../support/world.ts'

const atlas = {
  display_name: 'Atlas Chat',
  api_model_identifier: 'atlas',
  version: '1.0.0',
  description: 'A model that answers questions about maps.',
  endpoint: 'https://api.acme.example/v1',
}
const unknownId = 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm'

const eventsOf = async (world: World, subject: string) => {
  const rows = await world.database.read
    .selectFrom('events')
    .select(['action', 'before', 'after'])
    .where('subject_id', '=', subject)
    .orderBy('id')
    .execute()
  return rows.map(({ action, before, after }) => ({
    action,
    before: JSON.parse(before ?? 'null'),
    after: JSON.parse(after ?? 'null'),
  }))
}

describeOnSqlite('a quick edit', (engine) => {
  it('changes the named fields, and leaves one event with only those', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const { model_id } = await acme.client.models.register({ ...atlas, capabilities: ['math'], context_window: 8_000 })
    const edited = await acme.client.models.quickEdit(model_id, {
      display_name: 'Atlas Maps',
      api_model_identifier: 'atlas',
      force_new_version: false,
      version: '1.0.1',
      api_endpoint: 'https://api.acme.example/v2',
      capabilities: 'math, reasoning',
      context_window: 8_000,
      performance_benchmarks: { mmlu: 70.5 },
      is_public: false,
      tls_version: '1.3',
    })
    const after = {
      display_name: 'Atlas Maps',
      version: '1.0.1',
      is_public: false,
      capabilities: ['math', 'reasoning'],
      performance_benchmarks: { mmlu: 70.5 },
      endpoint: 'https://api.acme.example/v2',
      tls_version: '1.3',
      model_name: 'Atlas Maps',
    }
    expect(edited).toMatchObject({
      ...after,
      id: model_id,
      version_number: 1,
      context_window: 8_000,
      can_quick_edit: true,
    })
    expect((await eventsOf(world, model_id)).slice(1)).toEqual([
      {
        action: 'model.edited',
        after,
        before: {
          display_name: 'Atlas Chat',
          version: '1.0.0',
          is_public: true,
          capabilities: ['math'],
          performance_benchmarks: null,
          endpoint: 'https://api.acme.example/v1',
          tls_version: null,
          model_name: 'Atlas Chat',
        },
      },
    ])
    await acme.client.models.quickEdit(model_id, { display_name: 'Atlas Maps' })
    await acme.client.models.quickEdit(model_id, {})
    expect(await eventsOf(world, model_id)).toHaveLength(2)

    const model_digest = `sha256:${'ab'.repeat(32)}`
    const optional = {
      family_name: 'Atlas',
      release_date: '2026-02',
      training_cutoff: '2025',
      model_card_url: 'https://acme.example/card',
      paper_url: 'https://acme.example/paper',
      sigstore_bundle_url: 'https://acme.example/bundle',
      model_digest,
    } as const
    await acme.client.models.quickEdit(model_id, optional)
    const emptied = Object.fromEntries(
      [...Object.keys(optional), 'context_window', 'tls_version'].map((name) => [name, '']),
    )
    const nulls = Object.fromEntries(Object.keys(emptied).map((name) => [name, null]))
    expect(await acme.client.models.quickEdit(model_id, { ...emptied, performance_benchmarks: {} })).toMatchObject({
      ...nulls,
      performance_benchmarks: null,
      digest_source: null,
      bundle_status: 'unknown',
    })
    expect((await eventsOf(world, model_id)).at(-1)).toMatchObject({
      before: { ...optional, context_window: 8_000, digest_source: 'stated' },
      after: { ...nulls, digest_source: null },
    })
    await expect(acme.client.models.quickEdit(model_id, { endpoint: '', paper_url: 'paper' })).rejects.toMatchObject({
      code: 'validation_failed',
      issues: [
        { loc: ['body', 'endpoint'], msg: 'Please enter a valid URL' },
        { loc: ['body', 'paper_url'], msg: 'Please enter a valid URL' },
      ],
    })
  })

  it('is rejected after an hour, after the first link, and for withdrawn versions; then nothing changes', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const edit = (id: string) => acme.client.models.quickEdit(id, { description: 'Something else altogether.' })
    const closed = { status: 409, code: 'quick_edit_closed' }

    const old = await acme.registerModel()
    world.clock.advance('3599s')
    await edit(old)
    world.clock.advance('1s')
    await expect(edit(old)).rejects.toMatchObject({
      ...closed,
      detail: expect.stringContaining('more than an hour ago'),
    })

    const seen = await acme.registerModel()
    await edit(seen)
    await acme.client.verifications.create({ model_id: seen })
    await expect(acme.client.models.quickEdit(seen, { model_digest: digestOf('other') })).rejects.toMatchObject(closed)

    const withdrawn = await acme.registerModel()
    await acme.client.models.archive(withdrawn, {})
    await expect(edit(withdrawn)).rejects.toMatchObject({ status: 409, code: 'model_archived' })
    await expect(edit(unknownId)).rejects.toMatchObject({ code: 'not_found' })
    expect((await acme.client.models.get(seen)).model_digest).not.toBe(digestOf('other'))
  })

  it('by two at once leaves a trail without a gap', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const model_id = await acme.registerModel({ display_name: 'Start' })
    await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        acme.client.models.quickEdit(model_id, { display_name: `Name ${index}` }),
      ),
    )
    const names = (await eventsOf(world, model_id)).slice(1)
    expect(names).toHaveLength(6)
    let name = 'Start'
    for (const { before, after } of names) {
      expect(before.display_name).toBe(name)
      name = after.display_name
    }
    expect((await acme.client.models.get(model_id)).display_name).toBe(name)
  })

  it('never changes the identifier, nor takes the name of another version', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const { model_id: one } = await acme.client.models.register(atlas)
    const { model_id: two } = await acme.client.models.register({ ...atlas, version: '2.0', force_new_version: true })
    const renamed = await acme.client.models.quickEdit(two, { api_model_identifier: 'atlas-2' }).catch((error) => error)
    expect(renamed).toMatchObject({ status: 422, code: 'validation_failed' })
    expect(renamed.problem.errors).toMatchObject([{ loc: ['body', 'api_model_identifier'] }])
    await expect(acme.client.models.quickEdit(two, { version: '1.0.0' })).rejects.toMatchObject({
      status: 409,
      code: 'version_exists',
      problem: { error: 'model_exists' },
      existing: { id: one, version: '1.0.0', suggested_version: '3.0' },
    })
    await acme.client.models.quickEdit(two, { version: (await acme.client.models.get(two)).version })
    const both = await Promise.allSettled([
      acme.client.models.quickEdit(two, { version: '3.0' }),
      acme.client.models.register({ ...atlas, version: '3.0', force_new_version: true }),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('resets the verdict on a bundle together with its digest', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const model_id = await acme.registerModel()
    await world.database.transaction((tx) =>
      tx
        .updateTable('models')
        .set({
          bundle_status: 'verified',
          bundle_last_checked: 5,
          bundle_verification_details: '{"signatures_valid":true}',
        })
        .where('id', '=', model_id)
        .execute(),
    )
    const digest = digestOf('the right file')
    expect(await acme.client.models.quickEdit(model_id, { model_digest: digest })).toMatchObject({
      model_digest: digest,
      digest_source: 'stated',
      bundle_status: 'unknown',
      bundle_last_checked: null,
      bundle_verification_details: null,
    })
    expect((await eventsOf(world, model_id)).at(-1)).toMatchObject({
      before: { bundle_status: 'verified' },
      after: { bundle_status: 'unknown', model_digest: digest },
    })
  })
})

describeOnSqlite('the history of a model', (engine) => {
  it('lists edits field by field and all versions, newest first, to its owner only', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const { model_id: one } = await acme.client.models.register(atlas)
    world.clock.advance('1m')
    await acme.client.models.quickEdit(one, { display_name: 'Atlas Maps', context_window: 9 })
    world.clock.advance('1m')
    await acme.client.models.setVisibility(one, { is_public: false })
    const { model_id: two } = await acme.client.models.register({ ...atlas, version: '2.0', force_new_version: true })
    await acme.client.models.archive(two, {})

    const history = await acme.client.models.history(one)
    expect(history).toMatchObject({
      current_version: {
        id: one,
        display_name: 'Atlas Maps',
        version: '1.0.0',
        version_number: 1,
        first_verified_at: null,
      },
      total_versions: 2,
      versions: [
        { id: two, version: '2.0', is_latest: true, is_public: false, superseded_at: null },
        { id: one, version: '1.0.0', is_latest: false, is_public: false, archived_at: null },
      ],
    })
    expect(history.versions[0]?.archived_at).not.toBeNull()
    expect(history.versions[1]?.superseded_at).not.toBeNull()
    expect(
      history.edit_history.map(({ field_name, old_value, new_value }) => [field_name, old_value, new_value]),
    ).toEqual([
      ['is_public', true, false],
      ['display_name', 'Atlas Chat', 'Atlas Maps'],
      ['context_window', null, 9],
      ['model_name', 'Atlas Chat', 'Atlas Maps'],
    ])
    expect((await acme.client.models.history(two)).edit_history).toMatchObject([
      { field_name: 'archive_reason', old_value: null, new_value: 'Provider archived' },
    ])

    const other = await world.provider('northwind', { isVerified: false })
    await expect(other.client.models.history(one)).rejects.toMatchObject({ code: 'not_found' })
  })
})

describeOnSqlite('the reason for a withdrawal', (engine) => {
  it('is shown only to the owner and in the history, with the reason for the restoration', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const { model_id } = await acme.client.models.register(atlas)
    const reason = 'Leaks what it was trained on'
    expect((await acme.client.models.archive(model_id, { reason })).archive_reason).toBe(reason)
    expect((await acme.client.models.get(model_id)).archive_reason).toBe(reason)
    const listed = await acme.client.providers.models(acme.id, { include_archived: 'true' })
    expect(listed.models[0]?.archive_reason).toBe(reason)
    expect((await acme.client.models.history(model_id)).versions[0]?.archive_reason).toBe(reason)
    expect(JSON.stringify(await world.anyone.models.get(model_id))).not.toContain(reason)

    const back = await acme.client.models.unarchive(model_id, { reason: 'The data was taken out' })
    expect(back).toMatchObject({ archived_at: null, archive_reason: null })
    const { edit_history, versions } = await acme.client.models.history(model_id)
    expect(versions[0]?.archive_reason).toBeNull()
    expect(edit_history.map(({ field_name, old_value, new_value }) => [field_name, old_value, new_value])).toEqual([
      ['archive_reason', reason, null],
      ['unarchive_reason', null, 'The data was taken out'],
      ['archive_reason', null, reason],
    ])
  })
})

describeOnSqlite('restoring a version', (engine) => {
  it('restores it as it was: public, active, in the lists, and its links valid', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const { model_id } = await acme.client.models.register(atlas)
    const { token } = await acme.client.verifications.create({ model_id })
    await acme.client.models.archive(model_id, {})
    await expect(world.anyone.verifications.get(token)).rejects.toMatchObject({ code: 'link_archived' })
    // Its record stays reachable by its address, but it can't be made public as it is.
    expect((await world.anyone.models.get(model_id)).is_public).toBe(false)
    await expect(acme.client.models.setVisibility(model_id, { is_public: true })).rejects.toMatchObject({
      status: 409,
      code: 'model_archived',
    })
    expect(await acme.client.models.unarchive(model_id, {})).toMatchObject({
      is_archived: false,
      is_active: true,
      is_latest: true,
      is_public: true,
      archived_at: null,
    })
    expect((await world.anyone.verifications.get(token)).status).toBe('verified')
    expect((await world.anyone.models.list().toArray()).map(({ id }) => id)).toEqual([model_id])
    await expect(acme.client.models.unarchive(model_id, {})).rejects.toMatchObject({
      status: 409,
      code: 'not_archived',
    })
    await expect(acme.client.models.unarchive(unknownId, {})).rejects.toMatchObject({ code: 'not_found' })
    expect((await eventsOf(world, model_id)).map(({ action }) => action).slice(1)).toEqual([
      'model.archived',
      'model.unarchived',
    ])
  })

  it('leaves a version superseded in the meantime superseded, and a private one private', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const { model_id } = await acme.client.models.register({ ...atlas, is_public: false })
    await acme.client.models.archive(model_id, {})
    await acme.client.models.register({ ...atlas, version: '2', force_new_version: true })
    expect(await acme.client.models.unarchive(model_id, {})).toMatchObject({
      is_archived: true,
      is_active: false,
      is_latest: false,
      is_public: false,
      archived_at: null,
    })
    await expect(acme.client.models.unarchive(model_id, {})).rejects.toMatchObject({ code: 'not_archived' })
  })
})

describeOnSqlite('visibility', (engine) => {
  it('hides a version from everyone and shows it again, at once and with a trail', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const { model_id } = await acme.client.models.register(atlas)
    expect((await acme.client.models.setVisibility(model_id, { is_public: false })).is_public).toBe(false)
    await acme.client.models.setVisibility(model_id, { is_public: false })
    await expect(world.anyone.models.get(model_id)).rejects.toMatchObject({ code: 'not_found' })
    expect((await acme.client.models.get(model_id)).is_public).toBe(false)
    expect(await world.anyone.models.list().toArray()).toEqual([])
    await acme.client.models.setVisibility(model_id, { is_public: true })
    expect((await world.anyone.models.get(model_id)).id).toBe(model_id)
    expect((await eventsOf(world, model_id)).slice(1)).toEqual([
      { action: 'model.visibility_changed', before: { is_public: true }, after: { is_public: false } },
      { action: 'model.visibility_changed', before: { is_public: false }, after: { is_public: true } },
    ])
    const other = await world.provider('northwind', { isVerified: false })
    await expect(other.client.models.setVisibility(model_id, { is_public: false })).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

describeOnSqlite('the latest version', (engine) => {
  it('is the newest that the caller may see; a private first version looks like none', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const register = async (version: string, is_public: boolean) =>
      (await acme.client.models.register({ ...atlas, version, is_public, force_new_version: version !== '1' })).model_id
    const [one, two, three] = [await register('1', true), await register('2', true), await register('3', false)]
    expect((await world.anyone.models.latest(one)).id).toBe(two)
    expect((await world.anyone.models.latest(two)).id).toBe(two)
    expect((await acme.client.models.latest(one)).id).toBe(three)
    expect(await world.anyone.models.get(two)).toMatchObject({
      predecessor_id: one,
      successor_id: null,
      latest_version_id: two,
    })
    const replies = await Promise.all(
      [three, unknownId].map((id) => ask(`${world.address}/api/v1/models/${id}/latest`)),
    )
    expect(replies.map(({ status }) => status)).toEqual([404, 404])
    const [hidden, missing] = replies
    if (hidden && missing) expect(comparable(hidden)).toEqual(comparable(missing))
  })
})

describeOnSqlite('usage and reports of a model', (engine) => {
  const forwarded = (address: string) => ({ headers: { 'X-Forwarded-For': address } })
  const trustedProxies = [{ address: '127.0.0.0', prefix: 8, family: 'ipv4' as const }]

  it('counts the opened links, each once, and not by the provider', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const [one, two] = [await acme.registerModel(), await acme.registerModel()]
    const empty = {
      model_id: one,
      total_verifications: 0,
      weeks: expect.any(Array),
      reports_under_investigation: 0,
      unresolved_incidents: 0,
      total_reports: 0,
      dismissed_reports: 0,
      last_incident: null,
      last_incident_date: null,
      last_incident_status: null,
      provider_trust_level: expect.any(String),
    }
    expect(await world.anyone.models.communityStats(one)).toEqual(empty)
    const links = [
      await acme.client.verifications.create({ model_id: one }),
      await acme.client.verifications.create({ model_id: one }),
    ]
    for (const { token } of links) {
      await acme.client.verifications.opened(token)
      await world.anyone.verifications.opened(token)
      await world.anyone.verifications.opened(token)
    }
    const stats = await world.anyone.models.communityStats(one)
    expect(stats.total_verifications).toBe(2)
    expect(stats.weeks.map(({ verifications }) => verifications)).toEqual([...Array(11).fill(0), 2])
    world.clock.advance('7d')
    const later = await world.anyone.models.communityStats(one)
    expect(later.weeks.slice(-2).map(({ verifications }) => verifications)).toEqual([2, 0])
    expect((await world.anyone.models.communityStats(two)).total_verifications).toBe(0)
  })

  it('counts for trust once per day and network, so that providers cannot inflate it', async () => {
    const world = await createWorld({ engine, trustedProxies })
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel()
    const openFrom = async (address: string) => {
      const { token } = await acme.client.verifications.create({ model_id })
      expect(await world.anyone.verifications.opened(token, {}, forwarded(address))).toEqual({ counted: true })
    }
    const countedOf = async () => {
      const [row] = await world.database.read.selectFrom('providers').select('opened_count').execute()
      return row?.opened_count
    }
    for (const address of ['192.0.2.1', '192.0.2.200', '::ffff:192.0.2.3']) await openFrom(address)
    expect(await countedOf()).toBe(1)
    for (const address of ['198.51.100.1', '2001:db8:1:2201::1', '2001:db8:1:22ff::9']) await openFrom(address)
    expect(await countedOf()).toBe(3)
    world.clock.advance('1d')
    await openFrom('192.0.2.1')
    expect(await countedOf()).toBe(4)
    expect((await world.anyone.models.communityStats(model_id)).total_verifications).toBe(7)
    const noted = await world.database.read.selectFrom('opened_by_day').selectAll().execute()
    expect(noted).toHaveLength(1)
    expect(JSON.stringify(noted)).not.toContain('192.0.2')
  })

  it('shows reports that count publicly, open ones and the last, and no others', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const api_model_identifier = 'atlas'
    const model_id = await acme.registerModel({ api_model_identifier })
    const report = (
      id: string,
      status: 'reported' | 'investigating' | 'resolved',
      counts_publicly: 0 | 1,
      created_at: number,
    ) =>
      world.database.transaction((tx) =>
        tx
          .insertInto('incidents')
          .values({
            provider_id: acme.id,
            id,
            model_id,
            category: 'other',
            severity: 'low',
            status,
            title: 'Wrong map',
            description: 'Oslo is elsewhere.',
            is_verified_report: 0,
            counts_publicly,
            api_model_identifier,
            created_at,
            updated_at: created_at,
          })
          .execute(),
      )
    await report('inc_1', 'reported', 1, 1_000)
    await report('inc_2', 'investigating', 1, 2_000)
    await report('inc_3', 'resolved', 1, 3_000)
    await report('inc_4', 'reported', 0, 4_000)
    expect(await world.anyone.models.communityStats(model_id)).toMatchObject({
      reports_under_investigation: 2,
      unresolved_incidents: 2,
      last_incident: new Date(3_000).toISOString(),
      last_incident_date: new Date(3_000).toISOString(),
      last_incident_status: 'resolved',
    })
  })
})
