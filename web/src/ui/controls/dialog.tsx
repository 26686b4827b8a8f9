import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type ReactNode, useRef } from 'react'
import { site } from '#messages/site.ts'
import { focusPageMain } from '../layout/page-main.tsx'
import { Button } from './button.tsx'

interface DialogProps {
  isOpen: boolean
  onClose: () => void
  title: string
  /** One sentence under the title. */
  description?: string
  children: ReactNode
}

/** A modal dialog. Escape and its button close it, and the focus returns to where it was. */
export const Dialog = ({ isOpen, onClose, title, description, children }: DialogProps) => {
  const cameFrom = useRef<Element | null>(null)
  // Radix returns the focus only to its own trigger, which we don't use.
  const giveBack = (event: Event) => {
    event.preventDefault()
    if (cameFrom.current instanceof HTMLElement && cameFrom.current.isConnected) cameFrom.current.focus()
    // The element may be gone after the dialog's action.
    else focusPageMain()
  }
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-20 bg-[rgb(0_0_0/0.5)] motion-safe:animate-fade" />
        <Radix.Content
          onOpenAutoFocus={() => {
            cameFrom.current = document.activeElement
          }}
          onCloseAutoFocus={giveBack}
          {...(description === undefined && { 'aria-describedby': undefined })}
          className="fixed inset-x-0 bottom-0 z-20 mx-auto max-h-[92dvh] w-full max-w-record overflow-y-auto rounded-t-surface border border-line bg-surface p-5 shadow-lg motion-safe:animate-fade sm:inset-y-0 sm:my-auto sm:h-fit sm:rounded-surface sm:p-6"
        >
          <div className="flex items-start justify-between gap-4">
            <Radix.Title className="pt-1.5 font-bold text-h2">{title}</Radix.Title>
            <Radix.Close asChild>
              <Button look="icon" aria-label={site.dialog.close} className="-me-2">
                <X aria-hidden size={18} />
              </Button>
            </Radix.Close>
          </div>
          {description !== undefined && (
            <Radix.Description className="mt-1 text-muted text-small">{description}</Radix.Description>
          )}
          <div className="mt-5">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
