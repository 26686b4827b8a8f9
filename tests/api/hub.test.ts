import { expect, it } from 'vitest'
import { describeOnSqlite, type Engine } from '../support/databases.ts'
import { startEndpointServer } from '../support/endpoint-server.ts'
import { commit } from '../support/hub-server.ts'
import { createWorld } from '../support/world.ts'

const startWithHub = async (engine: Engine, hubToken?: string) => {
  const world = await createWorld({ engine, ...(hubToken !== undefined && { hubToken }) })
  return { world, hub: world.hub, acme: await world.provider('acme', { isVerified: false }) }
}

describeOnSqlite('reading a model’s card on the hub', (engine) => {
  it('imports what the card declares, at one commit, and nothing else', async () => {
    const { hub, world, acme } = await startWithHub(engine)
    hub.publish('acme/atlas', {
      sha: commit('a'),
      pipeline_tag: 'text-generation',
      cardData: { language: ['en', 'nb'], license: 'apache-2.0', base_model: 'acme/base', description: 'canary' },
      tags: ['transformers', 'arxiv:2307.09288', 'license:apache-2.0', 'base_model:acme/base'],
    })
    const model_id = await acme.registerModel({ language: 'Klingon' })
    const before = await acme.client.models.get(model_id)
    const synced = await acme.client.models.syncHuggingface(model_id, { huggingface_model_id: 'acme/atlas' })
    expect(synced).toEqual({
      message: 'Model updated from the hub',
      updated_fields: [
        'huggingface_model_id',
        'huggingface_url',
        'language',
        'model_card_url',
        'paper_url',
        'capabilities',
      ],
      huggingface_model_id: 'acme/atlas',
      revision: commit('a'),
    })
    const declared = {
      huggingface_model_id: 'acme/atlas',
      huggingface_url: `${hub.endpoint}/acme/atlas`,
      language: 'English, Norwegian Bokmål',
      model_card_url: `${hub.endpoint}/acme/atlas/blob/${commit('a')}/README.md`,
      paper_url: 'https://arxiv.org/abs/2307.09288',
      capabilities: ['text-generation'],
    }
    expect(await acme.client.models.get(model_id)).toEqual({ ...before, ...declared })
    expect(await acme.client.models.syncHuggingface(model_id, {})).toMatchObject({
      updated_fields: [],
      revision: commit('a'),
    })

    hub.publish('acme/atlas', { sha: commit('b'), cardData: { language: 'de' } })
    expect((await acme.client.models.syncHuggingface(model_id, {})).updated_fields).toEqual([
      'language',
      'model_card_url',
    ])
    expect(await acme.client.models.get(model_id)).toEqual({
      ...before,
      ...declared,
      language: 'German',
      model_card_url: declared.model_card_url.replace(commit('a'), commit('b')),
    })
    const { edit_history } = await acme.client.models.history(model_id)
    expect(edit_history).toContainEqual(expect.objectContaining({ field_name: 'language', old_value: 'Klingon' }))
    expect(edit_history).toContainEqual(
      expect.objectContaining({ field_name: 'huggingface_revision', new_value: commit('b') }),
    )
    expect(hub.seen.every(({ url }) => url === '/api/models/acme/atlas')).toBe(true)
    const other = await world.provider('northwind', { isVerified: false })
    await expect(other.client.models.syncHuggingface(model_id, {})).rejects.toMatchObject({ code: 'not_found' })
    expect(hub.seen).toHaveLength(3)
  })

  it('finds the model by its page address, even after a rename', async () => {
    const { hub, acme } = await startWithHub(engine)
    hub.publish('acme-labs/atlas', { sha: commit('c') })
    hub.move('acme/atlas', '/api/models/acme-labs/atlas')
    const model_id = await acme.registerModel({ huggingface_url: `${hub.endpoint}/acme/atlas/tree/main` })
    expect(await acme.client.models.syncHuggingface(model_id, {})).toMatchObject({
      huggingface_model_id: 'acme-labs/atlas',
      revision: commit('c'),
    })
  })

  it('sends its token to the hub only, and follows no redirect away from it', async () => {
    const { hub, acme } = await startWithHub(engine, 'hf_canary')
    const elsewhere = await startEndpointServer()
    hub.publish('acme/atlas', { sha: commit('d') })
    hub.move('acme/away', `${elsewhere.url}/api/models/acme/atlas`)
    hub.move('acme/loop', '/api/models/acme/loop')
    hub.move('acme/odd', '/api/models/../../x')
    const model_id = await acme.registerModel()
    const sync = (huggingface_model_id: string) =>
      acme.client.models.syncHuggingface(model_id, { huggingface_model_id })
    await sync('acme/atlas')
    expect(hub.seen).toEqual([{ url: '/api/models/acme/atlas', authorization: 'Bearer hf_canary' }])
    for (const id of ['acme/away', 'acme/loop', 'acme/odd'])
      await expect(sync(id)).rejects.toMatchObject({ status: 422, code: 'upstream_refused' })
    expect(elsewhere.seen.requests).toEqual([])
  })

  it('reports what is missing for models that are not public, and changes nothing', async () => {
    const { hub, world, acme } = await startWithHub(engine, 'hf_member')
    hub.admit('hf_member')
    hub.publish('acme/private', { sha: commit('e'), private: true, cardData: { language: 'en' } })
    hub.publish('acme/gated', { sha: commit('f'), gated: 'manual', cardData: { language: 'en' } })
    const model_id = await acme.registerModel()
    const before = await world.database.read.selectFrom('models').selectAll().execute()
    const sync = (huggingface_model_id: string) =>
      acme.client.models.syncHuggingface(model_id, { huggingface_model_id }).catch((error) => error)
    const [missing, hidden, gated] = [await sync('acme/missing'), await sync('acme/private'), await sync('acme/gated')]
    for (const error of [missing, hidden, gated]) expect(error).toMatchObject({ status: 422, code: 'upstream_refused' })
    // The registry's own token must not reveal its owner's private models.
    expect(hidden.detail.replace('private', 'missing')).toBe(missing.detail)
    expect(gated.detail).toContain('gated')
    expect(await world.database.read.selectFrom('models').selectAll().execute()).toEqual(before)
  })

  it('rejects an invalid model ID before any request', async () => {
    const { hub, acme } = await startWithHub(engine)
    const model_id = await acme.registerModel()
    const ids = [
      '',
      'acme/atlas/x',
      '../atlas',
      'acme/..',
      'acme/at las',
      'acme/atlas?x=1',
      '//evil.example/x',
      'acme%2f..%2fx',
      '-x',
      'a'.repeat(150),
    ]
    for (const huggingface_model_id of ids) {
      const refused = await acme.client.models
        .syncHuggingface(model_id, { huggingface_model_id })
        .catch((error) => error)
      expect({ huggingface_model_id, status: refused.status, code: refused.code }).toEqual({
        huggingface_model_id,
        status: 422,
        code: 'validation_failed',
      })
    }
    expect(hub.seen).toEqual([])
  })

  it('distinguishes a hub that does not answer from one that answers nonsense, without quoting it', async () => {
    const { hub, world, acme } = await startWithHub(engine)
    const model_id = await acme.registerModel({ huggingface_model_id: 'acme/atlas' })
    const sync = () => acme.client.models.syncHuggingface(model_id, {}).catch((error) => error)
    for (const status of [500, 503, 429]) {
      hub.fail(status)
      const failed = await sync()
      expect(failed).toMatchObject({ status: 502, code: 'upstream_unavailable', retryable: true })
      expect(JSON.stringify(failed)).not.toContain('canary')
    }
    hub.fail(200)
    expect(await sync()).toMatchObject({ status: 422, code: 'upstream_refused' })
    hub.fail(undefined)
    hub.publish('acme/atlas', { sha: 'main' })
    expect(await sync()).toMatchObject({ status: 422, code: 'upstream_refused' })

    hub.fail('hang up')
    expect(await sync()).toMatchObject({ status: 502, code: 'upstream_unavailable' })
    expect((await world.anyone.models.get(model_id)).language).toBeNull()
  })
})
