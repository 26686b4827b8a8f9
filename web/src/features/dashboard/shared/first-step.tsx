import type { ReactNode } from 'react'
import { dashboard } from '#messages/dashboard.ts'
import { Empty } from '../../../ui/layout/empty.tsx'
import { CodeBlock } from '../../../ui/values/code-block.tsx'

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
}

/** Shown in place of an empty list: the first step, here and on the command line. */
export const FirstStep = ({ heading, text, command, children }: FirstStepProps) => (
  <Empty heading={heading}>
    <p>{text}</p>
    {children}
    <div className="w-full">
      <p className="mb-2">{words.command}</p>
      <CodeBlock code={command} what={words.what} />
    </div>
  </Empty>
)
