import type { ReactNode } from 'react'
import { Button } from '../ui/controls/button.tsx'

interface SubmitButtonProps {
  isSending: boolean
  /** Its label meanwhile. */
  sending: string
  /** Nothing can be sent yet. */
  isIdle?: boolean
  className?: string
  children: ReactNode
}

/** Keeps the focus while it works, and cannot be pressed twice. That it works is said aloud: it may have been sent by Enter. */
export const SubmitButton = ({ isSending, sending, isIdle = false, className, children }: SubmitButtonProps) => (
  <>
    <Button type="submit" look="primary" aria-disabled={isSending || isIdle} className={className}>
      {isSending ? sending : children}
    </Button>
    <span role="status" className="sr-only">
      {isSending ? sending : ''}
    </span>
  </>
)
