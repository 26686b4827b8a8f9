import { type Provider, Website } from '@countersign/sdk/contract'
import { type FormEvent, useId, useRef, useState } from 'react'
import { settingsTab } from '#messages/dashboard/settings.ts'
import { site } from '#messages/site.ts'
import { explainFailure, isRefusal, readFieldErrors } from '../../../../failures/failure.ts'
import { ChangedElsewhere } from '../../../../forms/changed-elsewhere.tsx'
import { TextField } from '../../../../forms/field.tsx'
import { mergeTheirs, racedFields } from '../../../../forms/raced.ts'
import { SubmitButton } from '../../../../forms/submit-button.tsx'
import { UnsavedDialog } from '../../../../forms/unsaved-dialog.tsx'
import { useDraft } from '../../../../forms/use-draft.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { Dialog } from '../../../../ui/controls/dialog.tsx'
import { toast } from '../../../../ui/controls/toast.ts'
import { readProvider } from '../../shared/identity/own-profile.ts'
import { changeOrganization } from '../../shared/own-organization.ts'
import { changesOf, draftOf, endsProof } from './organization-rules.ts'

const words = settingsTab.organization.edit

interface Typed {
  company: string
  website: string
}

/** Changes the name or the website, and asks for confirmation if that ends a domain's proof. */
export const OrganizationDialog = ({ provider, onClose }: { provider: Provider; onClose: () => void }) => {
  const id = useId()
  /** What the form began with; another one after it changed elsewhere. */
  const [record, setRecord] = useState(provider)
  const [theirs, setTheirs] = useState<Provider>()
  const form = useRef<HTMLFormElement>(null)
  const {
    values: typed,
    change: type,
    forget,
    isUnsaved,
  } = useDraft<Typed>('organization', valuesOf(provider), (next) => draftOf(record, next))
  const [isConfirmed, setIsConfirmed] = useState(false)
  const [isJudged, setIsJudged] = useState(false)
  const [isSending, setIsSending] = useState(false)
  const [failure, setFailure] = useState('')
  const [refused, setRefused] = useState<Partial<Typed>>({})
  const proofEnds = endsProof(theirs ?? record, typed.website)
  const problems = { ...refused, ...(isJudged && problemsOf(typed, proofEnds && !isConfirmed)) }
  const change = (some: Partial<Typed>) => {
    type(some)
    setRefused({})
  }
  const focus = (name: string) => form.current?.querySelector<HTMLElement>(`[name=${name}]`)?.focus()
  const cancel = () => {
    forget()
    onClose()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save(theirs ?? record)
  }
  /** The changes are meant for `latest`. */
  const save = async (latest: Provider) => {
    if (isSending) return
    setIsJudged(true)
    setFailure('')
    setRefused({})
    const [first] = Object.keys(problemsOf(typed, proofEnds && !isConfirmed))
    if (first !== undefined) return focus(first)
    const changes = changesOf(record, typed)
    if (Object.keys(changes).length === 0) return setFailure(words.nothing)
    setIsSending(true)
    try {
      const saved = await changeOrganization(latest, changes)
      forget()
      const followed = saved.domain_verification_updated && (saved.domain_verified ? words.proven : words.reset)
      toast.success(words.done, followed ? { description: followed } : undefined)
      onClose()
    } catch (error) {
      if (isRefusal(error, 'changed_elsewhere')) {
        setIsSending(false)
        return readProvider().then(setTheirs, (failed) => setFailure(`${words.failed}: ${explainFailure(failed)}`))
      }
      const { company_name: company, website } = readFieldErrors(error)
      setRefused({ ...(company && { company }), ...(website && { website }) })
      if (company || website) focus(company ? 'company' : 'website')
      else setFailure(`${words.failed}: ${explainFailure(error)}`)
      setIsSending(false)
    }
  }
  return (
    <Dialog isOpen onClose={onClose} title={words.title} description={words.description}>
      <form ref={form} noValidate onSubmit={submit} className="grid gap-5">
        <TextField
          label={words.company}
          name="company"
          autoComplete="organization"
          problem={problems.company}
          value={typed.company}
          onChange={({ target }) => change({ company: target.value })}
        />
        <TextField
          label={words.website}
          name="website"
          type="url"
          autoComplete="url"
          problem={problems.website}
          value={typed.website}
          onChange={({ target }) => change({ website: target.value })}
        />
        {theirs && (
          <ChangedElsewhere
            fields={racedFields(valuesOf(record), valuesOf(theirs), typed)}
            labelOf={(name) => words[name as keyof Typed]}
            onApply={() => void save(theirs)}
            onTake={() => {
              type(mergeTheirs(valuesOf(record), valuesOf(theirs), typed))
              setRecord(theirs)
              setTheirs(undefined)
            }}
          />
        )}
        {proofEnds && (
          <div className="border-warn border-s-4 bg-warn-bg px-4 py-3 text-small">
            <p>{words.domainWarning}</p>
            <label className="mt-2 flex items-start gap-2.5 font-semibold">
              <input
                type="checkbox"
                name="confirmed"
                className="mt-1 size-4 shrink-0 accent-ink"
                checked={isConfirmed}
                aria-describedby={`${id}-problem`}
                onChange={({ target }) => setIsConfirmed(target.checked)}
              />
              {words.confirm((theirs ?? record).domain ?? '')}
            </label>
            <p id={`${id}-problem`} role="alert" className="font-semibold text-bad empty:hidden">
              {problems.confirmed}
            </p>
          </div>
        )}
        <p role="alert" className="font-semibold text-bad text-small empty:hidden">
          {failure}
        </p>
        <div className="flex flex-wrap justify-end gap-3">
          <Button onClick={cancel}>{site.dialog.cancel}</Button>
          {!theirs && (
            <SubmitButton isSending={isSending} sending={words.submitting}>
              {words.submit}
            </SubmitButton>
          )}
        </div>
        <UnsavedDialog isUnsaved={isUnsaved && !isSending} onLeave={forget} />
      </form>
    </Dialog>
  )
}

const valuesOf = ({ company_name, website }: Provider): Typed => ({
  company: company_name ?? '',
  website: website ?? '',
})

/** In the order of the fields. */
const problemsOf = (
  { company, website }: Typed,
  isUnconfirmed: boolean,
): { company?: string; website?: string; confirmed?: string } => {
  const read = Website.safeParse(website)
  return {
    ...(company.trim() === '' && { company: words.companyMissing }),
    ...(!read.success && { website: read.error.issues[0]?.message ?? '' }),
    ...(isUnconfirmed && { confirmed: words.confirmMissing }),
  }
}
