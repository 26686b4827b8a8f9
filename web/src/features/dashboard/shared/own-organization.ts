import type { Provider } from '@countersign/sdk/contract'
import { client } from '../../../data/client.ts'
import { refreshOwnProvider } from '../../../data/provider.ts'
import { endSession } from '../../../data/session.ts'

/** Saves who the provider is. Answers what that did to the proof of its domain. */
export const changeOrganization = async (id: Provider['id'], changes: { company_name?: string; website?: string }) => {
  const saved = await client.providers.update(id, changes)
  await refreshOwnProvider()
  return saved
}

export const setActive = async (id: Provider['id'], isActive: boolean) => {
  await (isActive ? client.providers.reactivate(id, {}) : client.providers.deactivate(id, {}))
  await refreshOwnProvider()
}

export const deleteAccount = (id: Provider['id']) => client.providers.delete(id)

/** The session went with the account: the browser forgets it, too. */
export const forgetAccount = () => endSession()
