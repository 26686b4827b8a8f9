import { type Deployment, NewDeployment } from '@countersign/sdk/contract'
import { type ClipboardEvent, useEffect, useState } from 'react'
import { registerDeployment as words } from '#messages/dashboard/register-deployment.ts'
import { failures } from '#messages/failures.ts'
import { explainFailure, isRefusal, readFieldErrors } from '../../../failures/failure.ts'
import { forgetDraft, keepDraft, readDraft } from '../../../forms/draft.ts'
import { TextField } from '../../../forms/field.tsx'
import { SubmitButton } from '../../../forms/submit-button.tsx'
import { UnsavedDialog } from '../../../forms/unsaved-dialog.tsx'
import { useContractForm } from '../../../forms/use-contract-form.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Dialog } from '../../../ui/controls/dialog.tsx'
import { toast } from '../../../ui/controls/toast.ts'
import { FoundKey } from './key-file/found-key.tsx'
import { KeyDrop } from './key-file/key-drop.tsx'
import { type FoundKey as Found, readKeyFile } from './key-file/key-file.ts'
import { isPem } from './key-file/pem.ts'
import { LabelFields, noLabels, readLabels, type WrittenLabels } from './label-fields.tsx'

const Typed = NewDeployment.omit({ labels: true })
const draft = 'register deployment'

interface Written {
  spki_fingerprint: string
  spiffe_id: string
  cloud_identity: string
  labels: WrittenLabels
}

const nothing: Written = { spki_fingerprint: '', spiffe_id: '', cloud_identity: '', labels: noLabels }

interface RegisterDialogProps {
  register: (input: NewDeployment) => Promise<Deployment>
  onClose: () => void
}

/** Treats empty text as undefined. */
const orNothing = { setValueAs: (value: string | undefined) => value?.trim() || undefined }

export const RegisterDialog = ({ register, onClose }: RegisterDialogProps) => {
  const [saved] = useState(() => ({ ...nothing, ...readDraft<Written>(draft) }))
  const [wasKept, setWasKept] = useState(() => JSON.stringify(saved) !== JSON.stringify(nothing))
  const [found, setFound] = useState<Found | null>(null)
  const [labels, setLabels] = useState(saved.labels)
  const [labelsProblem, setLabelsProblem] = useState('')
  const [failure, setFailure] = useState<unknown>()

  /** The labels as the registry expects them; undefined if invalid. */
  const checkLabels = () => {
    const reading = readLabels(labels)
    const problem =
      'problem' in reading
        ? describeProblem(reading.problem)
        : describeRefusal(NewDeployment.shape.labels.safeParse(reading.labels))
    setLabelsProblem(problem)
    return problem === '' && 'labels' in reading ? (reading.labels as Record<string, string>) : undefined
  }

  const { submit, field, set, reset, watch, complain, showRefused, isSending } = useContractForm(Typed, {
    // Empty text would be validated as a SPIFFE ID.
    defaults: {
      spki_fingerprint: saved.spki_fingerprint,
      spiffe_id: saved.spiffe_id || undefined,
      cloud_identity: saved.cloud_identity || undefined,
    },
    send: async (typed) => {
      const checked = checkLabels()
      if (checked === undefined) return
      setFailure(undefined)
      try {
        await register({ ...typed, ...(Object.keys(checked).length > 0 && { labels: checked }) })
      } catch (refused) {
        const about = Object.entries(readFieldErrors(refused)).find(([name]) => name.startsWith('labels'))
        if (about) setLabelsProblem(about[1])
        if (isRefusal(refused, 'deployment_exists')) complain('spki_fingerprint', words.exists)
        else showRefused(refused)
        setFailure(refused)
        return
      }
      forgetDraft(draft)
      toast.success(words.done)
      onClose()
    },
  })

  const [fingerprint, spiffeId, cloudIdentity] = watch(['spki_fingerprint', 'spiffe_id', 'cloud_identity'])
  const written: Written = {
    spki_fingerprint: fingerprint ?? '',
    spiffe_id: spiffeId ?? '',
    cloud_identity: cloudIdentity ?? '',
    labels,
  }
  const asText = JSON.stringify(written)
  const isAnything = asText !== JSON.stringify(nothing)
  useEffect(() => {
    if (asText === JSON.stringify(nothing)) forgetDraft(draft)
    else keepDraft(draft, JSON.parse(asText))
  }, [asText])

  const isWellFormed = found?.spiffeId === undefined || NewDeployment.shape.spiffe_id.safeParse(found.spiffeId).success
  const take = (key: Found) => {
    const isOfFile = !spiffeId || spiffeId === found?.spiffeId
    setFound(key)
    set('spki_fingerprint', key.fingerprint, { shouldValidate: true })
    if (!isOfFile) return
    const isGood = key.spiffeId !== undefined && NewDeployment.shape.spiffe_id.safeParse(key.spiffeId).success
    set('spiffe_id', isGood ? key.spiffeId : undefined, { shouldValidate: true })
  }
  const startOver = () => {
    setWasKept(false)
    setFound(null)
    setLabels(noLabels)
    setLabelsProblem('')
    setFailure(undefined)
    reset({ spki_fingerprint: '' })
  }
  /** Reads a certificate that is pasted into the fingerprint field. */
  const paste = async (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text')
    if (!isPem(text)) return
    event.preventDefault()
    const reading = await readKeyFile(new TextEncoder().encode(text))
    if ('found' in reading) take(reading.found)
    else complain('spki_fingerprint', words.file.problems[reading.problem])
  }

  return (
    <Dialog isOpen onClose={onClose} title={words.title} description={words.about}>
      <form
        noValidate
        onSubmit={(event) => {
          checkLabels()
          void submit(event)
        }}
        className="grid gap-5"
      >
        {wasKept && isAnything && (
          <p role="status" className="text-muted text-small">
            {words.restored}
          </p>
        )}
        <KeyDrop onFound={take} onNothing={() => setFound(null)} />
        {found && found.fingerprint === fingerprint && (
          <FoundKey found={found} isSpiffeIdBad={!isWellFormed} now={Date.now()} forget={startOver} />
        )}
        <TextField
          label={words.fingerprint}
          hint={words.fingerprintHint}
          aria-required
          autoComplete="off"
          spellCheck={false}
          onPaste={(event) => void paste(event)}
          {...field('spki_fingerprint')}
        />
        <TextField
          label={words.spiffeId}
          hint={words.spiffeIdHint}
          isOptional
          autoComplete="off"
          spellCheck={false}
          {...field('spiffe_id', orNothing)}
        />
        <TextField
          label={words.cloudIdentity}
          hint={words.cloudIdentityHint}
          isOptional
          autoComplete="off"
          {...field('cloud_identity', orNothing)}
        />
        <LabelFields
          labels={labels}
          problem={labelsProblem}
          change={(next) => {
            setLabels(next)
            setLabelsProblem('')
          }}
        />
        {failure !== undefined && (
          <div role="alert" className="border-bad border-s-4 py-1 ps-4">
            <p className="font-semibold">{words.failed}</p>
            <p className="mt-1 text-muted text-small">{explainFailure(failure, failures.deployment)}</p>
          </div>
        )}
        <div className="flex flex-wrap items-center justify-end gap-3">
          {isAnything && (
            <Button className="me-auto" onClick={startOver}>
              {words.startOver}
            </Button>
          )}
          <Button onClick={onClose}>{words.cancel}</Button>
          <SubmitButton isSending={isSending} sending={words.submitting}>
            {words.submit}
          </SubmitButton>
        </div>
        <UnsavedDialog isUnsaved={isAnything && !isSending} onLeave={() => forgetDraft(draft)} />
      </form>
    </Dialog>
  )
}

const problems = words.labels.problems

const describeProblem = (problem: Extract<ReturnType<typeof readLabels>, { problem: unknown }>['problem']): string => {
  if (problem.kind === 'unnamed') return problems.unnamed(problem.value)
  if (problem.kind === 'twice') return problems.twice(problem.name)
  return problems['not an object']
}

const describeRefusal = ({ error }: ReturnType<typeof NewDeployment.shape.labels.safeParse>): string => {
  const [issue] = error?.issues ?? []
  if (issue === undefined) return ''
  const [name] = issue.path
  return name === undefined ? issue.message : problems.of(String(name), issue.message)
}
