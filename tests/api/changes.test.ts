import { ChangeStaged } from '@countersign/sdk'
import { expect, it } from 'vitest'
import { randomFingerprint } from '../support/actors.ts'
import { describeOnSqlite } from '../support/databases.ts'
import { insertPresence, protect } from '../support/presence.ts'
import { shareWorld, type World } from '../support/world.ts'

const password = 'a quiet heron at dawn'

/** A session of a person, with a passkey of theirs that counts. */
const signIn = async (world: World, { api_key }: { api_key: string }) => {
  const client = world.client(api_key)
  const person_id = (await client.members.list()).members.find(({ is_you }) => is_you)?.person_id ?? ''
  const session_id = (await client.auth.sessions()).sessions.find(({ is_current }) => is_current)?.id ?? ''
  return {
    client,
    protect: () => protect(world, person_id),
    proven: () => insertPresence(world, { session_id, person_id }),
  }
}

/** A provider with an owner who is signed in and has a passkey. */
const createCompany = async (world: World, name: string) => {
  const company = await world.provider(name)
  const { client, proven, ...owner } = await signIn(world, await world.session(company))
  await owner.protect()
  return { company, key: company.client, owner: client, proven }
}

const stagedBy = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => undefined,
    (caught: unknown) => caught,
  )
  expect(error).toBeInstanceOf(ChangeStaged)
  return (error as ChangeStaged).change
}

describeOnSqlite('changes that a key asks for', (engine) => {
  const shared = shareWorld({ engine })

  it('wait for approval, and then happen once', async () => {
    const world = shared()
    const { company, key, owner, proven } = await createCompany(world, 'acme')
    const change = await stagedBy(key.keys.create({ name: 'release', scopes: ['models'] }))
    expect(change).toMatchObject({
      endpoint: 'keys.create',
      state: 'open',
      actor: company.keyId,
      body: { name: 'release' },
    })
    expect((await key.keys.list()).map(({ name }) => name)).not.toContain('release')
    const mail = (await world.mails('acme@acme.example')).at(-1)
    expect(mail?.subject).toBe('A change waits for your approval')
    // The name of a key is no part of what the registry says.
    expect(mail?.text).toMatch(new RegExp(`Asked for by API key ${company.keyId}, which is called:\\s+> \\w+`))

    await expect(key.changes.approve(change.id)).rejects.toMatchObject({ code: 'presence_required' })
    await expect(owner.changes.approve(change.id)).rejects.toMatchObject({ code: 'presence_required' })
    const presence = await proven()
    const approvals = await Promise.allSettled(
      Array.from({ length: 4 }, () => owner.changes.approve(change.id, {}, presence)),
    )
    const [approved] = approvals.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    expect(approvals.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const each of approvals)
      if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'already_decided' })
    expect(approved?.change).toMatchObject({ state: 'approved', body: null, decided_by: 'acme@acme.example' })
    const made = approved?.result as { api_key: string } | undefined
    expect((await world.client(made?.api_key).providers.me()).id).toBe(company.id)
    expect((await key.keys.list()).filter(({ name }) => name === 'release')).toHaveLength(1)
  })

  it('are counted exactly when many come at once', async () => {
    const world = shared()
    const { key, owner } = await createCompany(world, 'northwind')
    const add = async (workflow: string): Promise<unknown> => {
      const { issuer } = world.jobIssuer
      const added = key.publishers.add({ kind: 'github', issuer, repository: 'northwind/models', workflow })
      // On a busy machine, those at the end of the queue get 503 with Retry-After.
      return added.catch((error) => (error.status === 503 ? add(workflow) : Promise.reject(error)))
    }
    const staged = await Promise.allSettled(Array.from({ length: 24 }, (_, index) => add(`w${index}.yml`)))
    const codes = staged.map((each) => (each.status === 'rejected' ? each.reason.code : 'done'))
    expect(codes.filter((code) => code === 'change_staged')).toHaveLength(20)
    expect(codes.filter((code) => code === 'too_many_changes')).toHaveLength(4)
    expect((await owner.changes.list()).changes.filter(({ state }) => state === 'open')).toHaveLength(20)
  })

  it('that stop something happen at once, three times an hour', async () => {
    const world = shared()
    const { company, key, owner } = await createCompany(world, 'fabrikam')
    const ids: string[] = []
    for (let index = 0; index < 5; index++) ids.push((await company.registerDeployment()).deployment_id)
    const ends = await Promise.allSettled(ids.map((id) => key.deployments.delete(id)))
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    for (const id of ids.filter((_, index) => ends[index]?.status === 'rejected')) {
      await stagedBy(key.deployments.delete(id))
      await owner.deployments.delete(id)
    }
    world.clock.advance('61m')
    const { deployment_id } = await company.registerDeployment()
    await key.deployments.setStatus(deployment_id, { status: 'disabled' })
    await key.keys.revoke(company.keyId)
  })

  it('include the fourth archive within 24 hours', async () => {
    const world = shared()
    const { company, key, owner } = await createCompany(world, 'contoso')
    const ids = [1, 2, 3, 4, 5].map(() => company.registerModel())
    const archived = await Promise.allSettled((await Promise.all(ids)).map((id) => key.models.archive(id, {})))
    expect(archived.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    const model_id = await company.registerModel()
    await stagedBy(key.models.archive(model_id, {}))
    await expect(owner.models.archive(model_id, {})).rejects.toMatchObject({ code: 'presence_required' })
    world.clock.advance('25h')
    await key.models.archive(model_id, {})
  })
})

describeOnSqlite('a staged change', (engine) => {
  const shared = shareWorld({ engine })

  it('is checked when it is staged, and again when it is approved', async () => {
    const world = shared()
    const { company, key, owner, proven } = await createCompany(world, 'acme')
    const model_id = await company.registerModel()
    const { deployment_id, spki_fingerprint } = await company.registerDeployment()
    await expect(
      key.models.allowDeployment(model_id, { deployment_id: deployment_id.replace(/.$/, 'x') }),
    ).rejects.toMatchObject({ code: 'not_found' })
    const change = await stagedBy(key.models.allowDeployment(model_id, { deployment_id }))
    expect((await stagedBy(key.models.allowDeployment(model_id, { deployment_id }))).id).toBe(change.id)
    // People do not know IDs.
    expect(change.names).toEqual({ [model_id]: 'Atlas Chat 1.0.0', [deployment_id]: spki_fingerprint })
    await owner.deployments.delete(deployment_id)
    await expect(owner.changes.approve(change.id, {}, await proven())).rejects.toMatchObject({ code: 'not_found' })
    expect(await owner.changes.get(change.id)).toMatchObject({ state: 'open' })
  })

  it('is another one with another If-Match: the first may never be possible again', async () => {
    const { company, key, owner, proven } = await createCompany(shared(), 'proseware')
    const readTag = async () =>
      (await owner.providers.me().withResponse()).response.headers.get('ETag') ?? expect.unreachable()
    const rename = (tag: string) =>
      stagedBy(key.providers.update(company.id, { company_name: 'Proseware Foods' }, { headers: { 'If-Match': tag } }))
    const tag = await readTag()
    const stale = await rename(tag)
    expect((await rename(tag)).id).toBe(stale.id)
    await owner.providers.update(company.id, { support_email: 'help@proseware.example' }, await proven())
    const fresh = await rename(await readTag())
    const approve = async ({ id }: { id: string }) => owner.changes.approve(id, {}, await proven())
    await expect(approve(stale)).rejects.toMatchObject({ code: 'changed_elsewhere' })
    await approve(fresh)
    expect((await owner.providers.me()).company_name).toBe('Proseware Foods')
  })

  it('needs a role that may make the call', async () => {
    const world = shared()
    const { owner, key, proven } = await createCompany(world, 'northwind')
    const change = await stagedBy(key.domains.add({ domain: 'more.example' }))
    await owner.members.invite({ email: 'bo@northwind.example', role: 'publisher' }, await proven())
    const token =
      new URL((await world.mails('bo@northwind.example')).at(-1)?.link ?? '').searchParams.get('token') ?? ''
    const bo = await signIn(world, await world.anyone.members.accept({ token, password }))
    await expect(bo.client.changes.approve(change.id)).rejects.toMatchObject({ code: 'presence_required' })
    const { members } = await owner.members.list()
    const bos = members.find(({ email }) => email === 'bo@northwind.example')?.person_id ?? ''
    const demoted = await stagedBy(key.members.setRole(bos, { role: 'viewer' }))
    expect(demoted.names).toEqual({ [bos]: 'bo@northwind.example' })
    expect((await owner.changes.list()).changes[0]?.names).toEqual(demoted.names)
    const { api_key } = await owner.keys.create({ name: 'Reports', scopes: ['read'] }, await proven())
    const restricted = world.client(api_key).changes
    expect((await restricted.list()).changes.map(({ names }) => names)).toEqual([{}, {}])
    expect((await restricted.get(demoted.id)).names).toEqual({})
    await bo.protect()
    await expect(bo.client.changes.approve(change.id, {}, await bo.proven())).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(bo.client.changes.reject(change.id)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(bo.client.changes.get(change.id)).resolves.toMatchObject({ state: 'open' })
  })

  it('expires after seven days, and can be rejected or taken back', async () => {
    const world = shared()
    const { owner, key } = await createCompany(world, 'fabrikam')
    const [late, unwanted, back] = [
      await stagedBy(key.domains.add({ domain: 'late.example' })),
      await stagedBy(key.domains.add({ domain: 'unwanted.example' })),
      await stagedBy(key.domains.add({ domain: 'back.example' })),
    ]
    expect(await owner.changes.reject(unwanted.id)).toMatchObject({
      state: 'rejected',
      decided_by: 'fabrikam@fabrikam.example',
    })
    expect(await key.changes.reject(back.id)).toMatchObject({ state: 'rejected', decided_by: null })
    world.clock.advance('8d')
    const again = await signIn(world, await world.anyone.auth.login({ email: 'fabrikam@fabrikam.example', password }))
    const presence = await again.proven()
    for (const { id } of [late, unwanted, back])
      await expect(again.client.changes.approve(id, {}, presence)).rejects.toMatchObject({ code: 'already_decided' })
    expect((await again.client.changes.get(late.id)).state).toBe('expired')
    expect((await stagedBy(key.domains.add({ domain: 'late.example' }))).id).not.toBe(late.id)
  })

  it('is answered again to a repeated request with the same Idempotency-Key', async () => {
    const world = shared()
    const { owner, key } = await createCompany(world, 'wingtip')
    const create = () => stagedBy(key.keys.create({ name: 'more' }, { idempotencyKey: 'once' }))
    const change = await create()
    await owner.changes.reject(change.id)
    expect((await create()).id).toBe(change.id)
  })

  it('of another provider does not exist', async () => {
    const world = shared()
    const { key } = await createCompany(world, 'contoso')
    const { owner: other, proven } = await createCompany(world, 'tailspin')
    const presence = await proven()
    const change = await stagedBy(key.keys.create({ name: 'more' }))
    for (const call of [
      () => other.changes.get(change.id),
      () => other.changes.approve(change.id, {}, presence),
      () => other.changes.reject(change.id),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'not_found' })
  })

  it('is never made for a provider without a factor', async () => {
    const world = shared()
    const company = await world.provider('adatum')
    const model_id = await company.registerModel()
    const { deployment_id } = await company.client.deployments.register({ spki_fingerprint: randomFingerprint() })
    await company.client.models.allowDeployment(model_id, { deployment_id })
    await company.client.keys.create({ name: 'more' })
    expect((await company.client.changes.list()).changes).toEqual([])
  })
})
