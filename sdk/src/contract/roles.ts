import type { Scope } from './endpoint.ts'

/** What members of a provider may be. */
export const roles = ['owner', 'admin', 'publisher', 'responder', 'viewer'] as const
/** The role of a member. */
export type Role = (typeof roles)[number]

/** What a member may do, as scopes of keys; null: everything except what only owners may do. */
export const scopesOfRole = {
  owner: null,
  admin: null,
  publisher: ['read', 'links', 'models', 'deployments'],
  responder: ['read', 'incidents'],
  viewer: ['read'],
} as const satisfies Record<Role, readonly Scope[] | null>
