import { factors } from '@countersign/sdk/contract'
import { useState } from 'react'
import { z } from 'zod'
import { securitySection } from '#messages/dashboard/security.ts'
import { canUsePasskeys, isDeclined, isKnownHere } from '../../../../data/passkeys.ts'
import { issuer } from '../../../../data/registry.ts'
import { explainFailure, isRefusal } from '../../../../failures/failure.ts'
import { TextField } from '../../../../forms/field.tsx'
import { SubmitButton } from '../../../../forms/submit-button.tsx'
import { useContractForm } from '../../../../forms/use-contract-form.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { toast } from '../../../../ui/controls/toast.ts'
import { addressOf } from '../../shared/tab-names.ts'
import type { OwnFactors } from './own-factors.ts'
import { SignInAgain } from './sign-in-again.tsx'

const words = securitySection.add
const hasNoName = /^[\d.]+$|^\[/.test(new URL(issuer).hostname)
const { name } = factors.add.body.shape
const further = z.object({ name })
const first = z.object({ name, code: factors.begin.body.shape.code.unwrap() })

const explain = (failure: unknown) => {
  if (isDeclined(failure)) return words.declined
  if (isKnownHere(failure)) return words.known
  return `${words.failed}: ${explainFailure(failure)}`
}

interface AddPasskeyProps {
  own: OwnFactors
  email: string | null
  isFirst: boolean
  /** Called with the recovery codes of a first passkey. */
  onCodes: (codes: readonly string[]) => void
}

/** A first passkey needs a code from an email; for others, the browser asks for one that is already there. */
export const AddPasskey = (props: AddPasskeyProps) => {
  const { own, isFirst } = props
  const [isOpen, setIsOpen] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const open = async () => {
    setProblem(undefined)
    try {
      if (isFirst) await own.sendCode()
      setIsOpen(true)
    } catch (failure) {
      setProblem(failure)
    }
  }
  if (!canUsePasskeys)
    return hasNoName ? (
      <p className="mt-6 max-w-prose text-small">{words.nameless}</p>
    ) : (
      <p className="mt-6 max-w-prose text-small">
        {words.elsewhere}{' '}
        <a className="link" href={`${issuer}${addressOf('settings')}&section=security`}>
          {issuer}
        </a>
      </p>
    )
  if (isOpen) return <PasskeyForm {...props} close={() => setIsOpen(false)} />
  return (
    <div className="mt-6">
      {isRefusal(problem, 'sign_in_again') ? (
        <SignInAgain />
      ) : (
        <>
          <Button look="primary" onClick={() => void open()}>
            {own.list?.factors.length === 0 ? words.button : words.another}
          </Button>
          <p role="alert" className="mt-3 font-semibold text-bad text-small empty:hidden">
            {problem === undefined ? '' : explain(problem)}
          </p>
        </>
      )}
    </div>
  )
}

const PasskeyForm = ({ own, email, isFirst, onCodes, close }: AddPasskeyProps & { close: () => void }) => {
  const [failure, setFailure] = useState('')
  const { submit, field, showRefused, isSending } = useContractForm(isFirst ? first : further, {
    defaults: isFirst ? { name: '', code: '' } : { name: '' },
    send: async (typed: { name: string; code?: string }) => {
      setFailure('')
      try {
        const { effective_at, created_at, recovery_codes } = await own.add(typed)
        if (recovery_codes !== null) onCodes(recovery_codes)
        toast.success(words.done, effective_at > created_at ? { description: words.waits } : undefined)
        close()
      } catch (error) {
        if (!showRefused(error)) setFailure(explain(error))
      }
    },
  })
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="mt-8 grid max-w-md gap-5">
      <h3 className="font-semibold">{words.heading}</h3>
      <TextField label={words.name} hint={words.nameHint} autoComplete="off" {...field('name')} />
      {isFirst && (
        <TextField
          label={words.code}
          hint={words.codeHint(email ?? '')}
          autoComplete="one-time-code"
          {...field('code' as 'name')}
        />
      )}
      <p role="alert" className="font-semibold text-bad text-small empty:hidden">
        {failure}
      </p>
      <div className="flex flex-wrap gap-3">
        <SubmitButton isSending={isSending} sending={words.submitting}>
          {words.submit}
        </SubmitButton>
        <Button onClick={close}>{words.cancel}</Button>
      </div>
    </form>
  )
}
