import type { RegisteredProvider } from '@countersign/sdk/contract'
import { type ReactNode, useState } from 'react'
import { Link, Navigate, useNavigate } from 'react-router-dom'
import { account } from '#messages/pages/account.ts'
import { site } from '#messages/site.ts'
import { isRegistered, useOwnProvider } from '../../../data/provider.ts'
import { Failed } from '../../../failures/failed.tsx'
import { forgetDraft, keepDraft, readDraft } from '../../../forms/draft.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Spinner } from '../../../ui/controls/spinner.tsx'
import { sendVerification } from '../account.ts'
import { AccountPage } from '../account-page.tsx'
import { CheckMail } from '../email/check-mail.tsx'
import { useFocusOn } from '../use-focus-on.ts'
import { AuthStep } from './auth-step.tsx'
import { type Details, DetailsForm } from './details-form.tsx'
import { KeyStep } from './key-step.tsx'
import { NewKey } from './new-key.tsx'
import { type Step, Steps } from './steps.tsx'

const words = account.register

const sentMail = 'registration-sent'

interface SentMail {
  details: Details
  confirmationCode: string
}

/** Details first; then email confirmation without an account, or the first key with one. */
export const RegisterPage = () => {
  const { provider, isSignedIn, isLoading, failure, refresh } = useOwnProvider()
  const navigate = useNavigate()
  const [before] = useState(() => readDraft<SentMail>(sentMail))
  const [details, setDetails] = useState<Details | null>(before?.details ?? null)
  const [isEditing, setIsEditing] = useState(before?.details === undefined)
  const [refusal, setRefusal] = useState<unknown>(null)
  const [confirmationCode, setConfirmationCode] = useState<string | null>(before?.confirmationCode ?? null)
  const [made, setMade] = useState<RegisteredProvider | null>(null)
  const [isSending, setIsSending] = useState(false)
  useFocusOn(`${isEditing} ${confirmationCode !== null} ${made !== null}`)

  const edit = (refused: unknown = null) => {
    setRefusal(refused)
    setConfirmationCode(null)
    forgetDraft(sentMail)
    setIsEditing(true)
  }

  /** A reload shows the same screen and code. */
  const waitForMail = (code: string) => {
    setConfirmationCode(code)
    if (details !== null) keepDraft(sentMail, { details, confirmationCode: code } satisfies SentMail)
  }

  if (made !== null) {
    const goOn = async () => {
      await refresh()
      await navigate('/dashboard')
    }
    return (
      <Frame state="complete" step="key" heading={words.complete.heading} intro={words.complete.text}>
        <NewKey made={made} goOn={goOn} />
      </Frame>
    )
  }
  if (isLoading) return <Waiting />
  if (failure !== undefined && provider === undefined)
    return (
      <Frame state="failed" step="details" heading={words.heading}>
        <Failed failure={failure} again={() => void refresh()} />
      </Frame>
    )
  // The response to the registration has the key.
  if (provider && isRegistered(provider) && !isSending) return <Navigate to="/dashboard/providers/dashboard" replace />

  const fixedEmail = provider?.email ?? null
  if (details === null || isEditing) {
    const typed = details ?? { company_name: provider?.company_name ?? '', email: '', website: provider?.website ?? '' }
    return (
      <Frame state="details" step="details" heading={words.heading} intro={words.text}>
        <DetailsForm
          key={fixedEmail}
          details={{ ...typed, email: fixedEmail ?? typed.email }}
          hasFixedEmail={fixedEmail !== null}
          refusal={refusal}
          onDone={(next) => {
            setDetails(next)
            setIsEditing(false)
          }}
        />
      </Frame>
    )
  }
  if (isSignedIn)
    return (
      <Frame state="generate" step="key" heading={words.key.heading} intro={words.key.text}>
        <KeyStep
          details={{ ...details, email: fixedEmail ?? details.email }}
          {...{ isSending, setIsSending, edit }}
          onDone={setMade}
        />
      </Frame>
    )
  if (confirmationCode === null)
    return (
      <Frame state="auth" step="auth" heading={words.auth.heading} intro={words.auth.text}>
        <AuthStep details={details} edit={edit} onSent={waitForMail} />
      </Frame>
    )
  return (
    <Frame
      state="check-mail"
      step="auth"
      heading={account.mail.checkHeading}
      intro={account.mail.sentTo(details.email)}
    >
      <CheckMail
        email={details.email}
        confirmationCode={confirmationCode}
        sendAgain={async () => waitForMail(await sendVerification(details))}
        hasOwnWayOn={false}
      >
        <Button onClick={() => edit()}>{account.mail.backToDetails}</Button>
        <Link to="/login" className="link text-small">
          {account.mail.backToSignIn}
        </Link>
      </CheckMail>
    </Frame>
  )
}

interface FrameProps {
  state: string
  step: Step
  heading: string
  intro?: string
  children: ReactNode
}

const Frame = ({ state, step, heading, intro, children }: FrameProps) => (
  <AccountPage
    state={state}
    title={words.title}
    heading={heading}
    intro={intro}
    above={<Steps current={step} />}
    hasWayBack
  >
    {children}
  </AccountPage>
)

const Waiting = () => (
  <AccountPage state="loading" title={words.title} heading={words.heading}>
    <Spinner>{site.layout.loading}</Spinner>
  </AccountPage>
)
