import type { Role } from '@countersign/sdk/contract'

const plural: Record<Role, string> = {
  owner: 'owners',
  admin: 'admins',
  publisher: 'publishers',
  responder: 'responders',
  viewer: 'viewers',
}
const listOf = new Intl.ListFormat('en', { type: 'conjunction' })

/** For members whose role does not allow it. */
export const onlyRoles = (roles: readonly Role[], what: 'do' | 'change' = 'do') =>
  `Only ${listOf.format(roles.map((role) => plural[role]))} can ${what} this.`
