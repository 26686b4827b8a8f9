import type { Provider } from '@countersign/sdk/contract'
import { client } from '../../../data/client.ts'
import { refreshOwnProvider } from '../../../data/provider.ts'
import { endSession } from '../../../data/session.ts'

/** Saves name or website. Returns how that affected the domain's proof. */
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

export const eraseMe = () => client.account.deleteMe()

/** The session is deleted with the account, so the browser forgets it. */
export const forgetAccount = () => endSession()
