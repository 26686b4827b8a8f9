import { VerifyEmail } from '@countersign/sdk/contract'
import { type ReactNode, useState } from 'react'
import { account } from '#messages/pages/account.ts'
import { explainFailure } from '../../../failures/failure.ts'
import { TextField } from '../../../forms/field.tsx'
import { SubmitButton } from '../../../forms/submit-button.tsx'
import { useContractForm } from '../../../forms/use-contract-form.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { CopyButton } from '../../../ui/controls/copy-button.tsx'
import { toast } from '../../../ui/controls/toast.ts'
import { verifyWithCode } from '../account.ts'
import { useAfterVerifying } from '../use-after-verifying.ts'

const words = account.mail
const Typed = VerifyEmail.pick({ verification_code: true })

interface CheckMailProps {
  email: string
  /** Proves in another browser that the registration was started here. */
  confirmationCode: string
  /** Null if the form has to be filled in again. */
  sendAgain: (() => Promise<void>) | null
  /** Where a session that starts here leads. */
  hasOwnWayOn: boolean
  /** Links back. */
  children: ReactNode
}

/** After an email was sent: its link, its code, and the confirmation code for reading it on another device. */
export const CheckMail = ({ email, confirmationCode, sendAgain, hasOwnWayOn, children }: CheckMailProps) => {
  const goOn = useAfterVerifying()
  const { submit, field, showRefused, isSending } = useContractForm(Typed, {
    defaults: { verification_code: '' },
    send: async ({ verification_code }) => {
      try {
        const verified = await verifyWithCode({ email, verification_code })
        if (hasOwnWayOn && verified.auth_token !== null) toast.success(account.verify.success)
        else goOn(verified)
      } catch (failure) {
        if (!showRefused(failure)) toast.error(explainFailure(failure, account.failed.emailVerification))
      }
    },
  })
  return (
    <>
      <p>{words.open}</p>
      <form onSubmit={submit} noValidate className="mt-6 grid gap-4 border-line border-t pt-6">
        <TextField
          label={words.codeLabel}
          hint={words.codeHint}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          {...field('verification_code')}
        />
        <SubmitButton isSending={isSending} sending={words.codeSending} className="w-full">
          {words.codeSubmit}
        </SubmitButton>
      </form>
      <section className="mt-8 border-line border-t pt-6">
        <h2 className="font-semibold">{words.elsewhereHeading}</h2>
        <p className="mt-1 text-muted text-small">{words.elsewhere}</p>
        <p className="mt-3 flex items-center justify-between gap-3 rounded-control border border-line bg-sunken ps-4">
          <code className="font-mono text-body">{confirmationCode}</code>
          <CopyButton text={confirmationCode} what={words.confirmationCode} />
        </p>
      </section>
      <div className="mt-8 border-line border-t pt-6">
        <p className="text-muted text-small">
          {words.missing} {sendAgain === null && words.fillInAgain}
        </p>
        {sendAgain && <SendAgain send={sendAgain} />}
      </div>
      <div className="mt-6 grid justify-items-start gap-3">{children}</div>
    </>
  )
}

const SendAgain = ({ send }: { send: () => Promise<void> }) => {
  const [isSending, setIsSending] = useState(false)
  const again = async () => {
    if (isSending) return
    setIsSending(true)
    try {
      await send()
      toast.success(words.sentAgain)
    } catch (failure) {
      toast.error(explainFailure(failure, account.failed.sendVerification))
    }
    setIsSending(false)
  }
  return (
    <Button className="mt-3" onClick={again} aria-disabled={isSending}>
      {isSending ? words.sendingAgain : words.again}
    </Button>
  )
}
