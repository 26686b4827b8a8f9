import { type Provider, tagOfProvider } from '@countersign/sdk/contract'
import { client } from '../../../data/client.ts'
import { refreshOwnProvider } from '../../../data/provider.ts'
import { endSession } from '../../../data/session.ts'

/** Saves name or website, if `before` is still what is stored. Returns how that affected the domain's proof. */
export const changeOrganization = async (before: Provider, changes: { company_name?: string; website?: string }) => {
  const headers = { 'If-Match': tagOfProvider(before) }
  const saved = await client.providers.update(before.id, changes, { headers })
  await refreshOwnProvider()
  return saved
}

export const setActive = async (id: Provider['id'], isActive: boolean) => {
  await (isActive ? client.providers.reactivate(id, {}) : client.providers.deactivate(id, {}))
  await refreshOwnProvider()
}

export const deleteAccount = (id: Provider['id']) => client.providers.delete(id)

export const eraseMe = (current_password: string | undefined) => client.account.deleteMe({ current_password })

/** The session is deleted with the account, so the browser forgets it. */
export const forgetAccount = () => endSession()
