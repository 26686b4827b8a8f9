import type { Tx } from './schema.ts'

interface Ended {
  provider_id: string
  actor: string
  /** All models of the provider if absent. */
  model_id?: string
}

interface Trail {
  record: (
    tx: Tx,
    event: { provider_id: string; actor: string; action: 'model.sample_removed'; subject: readonly ['model', string] },
  ) => Promise<void>
}

/** The operator chose what the landing page showed then. After a change to it, the operator has to choose again. */
export const endSamples = async (tx: Tx, events: Trail, { provider_id, actor, model_id }: Ended): Promise<void> => {
  let own = tx.selectFrom('models').select('id').where('provider_id', '=', provider_id)
  if (model_id !== undefined) own = own.where('id', '=', model_id)
  const ended = await tx.deleteFrom('samples').where('model_id', 'in', own).returning('model_id').execute()
  for (const { model_id: id } of ended)
    await events.record(tx, { provider_id, actor, action: 'model.sample_removed', subject: ['model', id] })
}
