import { Refusal } from '@countersign/sdk/contract'
import type { Tx } from '../db/schema.ts'
import type { Operator, OperatorCommand } from '../operator/command.ts'
import { alignRows, cutLine } from '../operator/lines.ts'
import { deleteSample, findSampleModel, insertSample, listSamples } from './store.ts'

const list = async ({ database, now, print }: Operator) => {
  const rows = (await listSamples(database.read, now())).map(
    ({ model_id, display_name, version, domain, proven_at }) => [
      model_id,
      domain === null ? '-' : `${domain}${proven_at === null ? ' (not proven now)' : ''}`,
      JSON.stringify(`${display_name ?? ''} ${version ?? ''}`.trim()),
    ],
  )
  for (const line of alignRows(rows)) print(cutLine(line))
}

const change = async (
  { database, events, now, print }: Operator,
  id: string,
  {
    action,
    write,
    refusal,
    done,
  }: { action: 'added' | 'removed'; write: (tx: Tx) => Promise<unknown>; refusal: string; done: string },
) => {
  await database.transaction(async (tx) => {
    const model = await findSampleModel(tx, id, now())
    if (action === 'added') {
      if (!model) throw new Refusal('not_found', `There is no public model ${id}.`)
      if (model.proven_at === null)
        throw new Refusal('domain_not_proven', `The provider of ${id} has no proven domain, so it cannot be a sample.`)
      if (model.archived_at !== null)
        throw new Refusal('model_archived', `${id} was withdrawn, so the landing page does not show it.`)
      if (model.superseded_at !== null)
        throw new Refusal('bad_request', `There is a newer public version of ${id}. Add that one.`)
      if (model.listed_id === null)
        throw new Refusal('bad_request', `${id} is not listed, so the landing page does not show it.`)
    }
    if (!(await write(tx))) throw new Refusal('not_found', refusal)
    await events.record(tx, {
      provider_id: model?.provider_id ?? 'registry',
      actor: 'operator',
      action: `model.sample_${action}`,
      subject: ['model', id],
    })
  })
  print(done)
}

export const samplesCommand: OperatorCommand = {
  usage: [
    ['samples list', 'list models that the landing page may show'],
    ['samples add MODEL', 'let the landing page show a public model'],
    ['samples remove MODEL', 'stop showing a model there'],
  ],
  run: async (operator, [action, id, ...rest]) => {
    if (rest.length > 0) return false
    if (action === 'list' && id === undefined) await list(operator)
    else if (action === 'add' && id !== undefined)
      await change(operator, id, {
        action: 'added',
        write: (tx) => insertSample(tx, { model_id: id, at: operator.now() }),
        refusal: `The model ${id} is already a sample.`,
        done: `The landing page may show ${id}.`,
      })
    else if (action === 'remove' && id !== undefined)
      await change(operator, id, {
        action: 'removed',
        write: (tx) => deleteSample(tx, id),
        refusal: `The model ${id} is not a sample.`,
        done: `The landing page no longer shows ${id}.`,
      })
    else return false
    return true
  },
}
