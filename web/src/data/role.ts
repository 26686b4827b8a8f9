import type { Role } from '@countersign/sdk/contract'
import useSWR from 'swr'
import { client } from './client.ts'
import type { Action } from './role-rules.ts'
import { useCredentials } from './session.ts'

/** What is known of the person's companies; the rules only if they limit the person, which spares owners 1 kB. */
const readMembership = async () => {
  const { providers } = await client.members.providers()
  const role = providers.find(({ is_current }) => is_current)?.role ?? 'owner'
  return { companies: providers, role, rules: role === 'owner' ? undefined : await import('./role-rules.ts') }
}

const useMembershipRead = () => {
  const { apiKey, token } = useCredentials()
  const { data, error } = useSWR(token === null ? null : ['own-companies', apiKey], readMembership)
  return { data, isLoading: token !== null && data === undefined && error === undefined }
}

const useMembership = () => useMembershipRead().data

/** The companies of the signed-in person; undefined while loading, and without a session. */
export const useCompanies = () => useMembership()?.companies

/** The role in the company of this tab. If it could not be read, it counts as an owner’s, because the registry decides anyway. */
export const useRole = (): Role => useMembership()?.role ?? 'owner'

/**
 * Says which actions the role allows, so that the page offers no others: none until the role is known. Every role may do what is
 * undefined.
 */
export const useMay = () => {
  const { data: known, isLoading } = useMembershipRead()
  return (action: Action | undefined) =>
    action === undefined || (!isLoading && (known?.rules?.roleMay(known.role, action) ?? true))
}

/** Says which roles may do what this one may not. */
export const useRolesThatMay = () => {
  const rules = useMembership()?.rules
  return (action: Action): readonly Role[] => rules?.rolesThatMay(action) ?? []
}
