import { contract, Refusal } from '@countersign/sdk/contract'
import { expect, it } from 'vitest'
import { createIdempotency } from '../../server/src/http/idempotency.ts'
import { randomFingerprint } from '../support/actors.ts'
import { ask } from '../support/ask.ts'
import { describeEachEngine, openTestDatabase } from '../support/databases.ts'
import { createWorld } from '../support/world.ts'

const company = { company_name: 'Acme Inc', email: 'hello@acme.example', website: 'https://acme.example' }
const atlas = {
  display_name: 'Atlas',
  api_model_identifier: 'atlas',
  description: 'A model that answers questions.',
  endpoint: 'https://api.acme.example',
}

describeEachEngine('a repeated creation', (engine) => {
  it('under the same key gets the first response, word for word, and creates nothing', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const send = () =>
      ask(`${world.address}/api/v1/models/register`, {
        method: 'POST',
        headers: { 'X-API-Key': acme.apiKey, 'Idempotency-Key': 'one' },
        body: atlas,
      })
    const first = await send()
    world.clock.advance('23h')
    const second = await send()
    expect(second).toMatchObject({ status: 201, text: first.text, headers: { 'idempotency-replayed': 'true' } })
    expect(first.headers['idempotency-replayed']).toBeUndefined()
    expect(await world.database.read.selectFrom('models').select('id').execute()).toHaveLength(1)
    world.clock.advance('1h')
    expect((await send()).body.code).toBe('model_exists')
  })

  it('with another body, or for another resource, is rejected', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const { model_id } = await acme.client.models.register(atlas, { idempotencyKey: 'one' })
    await expect(
      acme.client.models.register({ ...atlas, display_name: 'Other' }, { idempotencyKey: 'one' }),
    ).rejects.toMatchObject({
      status: 422,
      code: 'idempotency_mismatch',
    })
    await expect(
      acme.client.deployments.register({ spki_fingerprint: randomFingerprint() }, { idempotencyKey: 'one' }),
    ).rejects.toMatchObject({ code: 'idempotency_mismatch' })
    const other = await acme.registerModel()
    const { deployment_id } = await acme.registerDeployment()
    await acme.client.models.allowDeployment(model_id, { deployment_id }, { idempotencyKey: 'two' })
    await expect(
      acme.client.models.allowDeployment(other, { deployment_id }, { idempotencyKey: 'two' }),
    ).rejects.toMatchObject({
      code: 'idempotency_mismatch',
    })
    expect(await acme.client.models.deployments(other).toArray()).toEqual([])
  })

  it('is independent for another provider', async () => {
    const world = await createWorld({ engine })
    const [acme, northwind] = [
      await world.provider('acme', { isVerified: false }),
      await world.provider('northwind', { isVerified: false }),
    ]
    const [one, two] = [
      await acme.client.models.register(atlas, { idempotencyKey: 'one' }),
      await northwind.client.models.register(atlas, { idempotencyKey: 'one' }),
    ]
    expect(one.model_id).not.toBe(two.model_id)
  })

  it('has to wait while the first is in progress, and says what to do if the first died; it is never done twice', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const send = () => acme.client.deployments.register({ spki_fingerprint: 'a'.repeat(64) }, { idempotencyKey: 'one' })
    const { deployment_id } = await send()
    await world.database.transaction((tx) =>
      tx.updateTable('idempotency').set({ state: 'in_flight', response: null }).execute(),
    )
    await expect(send()).rejects.toMatchObject({
      status: 409,
      code: 'idempotency_in_flight',
      retryable: true,
      retryAfterMs: 1_000,
    })
    await acme.client.deployments.delete(deployment_id)
    for (const time of ['61s', '23h'] as const) {
      world.clock.advance(time)
      await expect(send()).rejects.toMatchObject({
        status: 409,
        code: 'idempotency_unfinished',
        retryable: false,
        detail: expect.stringContaining('new key'),
      })
    }
    expect((await acme.client.deployments.list()).deployments).toEqual([])
    world.clock.advance('1h')
    expect((await send()).deployment_id).not.toBe(deployment_id)
  })

  it('returns only the ID of a created secret; the secret is not stored', async () => {
    const world = await createWorld({ engine })
    const first = await world.anyone.providers.register(company, { idempotencyKey: 'one' })
    const refusal = await world.anyone.providers.register(company, { idempotencyKey: 'one' }).catch((error) => error)
    expect(refusal).toMatchObject({
      status: 409,
      code: 'already_created',
      problem: { provider_id: first.provider_id, key_id: first.key_id },
    })
    expect(JSON.stringify(refusal.problem)).not.toContain('csk_')
    expect(await world.database.read.selectFrom('providers').select('id').execute()).toHaveLength(1)
    expect(JSON.stringify(await world.database.read.selectFrom('idempotency').selectAll().execute())).not.toMatch(
      /csk_|countersign=/,
    )
  })

  it('after an error may be corrected under the same key', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    await acme.client.models.register(atlas)
    await expect(acme.client.models.register(atlas, { idempotencyKey: 'one' })).rejects.toMatchObject({
      code: 'model_exists',
    })
    expect(
      (await acme.client.models.register({ ...atlas, api_model_identifier: 'atlas-2' }, { idempotencyKey: 'one' }))
        .version_number,
    ).toBe(1)
  })

  it('is not a replay for someone whose key was revoked', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    await acme.client.models.register(atlas, { idempotencyKey: 'one' })
    await world.database.transaction((tx) => tx.updateTable('api_keys').set({ revoked_at: 1 }).execute())
    await expect(acme.client.models.register(atlas, { idempotencyKey: 'one' })).rejects.toMatchObject({
      code: 'unauthorized',
    })
  })

  it('does not apply to minting: each call creates another link', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const model_id = await acme.registerModel()
    const mint = () => acme.client.verifications.create({ model_id }, { headers: { 'Idempotency-Key': 'one' } })
    expect((await mint()).verification_id).not.toBe((await mint()).verification_id)
  })
})

it('rejects malformed keys', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme', { isVerified: false })
  for (const key of ['k'.repeat(256), 'a b', '']) {
    const reply = await ask(`${world.address}/api/v1/models/register`, {
      method: 'POST',
      headers: { 'X-API-Key': acme.apiKey, 'Idempotency-Key': key },
      body: atlas,
    })
    expect(reply, key).toMatchObject({ status: 400, body: { code: 'bad_request' } })
  }
})

describeEachEngine('a key whose work has an unknown outcome', (engine) => {
  const attempt = {
    endpoint: contract.models.register,
    key: 'k-1',
    principal: 'prv_1',
    params: undefined,
    body: { a: 1 },
  }

  it('stays taken, so that nothing is done twice, and is free again after an error', async () => {
    const database = await openTestDatabase(engine)
    const idempotency = createIdempotency({ database, now: () => 1_000 })
    const failWith = (error: Error) => idempotency.once(attempt, () => Promise.reject(error))
    await expect(failWith(new Refusal('model_exists'))).rejects.toMatchObject({ code: 'model_exists' })
    await expect(failWith(new Refusal('unavailable'))).rejects.toMatchObject({ code: 'unavailable' })
    await expect(failWith(Object.assign(new Error('rolled back'), { code: '40001' }))).rejects.toThrow('rolled back')
    await expect(failWith(new Error('the connection broke while committing'))).rejects.toThrow('committing')
    let isDoneAgain = false
    const again = idempotency.once(attempt, async () => {
      isDoneAgain = true
      return { status: 201, answer: {} }
    })
    await expect(again).rejects.toMatchObject({ code: 'idempotency_in_flight' })
    expect(isDoneAgain).toBe(false)
  })
})
