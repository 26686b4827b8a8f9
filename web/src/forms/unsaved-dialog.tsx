import { lazy, Suspense } from 'react'
import type { UnsavedWords } from './unsaved-question.tsx'
import { useUnsaved } from './use-unsaved.ts'

// Loaded on demand; the check for unsaved changes is always there.
const UnsavedQuestion = lazy(() =>
  import('./unsaved-question.tsx').then((module) => ({ default: module.UnsavedQuestion })),
)

interface UnsavedDialogProps {
  isUnsaved: boolean
  /** Called when the changes are discarded: delete the draft. */
  onLeave?: () => void
  /** The parameters of the address that name another page. */
  places?: readonly string[]
  words?: UnsavedWords
}

/** Asks before navigation would lose unsaved changes. Render it while there are or may be some. */
export const UnsavedDialog = ({ isUnsaved, onLeave, places, words }: UnsavedDialogProps) => {
  const { asks, leave, stay } = useUnsaved(isUnsaved, places)
  const goAway = () => {
    onLeave?.()
    leave()
  }
  return <Suspense>{asks && <UnsavedQuestion leave={goAway} stay={stay} words={words} />}</Suspense>
}
