import { rootDigest } from '@countersign/sdk/node'
import { expect, it } from 'vitest'
import type { ProviderActor } from '../support/actors.ts'
import { digestOf } from '../support/actors.ts'
import { ask, comparable } from '../support/ask.ts'
import { describeEachEngine, describeOnSqlite } from '../support/databases.ts'
import { createWorld } from '../support/world.ts'

const atlas = {
  display_name: 'Atlas Chat',
  api_model_identifier: 'atlas',
  version: '1.0.0',
  description: 'A model that answers questions about maps.',
  endpoint: 'https://api.acme.example/v1',
}
const unknownId = 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm'

const cursorOf = (...position: unknown[]) => Buffer.from(JSON.stringify(position)).toString('base64url')

/** Registers one version per entry of `publicity`, each superseding the one before. */
const registerVersions = async ({ client }: ProviderActor, publicity: readonly boolean[]) => {
  const ids: string[] = []
  for (const [index, is_public] of publicity.entries()) {
    const { model_id } = await client.models.register({
      ...atlas,
      version: `${index + 1}.0`,
      is_public,
      force_new_version: index > 0,
    })
    ids.push(model_id)
  }
  return ids as [string, string, string]
}

describeOnSqlite('registering a model', (engine) => {
  it('stores every field, and returns fields with two names under both', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const card = {
      family_name: 'Atlas',
      model_family_id: 'atlas-family',
      model_type: 'multimodal' as const,
      language: 'English, Norwegian',
      release_date: '2026-05',
      training_cutoff: '2025',
      architecture: 'Transformer',
      context_window: 128_000,
      model_card_url: 'https://acme.example/card',
      github_repo_url: 'https://code.example/acme/atlas',
      huggingface_url: 'https://hub.example/acme/atlas',
      huggingface_model_id: 'acme/atlas',
      paper_url: 'https://papers.example/1',
      serving_regions: ['eu-north', 'us-east'],
      uptime_sla: '99.9',
      avg_response_time: '120',
      performance_benchmarks: { mmlu: 71.3, humaneval: 40, gsm8k: 50.5, hellaswag: 80, lmarena_ranking: 12 },
      require_deployment_proof: true,
    }
    const { model_id } = await acme.client.models.register({
      ...atlas,
      ...card,
      model_name: 'atlas-chat',
      model_digest: digestOf('file').slice(7).toUpperCase(),
      digest_source: 'local-bytes',
      api_endpoint: atlas.endpoint,
      model_size_params: '7B',
      security_standards: { tls_version: '1.3' },
      enable_health_monitoring: true,
      capabilities: 'reasoning, math,, translation ',
      input_types: 'text',
      output_types: ['text', 'json'],
      paper_url: '',
      model_card_url: card.model_card_url,
    })
    expect(await world.anyone.models.get(model_id)).toMatchObject({
      ...card,
      paper_url: null,
      id: model_id,
      provider_id: acme.id,
      provider_domain: 'acme.example',
      provider_domain_verified: true,
      display_name: 'Atlas Chat',
      model_name: 'atlas-chat',
      endpoint: atlas.endpoint,
      api_endpoint: atlas.endpoint,
      model_size: '7B',
      model_size_params: '7B',
      tls_version: '1.3',
      security_standards: { tls_version: '1.3' },
      health_check_enabled: true,
      enable_health_monitoring: true,
      capabilities: ['reasoning', 'math', 'translation'],
      input_types: ['text'],
      output_types: ['text', 'json'],
      model_digest: digestOf('file'),
      digest_source: 'local-bytes',
      bundle_status: 'unknown',
      version_number: 1,
      is_public: true,
      is_latest: true,
      is_active: true,
      is_archived: false,
      is_demo: false,
      can_quick_edit: true,
      predecessor_id: null,
      successor_id: null,
      latest_version_id: model_id,
      first_verified_at: null,
    })
  })

  it('has the defaults of the specification, and null means absent', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const { version: _, ...bare } = atlas
    const reply = await ask(`${world.address}/api/v1/models/register`, {
      method: 'POST',
      headers: { 'X-API-Key': acme.apiKey },
      body: { ...bare, architecture: null, is_public: null },
    })
    expect(reply).toMatchObject({
      status: 201,
      body: { version: '1.0.0', version_number: 1, model_digest: null, predecessor_id: null },
    })
    const model = await world.anyone.models.get(String(reply.body.model_id))
    expect(model).toMatchObject({
      is_public: true,
      model_type: 'language',
      model_name: 'Atlas Chat',
      architecture: null,
      require_deployment_proof: false,
    })
  })

  it('rejects an existing identifier, names the version in the way, and changes nothing', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const { model_id } = await acme.client.models.register(atlas)
    const refusal = await acme.client.models.register({ ...atlas, version: '2.0' }).catch((error) => error)
    expect(refusal).toMatchObject({
      status: 409,
      code: 'model_exists',
      detail: 'A model with identifier "atlas" already exists. Current version: 1.0.0.',
      problem: { error: 'model_exists', message: refusal.detail },
      existing: {
        id: model_id,
        display_name: 'Atlas Chat',
        version: '1.0.0',
        version_number: 1,
        suggested_version: '2.0',
        can_quick_edit: true,
      },
    })
    expect(await acme.client.providers.models(acme.id, { include_archived: 'true' }).toArray()).toHaveLength(1)
    const other = await world.provider('northwind', { isVerified: false })
    expect((await other.client.models.register(atlas)).version_number).toBe(1)
  })

  it('offers the quick edit for an hour and not after the first verification', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const { model_id } = await acme.client.models.register(atlas)
    const { verification_url } = await acme.client.verifications.create({ model_id })
    await world.anyone.verifications.opened(verification_url)
    expect((await acme.client.models.get(model_id)).can_quick_edit).toBe(false)
    const other = await acme.client.models.register({ ...atlas, api_model_identifier: 'other' })
    world.clock.advance('1h')
    expect((await acme.client.models.get(other.model_id)).can_quick_edit).toBe(false)
  })

  it('chains versions: the new one is the latest, the old one superseded and as public as before', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const [one, two, three] = await registerVersions(acme, [true, true, true])
    const versions = await acme.client.providers.models(acme.id, { include_archived: 'true' }).toArray()
    expect(versions.map(({ id }) => id)).toEqual([three, two, one])
    expect(versions).toMatchObject([
      {
        version_number: 3,
        is_latest: true,
        is_active: true,
        is_archived: false,
        superseded_at: null,
        predecessor_id: two,
        successor_id: null,
      },
      {
        version_number: 2,
        is_latest: false,
        is_active: false,
        is_archived: true,
        is_public: true,
        predecessor_id: one,
        successor_id: three,
      },
      {
        version_number: 1,
        is_latest: false,
        is_active: false,
        is_archived: true,
        is_public: true,
        predecessor_id: null,
        successor_id: two,
      },
    ])
    for (const { superseded_at, archived_at } of versions.slice(1)) {
      expect(superseded_at).not.toBeNull()
      expect(archived_at).toBeNull()
    }
    expect(versions.every(({ latest_version_id }) => latest_version_id === three)).toBe(true)
    expect((await acme.client.providers.models(acme.id).toArray()).map(({ id }) => id)).toEqual([three])
    expect((await world.anyone.models.list().toArray()).map(({ id }) => id)).toEqual([three])
    expect((await world.anyone.models.get(one)).id).toBe(one)
  })

  it('accepts an existing version with the same digest if asked to, and says so', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const again = { ...atlas, model_digest: digestOf('atlas'), is_public: false, ifNotExists: true }
    const first = await acme.client.models.register(again)
    expect(first.created).toBe(true)
    const second = await acme.client.models.register(again).withResponse()
    expect(second.data).toMatchObject({ created: false, model_id: first.model_id, version: '1.0.0', version_number: 1 })
    expect(second.requestId).toMatch(/^req_/)
    for (const other of [{ model_digest: digestOf('other') }, { version: '2.0' }, { ifNotExists: false }])
      await expect(acme.client.models.register({ ...again, ...other })).rejects.toMatchObject({ code: 'model_exists' })
    await acme.client.models.register({ ...again, version: '2.0', force_new_version: true })
    expect(await acme.client.models.register({ ...again, force_new_version: true })).toMatchObject({
      created: false,
      model_id: first.model_id,
    })
    const northwind = await world.provider('northwind', { isVerified: false })
    expect((await northwind.client.models.register(again)).created).toBe(true)
  })

  it('accepts no withdrawn version, none with an invalid signature, nor one with a digest if none is given, even if asked to', async () => {
    const world = await createWorld({ engine })
    const { client } = await world.provider('acme', { isVerified: false })
    const again = { ...atlas, model_digest: digestOf('atlas'), ifNotExists: true }
    const register = () => client.models.register(again, { idempotencyKey: 'release-1' })
    const { model_id } = await register()
    const { model_digest: _, ...unstated } = again
    await expect(client.models.register(unstated)).rejects.toMatchObject({ code: 'model_exists' })
    await client.models.archive(model_id, {})
    await expect(register()).rejects.toMatchObject({ code: 'model_exists' })
    await client.models.unarchive(model_id, {})
    expect(await register()).toMatchObject({ created: false, model_id })
    await world.database.transaction((tx) => tx.updateTable('models').set({ bundle_status: 'invalid' }).execute())
    await expect(register()).rejects.toMatchObject({ code: 'model_exists' })
  })

  it('accepts no existing version with other file names, or with none to compare, even if asked to', async () => {
    const { client } = await (await createWorld({ engine })).provider('acme', { isVerified: false })
    const fileOf = (name: string, content: string) => ({
      name,
      size: content.length,
      sha256: digestOf(content).slice('sha256:'.length),
    })
    const files = [fileOf('config.json', '{}'), fileOf('weights', 'weights')]
    const model_digest = rootDigest(files.map(({ sha256 }) => ({ digest: sha256 })))
    const register = (name: string, more: object) =>
      client.models.register({ ...atlas, api_model_identifier: name, ifNotExists: true, ...more })
    const folder = { model_digest, model_files: files }
    await register('folder', folder)
    const spelled = files.map((file) => ({ ...file, sha256: `sha256:${file.sha256.toUpperCase()}` }))
    expect(await register('folder', { ...folder, model_files: spelled })).toMatchObject({ created: false })
    const renamed = { model_digest, model_files: files.map((file) => ({ ...file, name: `${file.name}.py` })) }
    await expect(register('folder', renamed)).rejects.toMatchObject({ code: 'model_exists' })

    await register('unlisted', { model_digest })
    await expect(register('unlisted', folder)).rejects.toMatchObject({ code: 'model_exists' })
    const digests = { name: 'digests.bin', size: 64, sha256: model_digest.slice('sha256:'.length) }
    await expect(register('unlisted', { model_digest, model_files: [digests] })).rejects.toMatchObject({
      code: 'model_exists',
    })

    const file = { model_digest: digestOf('weights'), model_files: [fileOf('weights', 'weights')] }
    await register('file', file)
    expect(await register('file', { ...file, model_files: [fileOf('w.bin', 'weights')] })).toMatchObject({
      created: false,
    })
  })

  it('rejects an existing version, even a superseded one', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    await registerVersions(acme, [true, true])
    for (const version of ['1.0', '2.0', "1.0'", '’2.0’']) {
      await expect(acme.client.models.register({ ...atlas, version, force_new_version: true })).rejects.toMatchObject({
        status: 409,
        code: 'version_exists',
        detail: 'Please specify a different version number for the new version',
        existing: { version: version.replace(/['’]/g, ''), suggested_version: '3.0' },
      })
    }
    expect(
      (await acme.client.models.register({ ...atlas, version: '3.0', force_new_version: true })).version_number,
    ).toBe(3)
  })

  it('reports how many deployments the previous version had, and copies them on request', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const { model_id } = await acme.client.models.register(atlas)
    const { deployment_id } = await acme.registerDeployment([model_id])
    const second = await acme.client.models.register({ ...atlas, version: '2', force_new_version: true })
    expect(second.authorizations).toEqual({ previous: 1, copied: 0 })
    expect(await world.anyone.models.countDeployments(second.model_id)).toEqual({ count: 0 })
    await acme.client.models.allowDeployment(second.model_id, { deployment_id })
    const third = await acme.client.models.register({
      ...atlas,
      version: '3',
      force_new_version: true,
      copy_authorizations: true,
    })
    expect(third.authorizations).toEqual({ previous: 1, copied: 1 })
    expect(await world.anyone.models.countDeployments(third.model_id)).toEqual({ count: 1 })
  })

  it('leaves a trail of every version', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const [one, two] = await registerVersions(acme, [true, true])
    await acme.client.models.archive(one, { reason: 'Too old' })
    const events = await world.database.read
      .selectFrom('events')
      .select(['action', 'subject_id', 'actor', 'after'])
      .where('subject_type', '=', 'model')
      .orderBy('id')
      .execute()
    expect(events.map(({ action, subject_id }) => [action, subject_id])).toEqual([
      ['model.registered', one],
      ['model.superseded', one],
      ['model.registered', two],
      ['model.archived', one],
    ])
    expect(events.every(({ actor }) => actor === acme.keyId)).toBe(true)
    expect(events.at(-1)?.after).toContain('Too old')
  })
})

const wrongFields: readonly { change: Record<string, unknown>; field: string; message?: string }[] = [
  { change: { display_name: undefined }, field: 'display_name', message: 'Display name is required' },
  { change: { display_name: 'A' }, field: 'display_name', message: 'Display name must be at least 2 characters' },
  {
    change: { display_name: 'A\u200b\u202e' },
    field: 'display_name',
    message: 'Display name must be at least 2 characters',
  },
  {
    change: { display_name: undefined, model_name: 'A' },
    field: 'model_name',
    message: 'Model name must be at least 2 characters',
  },
  {
    change: { api_model_identifier: undefined },
    field: 'api_model_identifier',
    message: 'API model identifier is required',
  },
  { change: { api_model_identifier: '' }, field: 'api_model_identifier', message: 'API model identifier is required' },
  {
    change: { api_model_identifier: 'a' },
    field: 'api_model_identifier',
    message: 'API model identifier must be at least 2 characters',
  },
  {
    change: { api_model_identifier: 'a'.repeat(300) },
    field: 'api_model_identifier',
    message: 'API model identifier must be at most 128 characters',
  },
  ...[
    'acme/atlas',
    'atlas chat',
    ' atlas',
    'atlas.v1',
    'аtlas',
    'atlas\u200b',
    '../atlas',
    'atlas%2f',
    'аtlаs',
    'ａtlas',
    'atlas\n',
  ].map((api_model_identifier) => ({
    change: { api_model_identifier },
    field: 'api_model_identifier',
    message: 'Only letters, numbers, hyphens, and underscores allowed',
  })),
  { change: { version: '' }, field: 'version', message: 'Version is required' },
  { change: { version: ' ' }, field: 'version', message: 'Version is required' },
  { change: { version: 'v'.repeat(61) }, field: 'version' },
  { change: { description: 'too short' }, field: 'description', message: 'Description must be at least 10 characters' },
  { change: { description: undefined }, field: 'description', message: 'Description must be at least 10 characters' },
  { change: { description: 'd'.repeat(5_001) }, field: 'description' },
  { change: { endpoint: undefined }, field: 'endpoint', message: 'Endpoint is required' },
  { change: { endpoint: 'not a url' }, field: 'endpoint', message: 'Please enter a valid URL' },
  { change: { endpoint: 'javascript:alert(1)' }, field: 'endpoint', message: 'Please enter a valid URL' },
  { change: { endpoint: 'https://user:secret@acme.example' }, field: 'endpoint', message: 'Please enter a valid URL' },
  { change: { model_card_url: 'javascript:alert(1)' }, field: 'model_card_url', message: 'Please enter a valid URL' },
  { change: { github_repo_url: 'ftp://acme.example' }, field: 'github_repo_url', message: 'Please enter a valid URL' },
  { change: { huggingface_url: 'acme' }, field: 'huggingface_url', message: 'Please enter a valid URL' },
  { change: { paper_url: 'data:text/html,x' }, field: 'paper_url', message: 'Please enter a valid URL' },
  { change: { model_type: 'robot' }, field: 'model_type' },
  { change: { context_window: 0.5 }, field: 'context_window' },
  { change: { context_window: 0 }, field: 'context_window' },
  { change: { context_window: '128000' }, field: 'context_window' },
  { change: { release_date: '2026-13' }, field: 'release_date', message: 'Must be YYYY, YYYY-MM or YYYY-MM-DD' },
  {
    change: { training_cutoff: 'last year' },
    field: 'training_cutoff',
    message: 'Must be YYYY, YYYY-MM or YYYY-MM-DD',
  },
  {
    change: { model_digest: 'a'.repeat(63) },
    field: 'model_digest',
    message: 'Digest must be sha256: and 64 hex characters',
  },
  {
    change: { model_digest: 'a'.repeat(65) },
    field: 'model_digest',
    message: 'Digest must be sha256: and 64 hex characters',
  },
  {
    change: { model_digest: 'g'.repeat(64) },
    field: 'model_digest',
    message: 'Digest must be sha256: and 64 hex characters',
  },
  {
    change: { model_digest: `md5:${'a'.repeat(64)}` },
    field: 'model_digest',
    message: 'Digest must be sha256: and 64 hex characters',
  },
  { change: { is_public: 'yes' }, field: 'is_public' },
  {
    change: { api_endpoint: 'https://other.example' },
    field: 'api_endpoint',
    message: 'endpoint and api_endpoint are the same field and must not differ',
  },
  {
    change: { model_size: '7B', model_size_params: '8B' },
    field: 'model_size_params',
    message: 'model_size and model_size_params are the same field and must not differ',
  },
  { change: { tls_version: '1.2', security_standards: { tls_version: '1.3' } }, field: 'security_standards' },
  { change: { version_number: 9 }, field: 'version_number', message: 'Unknown field "version_number"' },
  { change: { is_latest: true }, field: 'is_latest', message: 'Unknown field "is_latest"' },
  { change: { bundle_status: 'verified' }, field: 'bundle_status', message: 'Unknown field "bundle_status"' },
  { change: { is_demo: true }, field: 'is_demo', message: 'Unknown field "is_demo"' },
  {
    change: { provider_id: 'prv_06dh0e3x7c9bw4vjz2n8qk5ytm' },
    field: 'provider_id',
    message: 'Unknown field "provider_id"',
  },
]

it('names what is wrong in the words of the specification, and registers nothing', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme', { isVerified: false })
  for (const { change, field, message } of wrongFields) {
    const reply = await ask(`${world.address}/api/v1/models/register`, {
      method: 'POST',
      headers: { 'X-API-Key': acme.apiKey },
      body: { ...atlas, ...change },
    })
    const [error] = (reply.body.errors ?? []) as { loc: string[]; msg: string }[]
    expect({
      change,
      status: reply.status,
      code: reply.body.code,
      loc: error?.loc,
      msg: message && error?.msg,
    }).toEqual({
      change,
      status: 422,
      code: 'validation_failed',
      loc: ['body', field],
      msg: message,
    })
    expect(reply.text).not.toContain('secret')
  }
  const benchmarks = { mmlu: 101, humaneval: -1 }
  const reply = await ask(`${world.address}/api/v1/models/register`, {
    method: 'POST',
    headers: { 'X-API-Key': acme.apiKey },
    body: { ...atlas, performance_benchmarks: benchmarks },
  })
  expect((reply.body.errors as { pointer: string }[]).map(({ pointer }) => pointer)).toEqual([
    '#/performance_benchmarks/mmlu',
    '#/performance_benchmarks/humaneval',
  ])
  expect(await world.database.read.selectFrom('models').select('id').execute()).toEqual([])
})

describeEachEngine('the public list of models', (engine) => {
  it('shows the latest public versions of listed providers, and nothing else', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const shown = await acme.registerModel()
    await acme.registerModel({ is_public: false })
    await acme.client.models.archive(await acme.registerModel(), {})
    const unlisted = await world.provider('northwind', { isVerified: false, isListed: false })
    const byLink = await unlisted.registerModel()
    expect((await world.anyone.models.list().toArray()).map(({ id }) => id)).toEqual([shown])
    expect((await world.anyone.models.get(byLink)).id).toBe(byLink)
  })

  it('filters, searches and sorts, and treats % and _ literally', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const zulu = await world.provider('zulu', { isVerified: false })
    // Generated identifiers are searched as well, and may contain any digits.
    const rows = [
      {
        by: acme,
        api_model_identifier: 'beta',
        display_name: 'Beta 100#',
        context_window: 1_000,
        release_date: '2024-05',
      },
      { by: acme, api_model_identifier: 'one', display_name: 'alpha_one', context_window: 8_000, release_date: '2025' },
      {
        by: zulu,
        api_model_identifier: 'two',
        display_name: 'AlphaXone',
        context_window: 2_000,
        release_date: '2025-02-01',
      },
      { by: zulu, api_model_identifier: 'gamma', display_name: 'Gamma' },
    ]
    for (const { by, ...input } of rows) {
      await by.registerModel(input)
      world.clock.advance('1m')
    }
    const list = async (query: Parameters<typeof world.anyone.models.list>[0]) =>
      (await world.anyone.models.list(query)).models.map(({ display_name }) => display_name)
    expect(await list({})).toEqual(['Gamma', 'AlphaXone', 'alpha_one', 'Beta 100#'])
    expect(await list({ sort: 'name' })).toEqual(['alpha_one', 'AlphaXone', 'Beta 100#', 'Gamma'])
    expect(await list({ sort: 'context' })).toEqual(['alpha_one', 'AlphaXone', 'Beta 100#', 'Gamma'])
    expect((await list({ sort: 'provider' })).slice(0, 2).sort()).toEqual(['Beta 100#', 'alpha_one'])
    expect(await list({ search: '100%' })).toEqual(['Beta 100#'])
    expect(await list({ search: '%' })).toEqual([])
    expect(await list({ search: 'alpha_one' })).toEqual(['alpha_one'])
    expect(await list({ search: 'phaxo' })).toEqual(['AlphaXone'])
    expect(await list({ search: 'ALPHA', sort: 'name' })).toEqual(['alpha_one', 'AlphaXone'])
    expect(await list({ search: 'zulu', sort: 'name' })).toEqual(['AlphaXone', 'Gamma'])
    expect(await list({ search: "' or 1=1 --" })).toEqual([])
    expect(await list({ provider_id: zulu.id, sort: 'name' })).toEqual(['AlphaXone', 'Gamma'])
    expect(await list({ provider_id: 'nobody' })).toEqual([])
    expect(await list({ min_context_window: 2_000, sort: 'name' })).toEqual(['alpha_one', 'AlphaXone'])
    expect(await list({ max_context_window: 2_000, sort: 'name' })).toEqual(['AlphaXone', 'Beta 100#'])
    expect(await list({ release_year: 2025, sort: 'name' })).toEqual(['alpha_one', 'AlphaXone'])
    expect(await list({ is_active: 'true' })).toHaveLength(4)
    expect(await list({ is_active: 'false' })).toEqual([])
    expect(await list({ skip: 1, limit: 2, sort: 'name' })).toEqual(['AlphaXone', 'Beta 100#'])
  })

  it('returns every model once, page by page, in every order, while others are registered', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const first = []
    for (let index = 0; index < 8; index++) {
      if (index % 3 === 0) world.clock.advance('1s')
      first.push(
        await acme.registerModel({ display_name: ['Same', 'Other'][index % 2], context_window: [10, 20][index % 2] }),
      )
    }
    for (const sort of ['date', 'name', 'provider', 'context'] as const) {
      const seen: string[] = []
      for await (const { id } of world.anyone.models.list({ limit: 3, sort })) {
        seen.push(id)
        if (seen.length % 3 === 0 && seen.length < 15) await acme.registerModel({ display_name: 'Same' })
      }
      expect(new Set(seen).size, sort).toBe(seen.length)
      expect(
        first.every((id) => seen.includes(id)),
        sort,
      ).toBe(true)
    }
    const own = await acme.client.providers.models(acme.id, { limit: 2 }).toArray()
    expect(new Set(own.map(({ id }) => id)).size).toBe(own.length)
    expect(own.length).toBeGreaterThanOrEqual(8)
  })

  it('rejects a cursor of another list, with any content', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const broken = [
      cursorOf('Atlas', unknownId),
      cursorOf(1e300, unknownId),
      cursorOf(1.5, unknownId),
      cursorOf(1, 5),
      cursorOf(1),
      cursorOf(null, unknownId),
      'AAAA',
    ]
    for (const cursor of broken) {
      for (const path of ['models/public', `providers/${acme.id}/models`, 'deployments']) {
        const { status, body } = await ask(`${world.address}/api/v1/${path}?cursor=${cursor}`, {
          headers: { 'X-API-Key': acme.apiKey },
        })
        expect({ path, cursor, status, errors: body.errors }).toMatchObject({
          path,
          cursor,
          status: 422,
          errors: [{ loc: ['query', 'cursor'] }],
        })
      }
    }
  })
})

describeOnSqlite('a private model', (engine) => {
  it('looks to strangers exactly like a model that never existed', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const northwind = await world.provider('northwind')
    const model_id = await acme.registerModel({ is_public: false, display_name: 'Canary' })
    expect((await acme.client.models.get(model_id)).display_name).toBe('Canary')
    expect(await acme.client.models.countDeployments(model_id)).toEqual({ count: 0 })
    for (const headers of [{}, { 'X-API-Key': northwind.apiKey }, { 'X-API-Key': 'csk_revoked' }]) {
      for (const path of ['public', 'deployments/count']) {
        const url = (id: string) => `${world.address}/api/v1/models/${id}/${path}`
        const [hidden, unknown, malformed] = [
          await ask(url(model_id), { headers }),
          await ask(url(unknownId), { headers }),
          await ask(url('mdl_x'), { headers }),
        ]
        expect(hidden).toMatchObject({ status: 404, body: { code: 'not_found' } })
        expect(comparable(hidden)).toEqual(comparable(unknown))
        expect(comparable(malformed)).toEqual(comparable(unknown))
      }
    }
    const shown = JSON.stringify([
      await world.anyone.models.list(),
      await world.anyone.providers.get(acme.id),
      await world.anyone.providers.list(),
    ])
    expect(shown).not.toContain('Canary')
    expect(await world.anyone.providers.get(acme.id)).toMatchObject({ public_models: 0 })
  })

  it('is not revealed by adjacent versions', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const [one, two, three] = await registerVersions(acme, [true, true, false])
    expect(await world.anyone.models.get(two)).toMatchObject({
      predecessor_id: one,
      successor_id: null,
      latest_version_id: two,
      is_latest: true,
      is_active: true,
      is_archived: false,
      superseded_at: null,
    })
    expect(await world.anyone.models.get(one)).toMatchObject({
      successor_id: two,
      latest_version_id: two,
      is_archived: true,
    })
    expect(await acme.client.models.get(one)).toMatchObject({ latest_version_id: three })
    const stranger = JSON.stringify([await world.anyone.models.get(one), await world.anyone.models.get(two)])
    expect(stranger).not.toContain(three)
    expect(await world.anyone.models.list().toArray()).toMatchObject([{ id: two }])
    const { verification_url } = await acme.client.verifications.create({ model_id: two })
    expect((await world.anyone.verifications.get(verification_url)).model).toMatchObject({
      is_latest: true,
      superseded_at: null,
    })
    const { trust_score } = await world.anyone.providers.get(acme.id)
    await acme.registerModel({ is_public: false })
    expect((await world.anyone.providers.get(acme.id)).trust_score).toBe(trust_score)
  })

  it('is disclosed by a link that its owner mints, but still has no page', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel({ is_public: false })
    const { verification_url } = await acme.client.verifications.create({ model_id })
    expect((await world.anyone.verifications.get(verification_url)).model).toMatchObject({
      id: model_id,
      is_public: false,
    })
    await expect(world.anyone.models.get(model_id)).rejects.toMatchObject({ code: 'not_found' })
  })
})

describeOnSqlite('archiving a model', (engine) => {
  it('ends its links, minting and listing, keeps its record, and may be repeated by either method', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel()
    const { verification_url } = await acme.client.verifications.create({ model_id })
    const archived = await acme.client.models.archive(model_id, { reason: 'A flaw was found' })
    expect(archived).toMatchObject({ is_archived: true, is_active: false, is_latest: true, is_public: false })
    world.clock.advance('1m')
    expect(await acme.client.models.putArchive(model_id, {})).toEqual(archived)
    expect(await acme.client.models.archive(model_id)).toEqual(archived)
    const [row] = await world.database.read.selectFrom('models').select('archive_reason').execute()
    expect(row?.archive_reason).toBe('A flaw was found')

    await expect(world.anyone.verifications.get(verification_url)).rejects.toMatchObject({
      code: 'link_archived',
      reason: 'archived',
    })
    await expect(acme.client.verifications.create({ model_id })).rejects.toMatchObject({
      status: 409,
      code: 'model_archived',
    })
    expect(await world.anyone.models.list().toArray()).toEqual([])
    expect((await world.anyone.models.get(model_id)).is_archived).toBe(true)
    expect(await acme.client.providers.models(acme.id).toArray()).toEqual([])
    expect(await acme.client.providers.models(acme.id, { include_archived: 'true' }).toArray()).toHaveLength(1)
  })

  it('accepts PUT without a body, and gives the reason of the specification', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const model_id = await acme.registerModel()
    const reply = await ask(`${world.address}/api/v1/models/${model_id}/archive`, {
      method: 'PUT',
      headers: { 'X-API-Key': acme.apiKey },
    })
    expect(reply).toMatchObject({ status: 200, body: { is_archived: true } })
    const [row] = await world.database.read.selectFrom('models').select('archive_reason').execute()
    expect(row?.archive_reason).toBe('Provider archived')
  })

  it('differs from superseding: an older version mints, and its links stay valid with a notice', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const { model_id } = await acme.client.models.register(atlas)
    const before = await acme.client.verifications.create({ model_id })
    await acme.client.models.register({ ...atlas, version: '2', force_new_version: true })
    const after = await acme.client.verifications.create({ model_id })
    expect(before.warnings).toEqual([])
    expect(after.warnings).toEqual([expect.stringContaining('superseded')])
    for (const { verification_url } of [before, after]) {
      const link = await world.anyone.verifications.get(verification_url)
      expect(link).toMatchObject({ status: 'verified', model: { is_latest: false, archived_at: null } })
      expect(link.model?.superseded_at).not.toBeNull()
    }
    await acme.client.models.archive(model_id)
    await expect(world.anyone.verifications.get(before.verification_url)).rejects.toMatchObject({
      code: 'link_archived',
    })
    await expect(acme.client.verifications.create({ model_id })).rejects.toMatchObject({ code: 'model_archived' })
  })

  it('is its owner’s alone', async () => {
    const world = await createWorld({ engine })
    const [acme, northwind] = [await world.provider('acme'), await world.provider('northwind')]
    const model_id = await acme.registerModel()
    await expect(northwind.client.models.archive(model_id)).rejects.toMatchObject({ code: 'not_found' })
    await expect(northwind.client.verifications.create({ model_id })).rejects.toMatchObject({ code: 'not_found' })
    expect((await acme.client.models.get(model_id)).is_archived).toBe(false)
  })
})
