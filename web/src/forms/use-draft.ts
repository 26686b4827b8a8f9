import { useState } from 'react'
import { forgetDraft, keepDraft, readDraft } from './draft.ts'

/**
 * What is typed into a small form: kept until it is sent or given up. `start` is the form before anything is typed;
 * `keep` leaves out what must not be kept.
 */
export const useDraft = <Values extends object>(name: string, start: Values, keep: (values: Values) => object = (values) => values) => {
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
