import { useEffect, useRef } from 'react'
import { changedElsewhere as words } from '#messages/changed-elsewhere.ts'
import { Button } from '../ui/controls/button.tsx'
import type { RacedField } from './raced.ts'

interface ChangedElsewhereProps {
  fields: readonly RacedField[]
  labelOf: (name: string) => string
  /** Saves what was typed here over their changes. */
  onApply: () => void
  /** Puts their changes into the form. */
  onTake: () => void
}

const textOf = (value: unknown): string => {
  if (typeof value === 'boolean') return value ? words.on : words.off
  const text = Array.isArray(value) ? value.join(', ') : String(value ?? '')
  return text === '' ? words.empty : text
}

/** What someone else saved while the form was open. Nothing was saved here; the user decides. Until then it replaces the form's own button. */
export const ChangedElsewhere = ({ fields, labelOf, onApply, onTake }: ChangedElsewhereProps) => {
  const top = useRef<HTMLElement>(null)
  useEffect(() => top.current?.focus(), [])
  return (
    <section
      ref={top}
      tabIndex={-1}
      aria-label={words.heading}
      className="border-warn border-s-4 bg-warn-bg px-4 py-3 text-small"
    >
      <p className="font-semibold">{words.heading}</p>
      <p className="mt-1">{fields.length === 0 ? words.nothing : words.text}</p>
      {fields.length > 0 && (
        <dl className="mt-3 grid gap-3">
          {fields.map(({ name, theirs, yours }) => (
            <div key={name}>
              <dt className="font-semibold">{labelOf(name)}</dt>
              <dd className="wrap-anywhere">{words.theirs(textOf(theirs))}</dd>
              {yours !== undefined && <dd className="wrap-anywhere">{words.yours(textOf(yours))}</dd>}
            </div>
          ))}
        </dl>
      )}
      <div className="mt-4 flex flex-wrap gap-3">
        <Button look="primary" onClick={onApply}>
          {words.apply}
        </Button>
        {fields.length > 0 && <Button onClick={onTake}>{words.take}</Button>}
      </div>
    </section>
  )
}
