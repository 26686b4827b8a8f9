import { Refusal, type Role } from '@countersign/sdk/contract'

export const invitationLifetimeMs = 7 * 24 * 3_600_000
export const maxInvitations = 20

const forOwners = (what: string) => new Refusal('forbidden', `Only owners may ${what}.`)
const lastOwner = () =>
  new Refusal('last_owner', 'This is the only owner. Invite another owner first, or delete the provider.')

/** Why a caller may not invite someone for a role, or change an invitation for it. */
export const invitationRefusal = ({ caller, role }: { caller: Role; role: Role }): Refusal | undefined =>
  role === 'owner' && caller !== 'owner' ? forOwners('invite owners') : undefined

interface Change {
  /** The caller’s role. */
  caller: Role
  /** The member’s role. */
  member: Role
  /** How many owners the provider has. */
  owners: number
}

/** Why a caller may not take a member’s role, by changing it or by removing them. */
export const changeRefusal = ({
  caller,
  member,
  owners,
  isSelf,
}: Change & { isSelf: boolean }): Refusal | undefined => {
  if (!isSelf && caller !== 'owner' && caller !== 'admin')
    return new Refusal('forbidden', 'Only owners and admins may change members.')
  if (!isSelf && member === 'owner' && caller !== 'owner') return forOwners('change or remove owners')
  return member === 'owner' && owners < 2 ? lastOwner() : undefined
}

/** What is left of a key’s scopes if its maker may do less; undefined if nothing is. Null: everything. */
export const scopesWithin = <S extends string>(
  key: readonly S[] | null,
  maker: readonly S[] | null,
): readonly S[] | null | undefined => {
  if (maker === null) return key
  if (key === null) return maker
  const left = key.filter((scope) => maker.includes(scope))
  return left.length === 0 ? undefined : left
}
