import { useState } from 'react'
import { forgetDraft, keepDraft, readDraft } from './draft.ts'

/**
 * The input of a small form, stored until it is sent or discarded. `start` is the initial form;
 * `keep` removes what must not be stored.
 */
export const useDraft = <Values extends object>(
  name: string,
  start: Values,
  keep: (values: Values) => object = (values) => values,
) => {
  const [before] = useState(start)
  const [values, setValues] = useState<Values>(() => ({ ...before, ...readDraft<Values>(name) }))
  const isUnsaved = JSON.stringify(values) !== JSON.stringify(before)
  return {
    values,
    isUnsaved,
    change: (some: Partial<Values>) => {
      const next = { ...values, ...some }
      setValues(next)
      keepDraft(name, keep(next))
    },
    forget: () => forgetDraft(name),
  }
}
