import { type FormEvent, useEffect, useRef, useState } from 'react'
import { overviewTab } from '#messages/dashboard/overview.ts'
import { explainFailure } from '../../../data/failure.ts'
import { sendOwnVerification, verifyOwnEmail } from '../../../data/overview.ts'
import { SubmitButton } from '../../../forms/submit-button.tsx'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Failed } from '../../../ui/failed.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { toast } from '../../../ui/toast.ts'

const words = overviewTab.mail

interface MailDialogProps {
  email: string | null
  onClose: () => void
  refresh: () => Promise<void>
}

/** Sends the mail that proves the mailbox, and takes its code. */
export const MailDialog = ({ email, onClose, refresh }: MailDialogProps) => {
  const [confirmation, setConfirmation] = useState<string>()
  const [failure, setFailure] = useState<unknown>()
  const hasAsked = useRef(false)
  const send = async () => {
    setFailure(undefined)
    try {
      setConfirmation(await sendOwnVerification())
    } catch (failed) {
      setFailure(failed)
    }
  }
  useEffect(() => {
    if (hasAsked.current) return
    hasAsked.current = true
    void send()
  })
  return (
    <Dialog isOpen onClose={onClose} title={words.title}>
      {failure !== undefined && <Failed failure={failure} heading={words.title} again={() => void send()} />}
      {failure === undefined && confirmation === undefined && <Spinner>{words.sending}</Spinner>}
      {failure === undefined && confirmation !== undefined && (
        <MailSent
          email={email ?? ''}
          confirmation={confirmation}
          again={async () => {
            await send()
            toast.success(words.sentAgain)
          }}
          onVerified={async () => {
            toast.success(words.success)
            onClose()
            await refresh()
          }}
        />
      )}
    </Dialog>
  )
}

interface MailSentProps {
  email: string
  confirmation: string
  again: () => Promise<void>
  onVerified: () => Promise<void>
}

const MailSent = ({ email, confirmation, again, onVerified }: MailSentProps) => {
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState('')
  const [isSending, setIsSending] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isSending || code.trim() === '') return
    setIsSending(true)
    setProblem('')
    try {
      await verifyOwnEmail(code)
      await onVerified()
    } catch (failure) {
      setProblem(explainFailure(failure))
      setIsSending(false)
    }
  }
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
      <p role="status">{words.sentTo(email)}</p>
      <TextField
        label={words.code}
        value={code}
        problem={problem}
        onChange={({ target }) => setCode(target.value)}
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
      />
      <div>
        <p className="text-muted text-small">{words.elsewhere}</p>
        <p className="mt-2 flex items-center justify-between gap-3 rounded-control border border-line bg-sunken ps-4">
          <code className="font-mono">{confirmation}</code>
          <CopyButton text={confirmation} what={words.confirmationCode} />
        </p>
      </div>
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={() => void again()}>{words.again}</Button>
        <SubmitButton isSending={isSending} sending={words.submitting} isIdle={code.trim() === ''}>
          {words.submit}
        </SubmitButton>
      </div>
    </form>
  )
}
