import type { Role } from '@countersign/sdk/contract'
import { needs, rolesWith } from './needs.ts'

/** An endpoint that not every role may call. */
export type Action = keyof typeof needs

/** The roles that may call an endpoint. */
export const rolesThatMay = (action: Action): readonly Role[] => rolesWith[needs[action]]

/** Whether a member with this role may call an endpoint. */
export const roleMay = (role: Role, action: Action): boolean => rolesThatMay(action).includes(role)

/** Whether the name of an endpoint is an action; other endpoints are open to every role. */
export const isAction = (name: string): name is Action => Object.hasOwn(needs, name)
