import type { ReactNode } from 'react'
import { onlyRoles } from '#messages/dashboard/roles.ts'
import { useMay, useRolesThatMay } from '../../../data/role.ts'
import type { Action } from '../../../data/role-rules.ts'

/** Says which roles may do what this one may not. */
export const useRoleWords = () => {
  const rolesThatMay = useRolesThatMay()
  return (action: Action, what?: 'do' | 'change') => onlyRoles(rolesThatMay(action), what)
}

interface AllowedProps {
  /** Undefined: every role may. */
  action: Action | undefined
  /** Says which roles may do it, where a missing button would leave a hole. */
  isExplained?: boolean
  children?: ReactNode
}

/** Shows its content only to members whose role allows the action. */
export const Allowed = ({ action, isExplained = false, children }: AllowedProps) => {
  const may = useMay()
  const roleWords = useRoleWords()
  if (action === undefined || may(action)) return children
  return isExplained && <p className="max-w-prose text-muted text-small">{roleWords(action, 'change')}</p>
}
