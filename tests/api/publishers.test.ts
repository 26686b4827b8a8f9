import { createHmac, createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto'
import { tokenExchange } from '@countersign/sdk/contract'
import { expect, it, onTestFinished } from 'vitest'
import { ask } from '../support/ask.ts'
import { type CiIssuer, type Claims, forge, githubJob, gitlabJob, startCiIssuer } from '../support/ci-issuer.ts'
import { describeOnSqlite, type Engine } from '../support/databases.ts'
import { call, createTargets, rows } from '../support/tour.ts'
import { createWorld, type WorldOptions } from '../support/world.ts'

const kinds = ['github', 'gitlab', 'other'] as const
const release = { kind: 'github', repository: 'acme/models', workflow: 'release.yml' } as const

/** A registry that accepts the tokens of one issuer, as those of GitHub, of GitLab and of neither. */
const createCiWorld = async (engine: Engine, options: WorldOptions = {}) => {
  const ci = await startCiIssuer()
  onTestFinished(ci.close)
  const world = await createWorld({
    engine,
    egressAllow: [ci.hostAndPort],
    oidcIssuers: kinds.map((kind) => ({ kind, issuer: ci.issuer })),
    ...options,
  })
  /** Tokens use the real clock, which cannot be moved. */
  const catchUp = () => world.clock.advance(`${Math.max(0, Date.now() - world.clock.now())}ms`)
  const exchange = (subject_token: string, provider_id: string) => {
    catchUp()
    return world.anyone.publishers.exchange({
      grant_type: tokenExchange.grantType,
      subject_token,
      subject_token_type: tokenExchange.idToken,
      provider_id,
    })
  }
  const publish = async (provider_id: string, claims?: Claims) =>
    exchange(await ci.token(world.publicUrl, claims), provider_id)
  const trust = (owner: Awaited<ReturnType<typeof world.provider>>, more: object = {}) =>
    owner.client.publishers.add({ ...release, issuer: ci.issuer, ...more })
  return { ...world, ci, exchange, publish, trust }
}

const newModel = {
  display_name: 'Atlas Chat',
  api_model_identifier: 'atlas',
  version: '1.0.0',
  description: 'A model that answers questions about maps.',
  endpoint: 'https://api.acme.example/v1',
}

/** Valid except for what a test changes. */
const claimsFor = ({ ci, publicUrl }: { ci: CiIssuer; publicUrl: string }, changes: Claims = {}): Claims => {
  const at = Math.floor(Date.now() / 1_000)
  return {
    ...githubJob(),
    iss: ci.issuer,
    aud: publicUrl,
    sub: 'job',
    jti: randomUUID(),
    iat: at,
    exp: at + 300,
    ...changes,
  }
}

describeOnSqlite('a trusted publisher', (engine) => {
  it('registers, versions and uploads bundles for 15 minutes, without a key, and the trail names it and its run', async () => {
    const world = await createCiWorld(engine)
    const acme = await world.provider('acme')
    const publisher = await world.trust(acme)
    expect(publisher).toMatchObject({
      ...release,
      issuer: world.ci.issuer,
      repository_id: null,
      environment: null,
      last_used_at: null,
    })
    const answer = await world.publish(acme.id)
    expect(answer).toEqual({
      access_token: expect.stringMatching(/^csk_/),
      issued_token_type: tokenExchange.accessToken,
      token_type: 'Bearer',
      expires_in: 900,
      scope: 'publish',
      provider_id: acme.id,
      publisher_id: publisher.id,
    })
    const job = world.client(answer.access_token)
    expect((await job.providers.me()).id).toBe(acme.id)
    const { model_id } = await job.models.register(newModel)
    const next = await job.models.register({ ...newModel, version: '2.0.0', force_new_version: true })
    expect((await job.providers.models(acme.id).toArray()).map(({ id }) => id)).toContain(next.model_id)
    expect((await job.bundles.status(next.model_id)).model_id).toBe(next.model_id)

    const actor = `${publisher.id} run 8123456789, attempt 1`
    const { events } = await acme.client.account.events({ subject_id: model_id })
    expect(events.at(-1)).toMatchObject({ action: 'model.registered', actor })
    const { events: uses } = await acme.client.account.events({ subject_id: publisher.id })
    expect(uses.map(({ action }) => action)).toEqual(['publisher.used', 'publisher.added'])
    expect(uses[0]).toMatchObject({
      actor,
      subject_name: 'acme/models',
      after: { ref: 'refs/heads/main', sha: 'a'.repeat(40), event_name: 'push' },
    })
    const { publishers, audience } = await acme.client.publishers.list()
    expect(audience).toBe(world.publicUrl)
    expect(publishers).toMatchObject([
      { id: publisher.id, repository_id: '740112233', repository_owner_id: '9001', last_refusal: null },
    ])
    expect(publishers[0]?.last_used_at).not.toBeNull()
    // It is not a key of the account, and only its hash is stored.
    expect(await acme.client.keys.list()).toHaveLength(1)
    const stored = await world.database.read.selectFrom('api_keys').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain(answer.access_token)

    world.clock.advance('899s')
    await job.providers.me()
    world.clock.advance('1s')
    await expect(job.providers.me()).rejects.toMatchObject({ code: 'unauthorized' })
  })

  it('only publishes: every other endpoint rejects its token', async () => {
    const world = await createCiWorld(engine)
    const { owner, targets } = await createTargets(world)
    await world.trust(owner)
    const { access_token } = await world.publish(owner.id)
    const may: string[] = []
    for (const { name, row } of rows.filter(({ row: { caller } }) => caller !== 'public')) {
      const reply = await call(world, row, targets[name], { apiKey: access_token })
      if (row.publisher) {
        expect(reply.body.code, name).not.toBe('forbidden')
        may.push(name)
      } else if (row.caller === 'provider' || row.method !== 'GET')
        expect({ name, code: reply.body.code }).toEqual({ name, code: 'forbidden' })
    }
    expect(may.sort()).toEqual([
      'bundles.status',
      'bundles.upload',
      'bundles.verify',
      'models.files',
      'models.get',
      'models.latest',
      'models.register',
      'providers.me',
      'providers.models',
    ])
    // Nor can it create another publisher's key.
    await expect(world.exchange(access_token, owner.id)).rejects.toMatchObject({ code: 'identity_token_invalid' })
  })

  it('is added and removed only with full access to the account', async () => {
    const world = await createCiWorld(engine)
    const acme = await world.provider('acme')
    const { api_key } = await acme.client.keys.create({ name: 'Account', scopes: ['account', 'read', 'models'] })
    const restricted = world.client(api_key)
    const input = { ...release, issuer: world.ci.issuer }
    const publisher = await (await world.session(acme)).client.publishers.add(input)
    for (const attempt of [restricted.publishers.add(input), restricted.publishers.remove(publisher.id)])
      await expect(attempt).rejects.toMatchObject({ code: 'forbidden' })
    // Publishers appear in the trail for everyone who may read it.
    expect((await restricted.publishers.list()).publishers).toEqual([publisher])
    await expect(acme.client.publishers.add({ ...input, repository: 'Acme/Models' })).rejects.toMatchObject({
      code: 'publisher_exists',
      problem: { existing_publisher: { id: publisher.id } },
    })
    await expect(
      acme.client.publishers.add({ ...input, issuer: 'https://ci.northwind.example' }),
    ).rejects.toMatchObject({
      code: 'validation_failed',
      detail: expect.stringContaining(`${world.ci.issuer} for GitHub workflows, `),
    })
    const northwind = await world.provider('northwind')
    await expect(northwind.client.publishers.remove(publisher.id)).rejects.toMatchObject({ code: 'not_found' })
    expect((await northwind.client.publishers.list()).publishers).toEqual([])
  })

  it('stops at the next request once it is removed, or its provider is gone', async () => {
    const world = await createCiWorld(engine)
    const acme = await world.provider('acme')
    const { id } = await world.trust(acme)
    const job = world.client((await world.publish(acme.id)).access_token)
    await job.providers.me()
    await acme.client.publishers.remove(id)
    await expect(job.providers.me()).rejects.toMatchObject({ code: 'unauthorized' })
    await expect(world.publish(acme.id)).rejects.toMatchObject({ code: 'publisher_mismatch' })
    await world.trust(acme)
    await acme.client.providers.deactivate(acme.id, {})
    await expect(world.publish(acme.id)).rejects.toMatchObject({ code: 'publisher_mismatch' })
    await acme.client.providers.delete(acme.id)
    expect(await world.database.read.selectFrom('trusted_publishers').select('id').execute()).toEqual([])
  })

  it('is the original repository, not a later one with the same name', async () => {
    const world = await createCiWorld(engine)
    const acme = await world.provider('acme')
    const { id } = await world.trust(acme)
    await world.publish(acme.id)
    const sayOf = (claims: Claims) =>
      world.publish(acme.id, githubJob(claims)).then(
        () => 'taken',
        (error) => ({ code: error.code, claim: error.problem.claim, detail: error.detail }),
      )
    const recreated = await sayOf({ repository_id: '999' })
    // The owner of the recreated repository learns no more than someone who was never trusted.
    const never = await sayOf({ repository: 'acme/others', repository_id: '999' })
    expect(recreated).toMatchObject({ code: 'publisher_mismatch', claim: 'repository' })
    expect(never).toEqual({
      ...(recreated as object),
      detail: (recreated as { detail: string }).detail.replace('acme/models', 'acme/others'),
    })
    expect(await sayOf({ repository_owner_id: '999' })).toMatchObject({
      code: 'publisher_mismatch',
      claim: 'repository',
    })
    expect((await acme.client.publishers.list()).publishers[0]?.last_refusal).toMatchObject({
      claim: 'repository_owner_id',
    })
    // However often this is tried, the owner's trail gets one event.
    const refusals = async () =>
      (await acme.client.account.events({ subject_id: id })).events.filter(
        ({ action }) => action === 'publisher.refused',
      )
    expect(await refusals()).toMatchObject([{ actor: 'visitor', after: { claim: 'repository_id', token_says: '999' } }])
  })

  it('belongs to its own provider and does not affect others, even with the same repository', async () => {
    const world = await createCiWorld(engine)
    const [acme, northwind] = [await world.provider('acme'), await world.provider('northwind')]
    await world.trust(acme)
    const foreign = await northwind.registerModel({ is_public: false })
    const job = world.client((await world.publish(acme.id)).access_token)
    await expect(job.models.get(foreign)).rejects.toMatchObject({ code: 'not_found' })
    await expect(job.bundles.verify(foreign, {})).rejects.toMatchObject({ code: 'not_found' })
    const refused = (id: string) => world.publish(id).catch((error) => ({ code: error.code, detail: error.detail }))
    // A provider that trusts no publisher and one that does not exist get the same error.
    const nobody = await refused(northwind.id)
    expect(nobody).toMatchObject({ code: 'publisher_mismatch' })
    expect(await refused(`prv_${'0'.repeat(26)}`)).toEqual(nobody)
    // Another provider that trusts the same repository does not affect it.
    await world.trust(northwind)
    expect((await world.publish(acme.id)).provider_id).toBe(acme.id)
  })

  it('shows a job and its owner which claim is wrong', async () => {
    const world = await createCiWorld(engine)
    for (const { what, changes, claim } of [
      {
        what: 'a pull request',
        changes: { event_name: 'pull_request', ref: 'refs/pull/7/merge' },
        claim: 'event_name',
      },
      {
        what: 'a pull request in the context of its target',
        changes: { event_name: 'pull_request_target' },
        claim: 'event_name',
      },
      { what: 'a run that another run began', changes: { event_name: 'workflow_run' }, claim: 'event_name' },
      { what: 'a ref of a pull request', changes: { ref: 'refs/pull/7/merge' }, claim: 'ref' },
      {
        what: 'another workflow',
        changes: { job_workflow_ref: 'acme/models/.github/workflows/ci.yml@refs/heads/main' },
        claim: 'job_workflow_ref',
      },
      {
        what: 'a workflow of the same name elsewhere',
        changes: { job_workflow_ref: 'mallory/models/.github/workflows/release.yml@refs/heads/main' },
        claim: 'job_workflow_ref',
      },
      {
        what: 'the workflow of another branch',
        changes: { job_workflow_ref: 'acme/models/.github/workflows/release.yml@refs/heads/other' },
        claim: 'job_workflow_ref',
      },
      { what: 'no environment', changes: {}, claim: 'environment' },
      { what: 'another environment', changes: { environment: 'staging' }, claim: 'environment' },
      {
        what: 'a fork',
        changes: { repository: 'mallory/models', repository_id: '31', repository_owner_id: '32' },
        claim: 'repository',
      },
    ]) {
      const acme = await world.provider(`acme${randomUUID().slice(0, 8)}`, { isVerified: false })
      const { id } = await world.trust(acme, { environment: 'release' })
      const refused = await world
        .publish(acme.id, githubJob(changes))
        .catch(({ status, code, problem }) => ({ status, code, claim: problem.claim }))
      expect({ what, refused }).toEqual({ what, refused: { status: 403, code: 'publisher_mismatch', claim } })
      const { events } = await acme.client.account.events({ subject_id: id })
      if (claim === 'repository') expect(events).toHaveLength(1)
      else expect(events[0]).toMatchObject({ action: 'publisher.refused', after: { claim } })
    }
    const acme = await world.provider('acme')
    await world.trust(acme, { environment: 'release' })
    expect((await world.publish(acme.id, githubJob({ environment: 'Release' }))).scope).toBe('publish')
  })

  it('is a pipeline of GitLab, or any subject at an accepted issuer', async () => {
    const world = await createCiWorld(engine)
    const acme = await world.provider('acme')
    const { issuer } = world.ci
    const gitlab = await acme.client.publishers.add({ kind: 'gitlab', issuer, repository: 'acme/models' })
    expect(gitlab).toMatchObject({ workflow: '.gitlab-ci.yml', repository_id: null })
    expect((await world.publish(acme.id, gitlabJob(issuer))).publisher_id).toBe(gitlab.id)
    expect((await acme.client.publishers.list()).publishers[0]).toMatchObject({
      repository_id: '5577',
      repository_owner_id: '33',
    })
    for (const [claim, changes] of [
      ['pipeline_source', { pipeline_source: 'merge_request_event' }],
      [
        'ci_config_ref_uri',
        { ci_config_ref_uri: `${new URL(issuer).host}/acme/models//.gitlab-ci.yml@refs/merge-requests/4/head` },
      ],
      ['ci_config_ref_uri', { ci_config_ref_uri: 'gitlab.com/acme/models//.gitlab-ci.yml@refs/heads/main' }],
      ['project_path', { project_id: '1' }],
    ] as const)
      await expect(world.publish(acme.id, gitlabJob(issuer, changes))).rejects.toMatchObject({
        code: 'publisher_mismatch',
        problem: { claim },
      })
    const other = await acme.client.publishers.add({ kind: 'other', issuer, subject: 'job' })
    expect((await world.publish(acme.id, {})).publisher_id).toBe(other.id)
  })
})

describeOnSqlite('an identity token', (engine) => {
  it('works once, even if it is used many times concurrently', async () => {
    const world = await createCiWorld(engine)
    const acme = await world.provider('acme')
    await world.trust(acme)
    const token = await world.ci.token(world.publicUrl)
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => world.exchange(token, acme.id)))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const tried of tries)
      if (tried.status === 'rejected')
        expect(tried.reason).toMatchObject({ code: 'identity_token_invalid', problem: { claim: 'jti' } })
    await expect(world.exchange(token, acme.id)).rejects.toMatchObject({ problem: { claim: 'jti' } })
    // Used tokens are deleted once they have expired, and so are the keys they gave.
    world.clock.advance('2d')
    await world.jobs.run('cleanup')
    expect(await world.database.read.selectFrom('used_identity_tokens').select('hash').execute()).toEqual([])
    expect(
      await world.database.read.selectFrom('api_keys').select('id').where('publisher_id', 'is not', null).execute(),
    ).toEqual([])
    await expect(world.exchange(token, acme.id)).rejects.toMatchObject({ problem: { claim: 'exp' } })
  })

  it('is rejected if any part of it is wrong', async () => {
    const world = await createCiWorld(engine)
    const acme = await world.provider('acme')
    await world.trust(acme)
    const { ci } = world
    const at = Math.floor(Date.now() / 1_000)
    const header = { alg: 'RS256', kid: ci.kid }
    const publicPem = createPublicKey(ci.signingKey).export({ type: 'spki', format: 'pem' })
    const stranger = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey
    const signed = (changes: Claims, head: object = header) => forge(head, claimsFor(world, changes), ci.signingKey)
    const cases: [what: string, token: string, claim: string][] = [
      ['not a token', 'nonsense', 'token'],
      ['unsigned', forge({ alg: 'none', kid: ci.kid }, claimsFor(world)), 'token'],
      ['unsigned, with something after it', `${forge({ alg: 'none', kid: ci.kid }, claimsFor(world))}AAAA`, 'alg'],
      [
        'signed with the public key',
        forge({ alg: 'HS256', kid: ci.kid }, claimsFor(world), undefined, (text) =>
          createHmac('sha256', publicPem).update(text).digest(),
        ),
        'alg',
      ],
      ['of another kind of key', signed({}, { alg: 'ES256', kid: ci.kid }), 'signature'],
      ['of a key that is not published', signed({}, { alg: 'RS256', kid: 'mine' }), 'signature'],
      ['signed by someone else', forge(header, claimsFor(world), stranger), 'signature'],
      [
        'with a key of its own',
        forge({ ...header, jwk: createPublicKey(stranger).export({ format: 'jwk' }) }, claimsFor(world), stranger),
        'signature',
      ],
      ['with a critical header', signed({}, { ...header, crit: ['b64'] }), 'token'],
      ['without a key ID', signed({}, { alg: 'RS256' }), 'token'],
      ['for another registry', signed({ aud: 'https://registry.northwind.example' }), 'aud'],
      ['for two', signed({ aud: [world.publicUrl, 'https://registry.northwind.example'] }), 'aud'],
      ['for nobody', signed({ aud: undefined }), 'aud'],
      ['ended', signed({ iat: at - 400, exp: at - 31 }), 'exp'],
      ['without an expiry', signed({ exp: undefined }), 'exp'],
      ['of the future', signed({ iat: at + 3_600, exp: at + 7_200 }), 'iat'],
      ['not valid yet', signed({ nbf: at + 3_600 }), 'nbf'],
      ['that is too old', signed({ iat: at - 100_000 }), 'iat'],
      ['without a jti', signed({ jti: undefined }), 'jti'],
    ]
    for (const [what, token, claim] of cases) {
      const shown = await world.exchange(token, acme.id).then(
        () => 'taken',
        ({ status, code, problem }) => ({ status, code, claim: problem.claim, error: problem.error }),
      )
      expect({ what, shown }).toEqual({
        what,
        shown: { status: 400, code: 'identity_token_invalid', claim, error: 'invalid_grant' },
      })
    }
    // Services that receive such tokens cannot write to the owner's list.
    expect((await acme.client.publishers.list()).publishers).toMatchObject([{ last_refusal: null }])
    // The correct one is accepted.
    expect((await world.exchange(signed({ aud: [world.publicUrl] }), acme.id)).scope).toBe('publish')
  })

  it('of an unaccepted issuer causes no outgoing request', async () => {
    const world = await createCiWorld(engine)
    const mallory = await startCiIssuer()
    onTestFinished(mallory.close)
    const acme = await world.provider('acme')
    await world.trust(acme)
    const token = await mallory.token(world.publicUrl)
    mallory.requests.length = 0
    await expect(world.exchange(token, acme.id)).rejects.toMatchObject({
      code: 'identity_token_invalid',
      problem: { claim: 'iss' },
    })
    expect(mallory.requests).toEqual([])
    expect(world.ci.requests).toEqual([])
  })

  it("is checked with cached keys, which follow the issuer's changes and are not fetched repeatedly", async () => {
    const world = await createCiWorld(engine)
    const acme = await world.provider('acme')
    await world.trust(acme)
    const lookups = () => world.ci.requests.filter((path) => path.startsWith('/.well-known/')).length
    await world.publish(acme.id)
    await world.publish(acme.id)
    expect(lookups()).toBe(1)
    const unknown = () => forge({ alg: 'RS256', kid: 'mine' }, claimsFor(world), world.ci.signingKey)
    for (let index = 0; index < 5; index++)
      await expect(world.exchange(unknown(), acme.id)).rejects.toMatchObject({ problem: { claim: 'signature' } })
    expect(lookups()).toBe(1)
    world.ci.rotate()
    world.clock.advance('61s')
    expect((await world.publish(acme.id)).scope).toBe('publish')
    expect(lookups()).toBe(2)
    // Known keys stay valid while the issuer is away, for a day.
    const later = () => {
      const at = Math.floor(world.clock.now() / 1_000)
      return forge(
        { alg: 'RS256', kid: world.ci.kid },
        claimsFor(world, { iat: at, exp: at + 300 }),
        world.ci.signingKey,
      )
    }
    world.ci.breakDown()
    world.clock.advance('16m')
    expect((await world.exchange(later(), acme.id)).scope).toBe('publish')
    world.clock.advance('24h')
    await expect(world.exchange(later(), acme.id)).rejects.toMatchObject({ status: 502, code: 'upstream_unavailable' })
  })

  it('is accepted only in the form of RFC 8693, and is not a credential by itself', async () => {
    const world = await createCiWorld(engine)
    const acme = await world.provider('acme')
    await world.trust(acme)
    const token = await world.ci.token(world.publicUrl)
    const good = {
      grant_type: tokenExchange.grantType,
      subject_token: token,
      subject_token_type: tokenExchange.jwt,
      provider_id: acme.id,
    }
    const url = `${world.address}/api/v1/auth/oidc/token`
    for (const wrong of [
      { grant_type: 'password' },
      { subject_token_type: tokenExchange.accessToken },
      { subject_token: '' },
      { scope: 'account' },
    ])
      expect((await ask(url, { method: 'POST', body: { ...good, ...wrong } })).status).toBe(422)
    await expect(world.client(token).providers.me()).rejects.toMatchObject({ code: 'unauthorized' })
    expect((await ask(url, { method: 'POST', body: good })).status).toBe(200)
  })
})
