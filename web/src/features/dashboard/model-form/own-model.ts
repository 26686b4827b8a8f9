import { useCredentials } from '../../../data/session.ts'
import { useModel } from '../../models/use-model.ts'

/** A model of the signed-in provider; otherwise only reports that it isn't, because the address may name any public model. */
export const useOwnModel = (id: string) => {
  const { providerId } = useCredentials()
  const { model, failure, again } = useModel(id)
  const isOthers = model !== undefined && model.provider_id !== providerId
  return { model: isOthers ? undefined : model, isOthers, failure, again }
}
