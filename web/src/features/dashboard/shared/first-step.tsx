import type { ReactNode } from 'react'
import { dashboard } from '#messages/dashboard.ts'
import { useMay } from '../../../data/role.ts'
import type { Action } from '../../../data/role-rules.ts'
import { Empty } from '../../../ui/layout/empty.tsx'
import { CodeBlock } from '../../../ui/values/code-block.tsx'
import { Allowed } from './allowed.tsx'

const words = dashboard.firstStep

interface FirstStepProps {
  /** Says that the list is empty. */
  heading: string
  /** Explains the first step. */
  text: string
  /** The equivalent command. */
  command: string
  /** The button that starts it. */
  children?: ReactNode
  /** What the step does; members who may not do it read who may. */
  action?: Action
}

/** Shown in place of an empty list: the first step, here and on the command line. */
export const FirstStep = ({ heading, text, command, children, action }: FirstStepProps) => {
  const may = useMay()
  if (action !== undefined && !may(action))
    return (
      <Empty heading={heading}>
        <Allowed action={action} isExplained />
      </Empty>
    )
  return (
    <Empty heading={heading}>
      <p>{text}</p>
      {children}
      <div className="w-full">
        <p className="mb-2">{words.command}</p>
        <CodeBlock code={command} what={words.what} />
      </div>
    </Empty>
  )
}
