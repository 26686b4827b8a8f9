import { type ExistingModel, type Model, tagOfModel, type UploadedBundle } from '@countersign/sdk/contract'
import { useEffect, useRef, useState } from 'react'
import { modelForm } from '#messages/dashboard/model-form.ts'
import { isRefusal } from '../../../failures/failure.ts'
import { toast } from '../../../ui/controls/toast.ts'
import { refreshOwnModels } from '../shared/own-model-list.ts'
import type { FileDifferences, SignedMatch } from './digest/digest-signed.ts'
import { draftOf, editOf, inputOf, type ModelDraft } from './model-draft.ts'
import type { compareWithTheirs } from './model-race.ts'
import { quickEditModel, readClash, readModel, registerModel, uploadBundle } from './own-registration.ts'
import type { Outcome } from './registration-outcome.tsx'
import type { FormMode } from './rules.ts'
import type { ModelContent, ModelFormState } from './use-model-form.ts'

export interface ChosenBundle {
  name: string
  bundle: UploadedBundle
}

interface Options {
  mode: FormMode
  model?: Model
  before: ModelDraft
  onDone: (done: { id: string }) => void
}

const loadSigned = () => import('./digest/digest-signed.ts')

/** Sends a model form and reports conflicts. */
export const useSendModel = ({ mode, model, before: opened, onDone }: Options) => {
  /** What the form's changes are compared with, and the record that they are meant for. */
  const [before, setBefore] = useState(opened)
  const latest = useRef(model)
  const [theirs, setTheirs] = useState<{ model: Model; compare: typeof compareWithTheirs }>()
  const [clash, setClash] = useState<ExistingModel>()
  const [failure, setFailure] = useState<unknown>()
  const [uploaded, setUploaded] = useState<ChosenBundle>()
  const [outcome, setOutcome] = useState<Outcome>()
  const [unsigned, setUnsigned] = useState<FileDifferences>()
  const [isUploading, setIsUploading] = useState(false)

  const isOpen = useRef(true)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])
  /** Don't redirect a user who has left meanwhile. */
  const done = (id: string) => {
    if (isOpen.current) onDone({ id })
    else void refreshOwnModels()
  }
  const finish = (next: Outcome) => {
    setOutcome(next)
    if (isOpen.current) return
    toast.error(modelForm.bundle.outcome['record' in next ? next.record.bundle_status : 'refused'])
    void refreshOwnModels()
  }

  const upload = async (id: string, chosen: ChosenBundle) => {
    setUploaded(chosen)
    setIsUploading(true)
    try {
      const record = await uploadBundle(id, chosen.bundle)
      const isChecking = record.verification_status === 'in_progress'
      if (!isChecking && record.bundle_status !== 'verified') return finish({ id, record })
      const checked = record.provider_domain_verified ? 'verified' : 'ofUnknown'
      toast.success(modelForm.bundle.outcome[isChecking ? 'checking' : checked])
      done(id)
    } catch (refused) {
      finish({ id, failure: refused })
    } finally {
      setIsUploading(false)
    }
  }

  const edit = async (shown: Model, draft: ModelDraft, content: ModelContent | undefined) => {
    await quickEditModel(shown.id, editOf(before, draft, content?.files), tagOfModel(latest.current ?? shown))
    return shown.id
  }

  const register = async (draft: ModelDraft, content: ModelContent | undefined, match: SignedMatch | undefined) => {
    const asSigned = match !== undefined && 'files' in match ? match : undefined
    const input = inputOf(
      asSigned ? { ...draft, model_digest: asSigned.digest } : draft,
      asSigned?.files ?? content?.files,
    )
    return (await registerModel(input)).model_id
  }

  const send = async (form: ModelFormState, draft: ModelDraft, content: ModelContent | undefined) => {
    const { bundle } = form
    setFailure(undefined)
    setClash(undefined)
    setTheirs(undefined)
    const match = bundle && content ? (await loadSigned()).matchSigned(content.files, bundle.bundle) : undefined
    // Such a bundle could never match the version, so report the differing files before registering.
    setUnsigned(match !== undefined && 'differences' in match ? match.differences : undefined)
    if (match !== undefined && 'differences' in match) return
    try {
      const id = mode === 'edit' && model ? await edit(model, draft, content) : await register(draft, content, match)
      form.finish()
      toast.success(modelForm.success[mode === 'register' && draft.force_new_version ? 'version' : mode])
      if (bundle) await upload(id, bundle)
      else done(id)
    } catch (refused) {
      if (model && isRefusal(refused, 'changed_elsewhere')) {
        const { compareWithTheirs: compare } = await import('./model-race.ts')
        return setTheirs({ model: await readModel(model.id), compare })
      }
      const found = readClash(refused)
      if (found?.isSameVersion) form.complain('version', modelForm.otherVersion)
      else if (found) setClash(found.existing)
      else if (!form.showRefused(refused)) setFailure(refused)
    }
  }

  return {
    send,
    clash,
    closeClash: () => setClash(undefined),
    failure,
    /** What someone else saved in the meantime, and the two ways to go on. */
    raceOf: (form: ModelFormState) => {
      if (theirs === undefined) return undefined
      const { fields, merged } = theirs.compare(before, theirs.model, form.draft)
      return {
        fields,
        apply: () => {
          latest.current = theirs.model
          void form.submit()
        },
        take: () => {
          for (const [name, value] of Object.entries(merged())) form.set(name as keyof ModelDraft, value as never)
          latest.current = theirs.model
          setBefore(draftOf(theirs.model))
          setTheirs(undefined)
        },
      }
    },
    /** How the files differ from those that the bundle signs. */
    unsigned,
    outcome,
    isUploading,
    uploadAgain: () => {
      if (outcome && uploaded) void upload(outcome.id, uploaded)
    },
  }
}
