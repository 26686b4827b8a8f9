import { lazy, Suspense, useState } from 'react'
import type { ModelFormState } from '../model-form/use-model-form.ts'

const UnsavedDialog = lazy(() => import('../../../ui/unsaved-dialog.tsx').then((module) => ({ default: module.UnsavedDialog })))

/** Once something was typed, it stays: it also has to know that nothing is unsaved any more. */
export const Unsaved = ({ form: { isUnsaved } }: { form: ModelFormState }) => {
  const [wasUnsaved, setWasUnsaved] = useState(isUnsaved)
  if (isUnsaved && !wasUnsaved) setWasUnsaved(true)
  return <Suspense>{wasUnsaved && <UnsavedDialog isUnsaved={isUnsaved} />}</Suspense>
}
