import { lazy, Suspense } from 'react'
import { useUnsaved } from './use-unsaved.ts'

// Asked seldom; what watches over what was typed is there from the beginning.
const UnsavedQuestion = lazy(() => import('./unsaved-question.tsx').then((module) => ({ default: module.UnsavedQuestion })))

interface UnsavedDialogProps {
  isUnsaved: boolean
  /** What was typed is given up: a draft of it can be forgotten. */
  onLeave?: () => void
}

/** Asks before a change of place loses what was typed. Stands on the page while something is unsaved or may be. */
export const UnsavedDialog = ({ isUnsaved, onLeave }: UnsavedDialogProps) => {
  const { asks, leave, stay } = useUnsaved(isUnsaved)
  const goAway = () => {
    onLeave?.()
    leave()
  }
  return <Suspense>{asks && <UnsavedQuestion leave={goAway} stay={stay} />}</Suspense>
}
