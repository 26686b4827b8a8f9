import { ApiError } from '@countersign/sdk'
import { type Provider, tagOfProvider } from '@countersign/sdk/contract'
import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { profileSection } from '#messages/dashboard/profile.ts'
import { explainFailure, isAnswered, isOfCall, isRefusal, readFieldErrors } from '../../../../failures/failure.ts'
import { forgetDraft, keepDraft, readDraft } from '../../../../forms/draft.ts'
import { mergeTheirs, racedFields } from '../../../../forms/raced.ts'
import { toast } from '../../../../ui/controls/toast.ts'
import { changeProvider, readProvider } from '../../shared/identity/own-profile.ts'
import {
  changesOf,
  hasRequired,
  inputOf,
  outcomeOf,
  problemsOf,
  type ValueName,
  type Values,
} from './provider-values.ts'
import { valuesOf } from './typed-values.ts'

const words = profileSection.save
const draftName = 'provider'

/** A message by status, because the registry's own names only one field. */
const failureWords = (failure: unknown): string => {
  const status = failure instanceof ApiError ? failure.status : undefined
  if (status === 401) return words.unauthorized
  if (status === 400 || status === 422) return words.invalid
  return isOfCall(failure) ? words.failed(explainFailure(failure)) : words.failedPlainly
}

/** The profile form: validated by the contract, stored as a draft, sending only changes. */
export const useProviderForm = (provider: Provider, onEnd: () => void) => {
  /** The record that the form shows; another one after it changed elsewhere. */
  const [record, setRecord] = useState(provider)
  const before = useMemo(() => valuesOf(record), [record])
  const [theirs, setTheirs] = useState<Provider>()
  const [draft] = useState(() => readDraft<Values>(draftName))
  const form = useForm<Values>({
    defaultValues: { ...before, ...draft },
    resolver: (values) => {
      const problems = Object.entries(problemsOf(changesOf(before, values), profileSection.info.notAYear))
      return problems.length === 0
        ? { values, errors: {} }
        : {
            values: {},
            errors: Object.fromEntries(problems.map(([name, message]) => [name, { type: 'refused', message }])),
          }
    },
  })
  const values = form.watch()
  const changes = changesOf(before, values)
  const [isOver, setIsOver] = useState(false)
  const [problem, setProblem] = useState('')
  const isUnsaved = !isOver && Object.keys(changes).length > 0
  const kept = JSON.stringify(changes)
  useEffect(() => {
    if (isOver) return
    if (kept === '{}') forgetDraft(draftName)
    else keepDraft(draftName, JSON.parse(kept))
  }, [kept, isOver])

  const end = () => {
    setIsOver(true)
    forgetDraft(draftName)
    onEnd()
  }

  /** The changes are meant for `latest`. */
  const save = async (valid: Values, latest: Provider) => {
    try {
      setTheirs(undefined)
      const changed = changesOf(before, valid)
      if (Object.keys(changed).length === 0) return end()
      const after = await changeProvider(provider.id, inputOf(changed), tagOfProvider(latest))
      const outcome = outcomeOf(provider, after)
      toast.success(words.success, outcome === 'confirmed' ? { description: words.confirmed } : undefined)
      if (outcome === 'reset') toast.error(words.reset)
      if (changed.is_listed === true && !after.is_listed)
        toast.error(profileSection.listing.failed, { description: after.message })
      end()
    } catch (failure) {
      if (isRefusal(failure, 'changed_elsewhere')) return setTheirs(await readProvider())
      const text = failureWords(failure)
      toast.error(text)
      setProblem(text)
      if (!isAnswered(failure)) return
      for (const [index, [name, message]] of Object.entries(readFieldErrors(failure)).entries())
        if (Object.hasOwn(before, name))
          form.setError(name as ValueName, { type: 'refused', message }, { shouldFocus: index === 0 })
    }
  }

  const isUnderWay = useRef(false)
  const isComplete = hasRequired(values, provider.email)
  const submit = async (event: FormEvent) => {
    // Ignore events from dialogs above the form.
    if (event.target !== event.currentTarget) return
    event.preventDefault()
    setProblem('')
    if (!isComplete) {
      toast.error(words.missing)
      return setProblem(words.missing)
    }
    if (isUnderWay.current) return
    isUnderWay.current = true
    await form
      .handleSubmit((valid) => save(valid, record))()
      .finally(() => {
        isUnderWay.current = false
      })
  }

  const { errors, isSubmitting } = form.formState
  return {
    submit,
    end,
    /** Discards the draft when the user leaves. */
    forget: () => forgetDraft(draftName),
    field: (name: Exclude<ValueName, 'is_listed'>) => ({ ...form.register(name), problem: errors[name]?.message }),
    values,
    setListed: (isListed: boolean) => form.setValue('is_listed', isListed, { shouldDirty: true }),
    before,
    problem,
    isUnsaved,
    isComplete,
    /** What someone else saved in the meantime, and the two ways to go on. */
    race: theirs && {
      fields: racedFields(before, valuesOf(theirs), values),
      apply: () => void form.handleSubmit((valid) => save(valid, theirs))(),
      take: () => {
        for (const [name, value] of Object.entries(mergeTheirs(before, valuesOf(theirs), values)))
          form.setValue(name as ValueName, value as never)
        setRecord(theirs)
        setTheirs(undefined)
      },
    },
    isSending: isSubmitting,
    wasRestored: draft !== undefined,
  }
}
