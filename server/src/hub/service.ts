import { invalidField, notFound, type SyncedModel } from '@countersign/sdk/contract'
import type { Caller } from '../http/callers.ts'
import type { ModelService } from '../models/service.ts'
import type { Hub } from '../outbound/hub.ts'
import { takenOver } from './rules.ts'

interface Deps {
  models: ModelService
  hub: Hub
}

export const createHubService = ({ models, hub }: Deps) => ({
  /** Reads what the model's card on the hub declares, at one commit. */
  async sync(caller: Caller, id: string, given: string | undefined): Promise<SyncedModel> {
    const row = await models.getVisible(caller, id)
    if (row.provider_id !== caller.provider_id) throw notFound()
    const hubId = given || row.huggingface_model_id || hub.idOf(row.huggingface_url ?? '')
    if (!hubId) throw invalidField('huggingface_model_id', 'Name the model on the hub, such as acme/atlas')
    if (!hub.isId(hubId)) throw invalidField('huggingface_model_id', 'Must be a model on the hub, such as acme/atlas')
    const found = await hub.read(hubId)
    const changed = await models.takeOver(caller, id, {
      action: 'model.synced',
      fields: (current) => takenOver(found, current, (url) => hub.idOf(url) !== undefined),
    })
    const updated_fields = changed.filter((name) => name !== 'huggingface_revision')
    return {
      message:
        updated_fields.length === 0
          ? 'Nothing to change: the model already matches the hub'
          : 'Model updated from the hub',
      updated_fields,
      huggingface_model_id: found.id,
      revision: found.sha,
    }
  },
})

export type HubService = ReturnType<typeof createHubService>
