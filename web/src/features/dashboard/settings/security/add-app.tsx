import { factors } from '@countersign/sdk/contract'
import { useState } from 'react'
import { renderSVG } from 'uqr'
import { z } from 'zod'
import { securitySection } from '#messages/dashboard/security.ts'
import { explainFailure, isRefusal } from '../../../../failures/failure.ts'
import { TextField } from '../../../../forms/field.tsx'
import { SubmitButton } from '../../../../forms/submit-button.tsx'
import { useContractForm } from '../../../../forms/use-contract-form.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { toast } from '../../../../ui/controls/toast.ts'
import { CodeBlock } from '../../../../ui/values/code-block.tsx'
import type { NewApp, OwnFactors } from './own-factors.ts'
import { SignInAgain } from './sign-in-again.tsx'

const words = securitySection.app
const Code = z.object({ code: factors.begin.body.shape.code.unwrap() })

interface AddAppProps {
  own: OwnFactors
  email: string | null
  isFirst: boolean
  onCodes: (codes: readonly string[]) => void
}

/** An authenticator app, for people who cannot use a passkey. As a first factor it needs a code from an email. */
export const AddApp = ({ own, email, isFirst, onCodes }: AddAppProps) => {
  const [step, setStep] = useState<'closed' | 'mailed' | NewApp>('closed')
  const [problem, setProblem] = useState<unknown>()
  const open = async () => {
    setProblem(undefined)
    try {
      if (isFirst) await own.sendCode()
      setStep(isFirst ? 'mailed' : await own.beginApp())
    } catch (failure) {
      setProblem(failure)
    }
  }
  const close = () => setStep('closed')
  if (step === 'mailed')
    return <MailedForm email={email ?? ''} begin={async (code) => setStep(await own.beginApp(code))} close={close} />
  if (step !== 'closed') return <AppForm app={step} add={own.addApp} onCodes={onCodes} close={close} />
  return (
    <div className="mt-6">
      <p className="mb-3 max-w-prose text-muted text-small">{words.about}</p>
      {isRefusal(problem, 'sign_in_again') ? (
        <SignInAgain />
      ) : (
        <>
          <Button onClick={() => void open()}>{words.button}</Button>
          <p role="alert" className="mt-3 font-semibold text-bad text-small empty:hidden">
            {problem === undefined ? '' : `${words.failed}: ${explainFailure(problem)}`}
          </p>
        </>
      )}
    </div>
  )
}

interface MailedFormProps {
  email: string
  begin: (code: string) => Promise<void>
  close: () => void
}

const MailedForm = ({ email, begin, close }: MailedFormProps) => {
  const [failure, setFailure] = useState('')
  const { submit, field, showRefused, isSending } = useContractForm(Code, {
    defaults: { code: '' },
    send: async ({ code }) => {
      setFailure('')
      try {
        await begin(code)
      } catch (error) {
        if (!showRefused(error)) setFailure(`${words.failed}: ${explainFailure(error)}`)
      }
    },
  })
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="mt-8 grid max-w-md gap-5">
      <h3 className="font-semibold">{words.heading}</h3>
      <TextField
        label={securitySection.add.code}
        hint={securitySection.add.codeHint(email)}
        autoComplete="one-time-code"
        {...field('code')}
      />
      <Ending failure={failure} isSending={isSending} close={close} />
    </form>
  )
}

interface AppFormProps {
  app: NewApp
  add: OwnFactors['addApp']
  onCodes: AddAppProps['onCodes']
  close: () => void
}

const AppForm = ({ app: { token, secret, uri }, add, onCodes, close }: AppFormProps) => {
  const [failure, setFailure] = useState('')
  const { submit, field, showRefused, isSending } = useContractForm(Code, {
    defaults: { code: '' },
    send: async ({ code }) => {
      setFailure('')
      try {
        const { effective_at, created_at, recovery_codes } = await add({ token, code })
        if (recovery_codes !== null) onCodes(recovery_codes)
        toast.success(words.done, effective_at > created_at ? { description: securitySection.add.waits } : undefined)
        close()
      } catch (error) {
        if (!showRefused(error)) setFailure(`${words.failed}: ${explainFailure(error)}`)
      }
    },
  })
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="mt-8 grid max-w-md gap-5">
      <h3 className="font-semibold">{words.heading}</h3>
      <p className="text-small">{words.scan}</p>
      <img
        src={`data:image/svg+xml,${encodeURIComponent(renderSVG(uri, { ecc: 'M', border: 3 }))}`}
        alt={words.image}
        className="size-56 bg-white"
      />
      <p className="text-small">{words.type}</p>
      <CodeBlock code={secret} what={words.secret} />
      <TextField
        label={words.code}
        hint={words.codeHint}
        autoComplete="one-time-code"
        inputMode="numeric"
        {...field('code')}
      />
      <Ending failure={failure} isSending={isSending} close={close} />
    </form>
  )
}

const Ending = ({ failure, isSending, close }: { failure: string; isSending: boolean; close: () => void }) => (
  <>
    <p role="alert" className="font-semibold text-bad text-small empty:hidden">
      {failure}
    </p>
    <div className="flex flex-wrap gap-3">
      <SubmitButton isSending={isSending} sending={words.submitting}>
        {words.submit}
      </SubmitButton>
      <Button onClick={close}>{securitySection.add.cancel}</Button>
    </div>
  </>
)
