import { type FormEvent, useState } from 'react'
import { profileSection } from '#messages/dashboard/profile.ts'
import { explainFailure } from '../../../../failures/failure.ts'
import { TextField } from '../../../../forms/field.tsx'
import { SubmitButton } from '../../../../forms/submit-button.tsx'
import { Button } from '../../../../ui/controls/button.tsx'
import { CopyButton } from '../../../../ui/controls/copy-button.tsx'
import { Dialog } from '../../../../ui/controls/dialog.tsx'
import { toast } from '../../../../ui/controls/toast.ts'
import { sendOwnVerification, verifyOwnEmail } from './own-profile.ts'

const words = profileSection.mail

interface MailDialogProps {
  email: string | null
  onClose: () => void
  refresh: () => Promise<void>
}

/** Sends the confirmation email on request, never because an address was opened, and accepts its code. */
export const MailDialog = ({ email, onClose, refresh }: MailDialogProps) => {
  const [confirmation, setConfirmation] = useState<string>()
  return (
    <Dialog isOpen onClose={onClose} title={words.title}>
      {confirmation === undefined ? (
        <MailToSend email={email ?? ''} onSent={setConfirmation} />
      ) : (
        <MailSent
          email={email ?? ''}
          confirmation={confirmation}
          again={async () => {
            setConfirmation(await sendOwnVerification())
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

const MailToSend = ({ email, onSent }: { email: string; onSent: (confirmation: string) => void }) => {
  const [isSending, setIsSending] = useState(false)
  const [problem, setProblem] = useState('')
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (isSending) return
    setIsSending(true)
    setProblem('')
    try {
      onSent(await sendOwnVerification())
    } catch (failure) {
      setProblem(words.notSent(explainFailure(failure)))
      setIsSending(false)
    }
  }
  return (
    <form noValidate onSubmit={(event) => void send(event)} className="grid gap-5">
      <p>{words.toSend(email)}</p>
      <Problem>{problem}</Problem>
      <div className="flex justify-end">
        <SubmitButton isSending={isSending} sending={words.sending}>
          {words.send}
        </SubmitButton>
      </div>
    </form>
  )
}

const Problem = ({ children }: { children: string }) => (
  <p role="alert" className="font-semibold text-bad text-small empty:hidden">
    {children}
  </p>
)

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
  const [isAsking, setIsAsking] = useState(false)
  const [unsent, setUnsent] = useState('')
  const sendAgain = async () => {
    setIsAsking(true)
    setUnsent('')
    try {
      await again()
    } catch (failure) {
      setUnsent(words.notSentAgain(explainFailure(failure)))
    }
    setIsAsking(false)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isSending || code.trim() === '') return
    setIsSending(true)
    setProblem('')
    setUnsent('')
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
      <Problem>{unsent}</Problem>
      <div className="flex flex-wrap justify-end gap-3">
        <Button aria-disabled={isAsking} onClick={() => isAsking || void sendAgain()}>
          {isAsking ? words.sending : words.again}
        </Button>
        <SubmitButton isSending={isSending} sending={words.submitting} isIdle={code.trim() === ''}>
          {words.submit}
        </SubmitButton>
      </div>
    </form>
  )
}
