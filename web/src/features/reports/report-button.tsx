import type { Incident } from '@countersign/sdk/contract'
import { type ComponentProps, lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { Button } from '../../ui/controls/button.tsx'
import type { ReportDraft } from './report-dialog.tsx'

// The form is larger than the page that opens it.
const load = () => import('./report-dialog.tsx')
const preload = () => void load().catch(() => undefined)
const ReportDialog = lazy(() => load().then(({ ReportDialog }) => ({ default: ReportDialog })))

interface ReportButtonProps {
  modelId?: string | undefined
  /** A link, its code or its token; makes the report a verified one. */
  verificationToken?: string | undefined
  category?: Incident['category']
  onReported?: () => void
  look?: ComponentProps<typeof Button>['look']
  children: ReactNode
}

/** Opens the report dialog, whose code loads when the pointer comes near. */
export const ReportButton = ({ children, look = 'plain', ...report }: ReportButtonProps) => {
  const [isOpen, setIsOpen] = useState(false)
  // Escape or a click beside the dialog must not lose the text.
  const draft = useRef<ReportDraft>(undefined)
  return (
    <>
      <Button
        look={look}
        aria-haspopup="dialog"
        onPointerEnter={preload}
        onFocus={preload}
        onClick={() => setIsOpen(true)}
      >
        {children}
      </Button>
      {isOpen && (
        <Suspense>
          <ReportDialog
            {...report}
            draft={draft.current}
            onClose={(left) => {
              draft.current = left
              setIsOpen(false)
            }}
          />
        </Suspense>
      )}
    </>
  )
}
