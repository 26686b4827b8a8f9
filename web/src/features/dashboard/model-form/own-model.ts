import { useCredentials } from '../../../data/session.ts'
import { useModel } from '../../models/use-model.ts'

/** One of the signed-in provider's own. Of somebody else's nothing is told but that: an address may name any public model. */
export const useOwnModel = (id: string) => {
  const { providerId } = useCredentials()
  const { model, failure, again } = useModel(id)
  const isOthers = model !== undefined && model.provider_id !== providerId
  return { model: isOthers ? undefined : model, isOthers, failure, again }
}
