import type { ReactNode } from 'react'
import { dashboard } from '#messages/dashboard.ts'
import { Empty } from '../../../ui/layout/empty.tsx'
import { CodeBlock } from '../../../ui/values/code-block.tsx'

const words = dashboard.firstStep

interface FirstStepProps {
  /** That there is nothing yet. */
  heading: string
  /** What the first step is and what comes of it. */
  text: string
  /** The line that does it on the command line. */
  command: string
  /** The button that does it here. */
  children?: ReactNode
}

/** Stands where a list has nothing yet: the first step, here and on the command line. */
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
