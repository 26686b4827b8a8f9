import type { ReactNode } from 'react'
import { Button } from '../ui/controls/button.tsx'

interface SubmitButtonProps {
  isSending: boolean
  /** Its label while sending. */
  sending: string
  /** Nothing can be sent yet. */
  isIdle?: boolean
  look?: 'primary' | 'danger'
  className?: string
  children: ReactNode
}

/** Keeps the focus while sending, and can't be pressed twice. The progress is announced, because the form may have been sent with Enter. */
export const SubmitButton = ({
  isSending,
  sending,
  isIdle = false,
  look = 'primary',
  className,
  children,
}: SubmitButtonProps) => (
  <>
    <Button type="submit" look={look} aria-disabled={isSending || isIdle} className={className}>
      {isSending ? sending : children}
    </Button>
    <span role="status" className="sr-only">
      {isSending ? sending : ''}
    </span>
  </>
)
