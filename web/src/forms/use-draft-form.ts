import { type FormEvent, useRef, useState } from 'react'
import { explainFailure } from '../failures/failure.ts'
import { toast } from '../ui/controls/toast.ts'
import { useDraft } from './use-draft.ts'

/** What a schema of the contract says of the values. */
type Reading<Input> =
  | { success: true; data: Input }
  | { success: false; error: { issues: readonly { path: readonly PropertyKey[]; message: string }[] } }

interface DraftFormOptions<Values extends object, Input> {
  /** The name of the stored draft. */
  draft: string
  start: Values
  /** Removes what must not be stored. */
  keep?: (values: Values) => object
  read: (values: Values) => Reading<Input>
  /** The shown fields in their order: the first wrong one gets the focus. */
  order: (values: Values) => readonly string[]
  send: (input: Input) => Promise<void>
  /** Shown after sending. */
  done: string
  onDone: () => void
}

/** The first message for each field. */
const problemsOf = <Input>(reading: Reading<Input>): Partial<Record<string, string>> =>
  reading.success
    ? {}
    : Object.fromEntries(reading.error.issues.toReversed().map(({ path, message }) => [String(path.at(-1)), message]))

/** A form in a dialog that stores its draft, checks it against the contract, sends it once and says why it failed. */
export const useDraftForm = <Values extends object, Input>({
  draft,
  start,
  keep,
  read,
  order,
  send,
  done,
  onDone,
}: DraftFormOptions<Values, Input>) => {
  const ref = useRef<HTMLFormElement>(null)
  const { values, change, forget, isUnsaved } = useDraft<Values>(draft, start, keep)
  const [isJudged, setIsJudged] = useState(false)
  const [isSending, setIsSending] = useState(false)
  const [failure, setFailure] = useState('')
  const problems = isJudged ? problemsOf(read(values)) : {}
  const cancel = () => {
    forget()
    onDone()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isSending) return
    setIsJudged(true)
    setFailure('')
    const reading = read(values)
    if (!reading.success) {
      const bad = problemsOf(reading)
      const first = order(values).find((name) => bad[name] !== undefined)
      return ref.current?.querySelector<HTMLElement>(`[name=${first}]`)?.focus()
    }
    setIsSending(true)
    try {
      await send(reading.data)
      forget()
      toast.success(done)
      onDone()
    } catch (error) {
      setFailure(explainFailure(error))
      setIsSending(false)
    }
  }
  return {
    values,
    change,
    problems,
    form: {
      ref,
      noValidate: true,
      onSubmit: (event: FormEvent) => void submit(event),
      className: 'grid gap-5',
    },
    /** The attributes of a text field. */
    field: <Name extends string & keyof Values>(name: Name) => ({
      name,
      value: String(values[name]),
      problem: problems[name],
      autoComplete: 'off',
      spellCheck: false,
      onChange: ({ target }: { target: { value: string } }) => change({ [name]: target.value } as Partial<Values>),
    }),
    end: { failure, isSending, isUnsaved, cancel, forget },
  }
}
