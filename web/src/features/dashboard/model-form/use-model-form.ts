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

/** What a digest was made of. */
export interface ModelContent {
  files: ModelFile[]
  bytes: number
  /** As the file or folder is called. */
  name: string
  kind: 'file' | 'directory'
  leftOut: string[]
}

interface Options {
  /** Under which what was typed is kept. */
  draftName: string
  mode: FormMode
  /** The form before anything is typed. */
  before: ModelDraft
  previousVersion: string | undefined
  /** What a page of its own says of a short name. */
  shortName?: string
  send: (draft: ModelDraft, content: ModelContent | undefined) => Promise<unknown>
}

/** The file itself is too large to be kept with what was typed: it lives as long as the page does, and its name longer. */
const chosenBundles = new Map<string, ChosenBundle>()
const bundleKey = (draftName: string) => `${readSession().providerId ?? ''} ${draftName}`

/** Hands a chosen bundle to the form of that name. */
export const carryBundle = (draftName: string, bundle: ChosenBundle) => chosenBundles.set(bundleKey(draftName), bundle)

/** What was typed into a form of a model, judged by the contract and kept until it is sent. */
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
  const judge = (draft: ModelDraft) =>
    problemsOf(draft, {
      mode,
      before,
      ...(previousVersion !== undefined && { previousVersion }),
      ...(shortName !== undefined && { shortName }),
    })
  const form = useForm<ModelDraft>({
    defaultValues: useMemo(() => ({ ...before, ...restored }), [before, restored]),
    resolver: (draft) => {
      const problems = Object.entries(judge(draft))
      if (problems.length === 0) return { values: draft, errors: {} }
      return { values: {}, errors: Object.fromEntries(problems.map(([name, message]) => [name, { type: 'refused', message }])) }
    },
  })
  const draft = form.watch()
  const [isOver, setIsOver] = useState(false)
  const isTyped = !isOver && differences(before, draft).length > 0
  const isUnsaved = isTyped || (!isOver && bundle !== undefined)
  useEffect(() => {
    if (isOver) return
    // What supersedes another version is chosen each time, in sight.
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
  /** `once` is of this one sending, and not of the form. */
  const submit = async (event?: FormEvent, once?: Partial<ModelDraft>) => {
    event?.preventDefault()
    if (isUnderWay.current) return
    // A version is what it is made of: without its digest it would be registered as something else than was meant.
    if (isHashing.current) return complain('model_digest', modelForm.digest.stillHashing)
    isUnderWay.current = true
    await form
      .handleSubmit((valid) => send({ ...valid, ...once }, content))()
      .finally(() => {
        isUnderWay.current = false
      })
  }

  const set = <Name extends DraftField>(name: Name, value: ModelDraft[Name]) => {
    form.setValue(name as FieldPath<ModelDraft>, value as never, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
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
    /** How the bundle was called that was chosen before the page was loaded again. */
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
    /** Shows at its fields what the registry refused of them. False: it was something else. */
    showRefused: (failure: unknown): boolean => {
      const refused = Object.entries(readFieldErrors(failure)).flatMap(([path, message]) => {
        const name = fieldAt(path.split('.'), draft)
        return name === undefined ? [] : [{ name, message }]
      })
      // The last that is told gets the focus.
      for (const { name, message } of refused.toReversed())
        form.setError(name as FieldPath<ModelDraft>, { type: 'refused', message }, { shouldFocus: true })
      return refused.length > 0
    },
    /** What is kept of it goes; what stands in the form stays. */
    forget,
    /** It was sent: what was typed need not be kept. */
    finish: () => {
      // At once, so that nothing asks on the way out whether it may be lost.
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
