import type { ModelFile } from '@countersign/sdk/contract'
import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type FieldPath, useForm } from 'react-hook-form'
import { modelForm } from '#messages/dashboard/model-form.ts'
import { readSession } from '../../../data/session.ts'
import { readFieldErrors } from '../../../failures/failure.ts'
import { forgetDraft, keepDraft, readDraft } from '../../../forms/draft.ts'
import { differences, type ModelDraft } from './model-draft.ts'
import { type DraftField, type FormMode, fieldAt, problemsOf } from './rules.ts'
import type { ChosenBundle } from './use-send-model.ts'

/** What a digest was computed from. */
export interface ModelContent {
  files: ModelFile[]
  bytes: number
  /** The name of the file or folder. */
  name: string
  kind: 'file' | 'directory'
  leftOut: string[]
}

interface Options {
  /** The storage key of the draft. */
  draftName: string
  mode: FormMode
  /** The initial form. */
  before: ModelDraft
  previousVersion: string | undefined
  /** The registration page's message for a short name. */
  shortName?: string
  send: (draft: ModelDraft, content: ModelContent | undefined) => Promise<unknown>
}

/** The file is too large to store with the draft: it lasts as long as the page, its name longer. */
const chosenBundles = new Map<string, ChosenBundle>()
const bundleKey = (draftName: string) => `${readSession().providerId ?? ''} ${draftName}`

/** Passes a chosen bundle to the form with that name. */
export const carryBundle = (draftName: string, bundle: ChosenBundle) => chosenBundles.set(bundleKey(draftName), bundle)

/** The state of a model form: validated by the contract and stored as a draft until it is sent. */
export const useModelForm = ({ draftName, mode, before, previousVersion, shortName, send }: Options) => {
  const contentName = `${draftName} content`
  const [restored] = useState(() => readDraft<ModelDraft>(draftName))
  const [content, setContent] = useState(() => readDraft<ModelContent>(contentName) as ModelContent | undefined)
  const bundleName = `${draftName} bundle`
  const [bundle, keepBundle] = useState(() => chosenBundles.get(bundleKey(draftName)))
  const [lostBundle, setLostBundle] = useState(() => (bundle ? undefined : readDraft<ChosenBundle>(bundleName)?.name))
  const setBundle = (chosen: ChosenBundle | undefined) => {
    keepBundle(chosen)
    setLostBundle(undefined)
    if (chosen) carryBundle(draftName, chosen)
    else chosenBundles.delete(bundleKey(draftName))
  }
  const [isRestored] = useState(restored !== undefined || content !== undefined)
  const validate = (draft: ModelDraft) =>
    problemsOf(draft, {
      mode,
      before,
      ...(previousVersion !== undefined && { previousVersion }),
      ...(shortName !== undefined && { shortName }),
    })
  const form = useForm<ModelDraft>({
    defaultValues: useMemo(() => ({ ...before, ...restored }), [before, restored]),
    resolver: (draft) => {
      const problems = Object.entries(validate(draft))
      if (problems.length === 0) return { values: draft, errors: {} }
      return {
        values: {},
        errors: Object.fromEntries(problems.map(([name, message]) => [name, { type: 'refused', message }])),
      }
    },
  })
  const draft = form.watch()
  const [isOver, setIsOver] = useState(false)
  const isTyped = !isOver && differences(before, draft).length > 0
  const isUnsaved = isTyped || (!isOver && bundle !== undefined)
  useEffect(() => {
    if (isOver) return
    // Replacing a version must be chosen visibly each time.
    if (isTyped) keepDraft(draftName, { ...draft, force_new_version: before.force_new_version })
    else forgetDraft(draftName)
  }, [draftName, draft, before, isTyped, isOver])
  useEffect(() => {
    if (isOver) return
    if (content === undefined) forgetDraft(contentName)
    else keepDraft(contentName, content)
  }, [contentName, content, isOver])

  const nameOfBundle = bundle?.name ?? lostBundle
  useEffect(() => {
    if (isOver) return
    if (nameOfBundle === undefined) forgetDraft(bundleName)
    else keepDraft(bundleName, { name: nameOfBundle })
  }, [bundleName, nameOfBundle, isOver])

  const complain = (name: DraftField, message: string) =>
    form.setError(name as FieldPath<ModelDraft>, { type: 'refused', message }, { shouldFocus: true })

  const isUnderWay = useRef(false)
  const isHashing = useRef(false)
  /** `once` applies only to this submission. */
  const submit = async (event?: FormEvent, once?: Partial<ModelDraft>) => {
    event?.preventDefault()
    if (isUnderWay.current) return
    // Wait for the digest: without it, the version would be registered without its files.
    if (isHashing.current) return complain('model_digest', modelForm.digest.stillHashing)
    isUnderWay.current = true
    await form
      .handleSubmit((valid) => send({ ...valid, ...once }, content))()
      .finally(() => {
        isUnderWay.current = false
      })
  }

  const set = <Name extends DraftField>(name: Name, value: ModelDraft[Name]) => {
    form.setValue(name as FieldPath<ModelDraft>, value as never, {
      shouldDirty: true,
      shouldValidate: form.formState.isSubmitted,
    })
  }

  const forget = () => {
    forgetDraft(draftName)
    forgetDraft(contentName)
    forgetDraft(bundleName)
    chosenBundles.delete(bundleKey(draftName))
  }

  return {
    draft,
    content,
    setContent,
    bundle,
    setBundle,
    /** The name of the bundle chosen before the page was reloaded. */
    lostBundle,
    submit,
    set,
    register: form.register,
    problems: Object.fromEntries(
      Object.entries(form.formState.errors).map(([name, error]) => [name, String(error?.message ?? '')]),
    ) as Partial<Record<DraftField, string>>,
    submitCount: form.formState.submitCount,
    isSending: form.formState.isSubmitting,
    isUnsaved,
    isRestored: isRestored && isTyped,
    focus: (name: DraftField) => form.setFocus(name as FieldPath<ModelDraft>),
    complain,
    setHashing: (isOn: boolean) => {
      isHashing.current = isOn
    },
    /** Shows the registry's validation errors at their fields. Returns false for other errors. */
    showRefused: (failure: unknown): boolean => {
      const refused = Object.entries(readFieldErrors(failure)).flatMap(([path, message]) => {
        const name = fieldAt(path.split('.'), draft)
        return name === undefined ? [] : [{ name, message }]
      })
      // The last reported field gets the focus.
      for (const { name, message } of refused.toReversed())
        form.setError(name as FieldPath<ModelDraft>, { type: 'refused', message }, { shouldFocus: true })
      return refused.length > 0
    },
    /** Deletes the stored draft; the form keeps its values. */
    forget,
    /** Call after sending: the draft is no longer needed. */
    finish: () => {
      // Synchronously, so that leaving does not ask about unsaved changes.
      flushSync(() => setIsOver(true))
      forget()
    },
    discard: () => {
      forget()
      setContent(undefined)
      setBundle(undefined)
      form.reset(before)
    },
  }
}

export type ModelFormState = ReturnType<typeof useModelForm>
