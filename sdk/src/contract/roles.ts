/** What members of a provider may do, the most powerful first. */
export const roles = ['owner', 'admin', 'publisher', 'responder', 'viewer'] as const
/** The role of a member. */
export type Role = (typeof roles)[number]
