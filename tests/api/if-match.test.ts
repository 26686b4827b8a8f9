import { expect, it } from 'vitest'
import { describeEachEngine } from '../support/databases.ts'
import { createWorld } from '../support/world.ts'

const changed = { status: 412, code: 'changed_elsewhere' }

describeEachEngine('an edit with If-Match', (engine) => {
  it('is saved only if the record has not changed since it was read', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const readTag = async (answer: { withResponse: () => Promise<{ response: Response }> }) =>
      (await answer.withResponse()).response.headers.get('ETag') ?? ''
    const ifMatch = (tag: string) => ({ headers: { 'If-Match': tag } })

    const first = await readTag(acme.client.providers.me())
    expect(first).toMatch(/^"\w+"$/)
    const second = await readTag(acme.client.providers.update(acme.id, { hq_city: 'Oslo' }, ifMatch(first)))
    expect(second).toBe(await readTag(acme.client.providers.me()))
    await expect(acme.client.providers.update(acme.id, { hq_city: 'Bergen' }, ifMatch(first))).rejects.toMatchObject(
      changed,
    )
    expect((await acme.client.providers.me()).hq_city).toBe('Oslo')
    for (const tag of [second, '*', `"other", ${second}`])
      await acme.client.providers.update(acme.id, { hq_city: 'Oslo' }, ifMatch(tag))

    const model = await acme.registerModel()
    const tagOfModel = await readTag(acme.client.models.get(model))
    await acme.client.models.quickEdit(model, { description: 'Knows maps and roads.' }, ifMatch(tagOfModel))
    await expect(
      acme.client.models.quickEdit(model, { description: 'Knows only maps.' }, ifMatch(tagOfModel)),
    ).rejects.toMatchObject(changed)
    expect((await acme.client.models.get(model)).description).toBe('Knows maps and roads.')

    const { incident_id } = await world.anyone.incidents.report({
      model_id: model,
      category: 'other',
      title: 'Glue on pizza',
      description: 'It said glue.',
    })
    const tagOfReport = await readTag(acme.client.incidents.get(incident_id))
    const answers = await Promise.allSettled(
      ['We look into it.', 'It was us.'].map((response) =>
        acme.client.incidents.respond(incident_id, { status: 'investigating', response }, ifMatch(tagOfReport)),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(answers.find(({ status }) => status === 'rejected')).toMatchObject({ reason: changed })
    expect(await readTag(world.anyone.models.get(model))).toBe('')
  })
})
