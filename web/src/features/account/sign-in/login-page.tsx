import { type EmailRegistration, type SignInError, signInErrors } from '@countersign/sdk/contract'
import { type ReactNode, useState } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { account } from '#messages/pages/account.ts'
import { site } from '#messages/site.ts'
import { readTarget, rememberTarget } from '../../../data/redirect.ts'
import { forgetDraft, keepDraft, readDraft } from '../../../forms/draft.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Spinner } from '../../../ui/controls/spinner.tsx'
import { signUp, startSignIn } from '../account.ts'
import { AccountPage } from '../account-page.tsx'
import { CheckMail } from '../email/check-mail.tsx'
import { hasServices, IdentityButtons, Or } from '../identity-buttons.tsx'
import { Notice } from '../notice.tsx'
import { ForgotPassword } from '../password/forgot-password.tsx'
import { useFocusOn } from '../use-focus-on.ts'
import { BypassSwitch } from './bypass-switch.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { type SignedUp, SignUpForm } from './sign-up-form.tsx'
import { useOnward } from './use-onward.ts'

const sentSignUp = 'sign-up-sent'

interface SentMail {
  email: string
  confirmationCode: string
  /** Unknown after a reload: no storage keeps the password. */
  details: EmailRegistration | null
}

const readSent = (): SentMail | null => {
  const { email, confirmationCode } = readDraft<SentMail>(sentSignUp) ?? {}
  return email !== undefined && confirmationCode !== undefined ? { email, confirmationCode, details: null } : null
}

/** Sign in, create an account, or reset the password, by `view` in the address. */
export const LoginPage = () => {
  const isOnward = useOnward()
  const { view, pathOf } = useViews()
  const [sent, setSent] = useState(() => (view === 'register' ? readSent() : null))
  const [sentTo, setSentTo] = useState<string | null>(null)
  useFocusOn(`${view} ${sent !== null} ${sentTo !== null}`)

  /** A reload shows the same screen and code. */
  const waitForMail = ({ details, confirmationCode }: SignedUp) => {
    const { email } = details
    keepDraft(sentSignUp, { email, confirmationCode })
    setSent({ email, confirmationCode, details })
  }
  const leave = () => {
    forgetDraft(sentSignUp)
    setSent(null)
  }

  if (isOnward)
    return (
      <AccountPage state="loading" title={account.login.title} heading={account.login.heading}>
        <Spinner>{site.layout.loading}</Spinner>
      </AccountPage>
    )
  if (sent !== null) return <Pending sent={sent} onSent={waitForMail} leave={leave} />
  if (view === 'register') return <SignUp toLogin={pathOf(null)} onDone={waitForMail} />
  if (view === 'forgot') return <Forgot toLogin={pathOf(null)} sentTo={sentTo} onSent={setSentTo} />
  return <SignIn toRegister={pathOf('register')} toForgot={pathOf('forgot')} />
}

const SignIn = ({ toRegister, toForgot }: { toRegister: string; toForgot: string }) => (
  <AccountPage state="sign-in" title={account.login.title} heading={account.login.heading} hasWayBack>
    <Messages />
    {hasServices && <Services />}
    {hasServices && <Or>{account.identities.or}</Or>}
    <SignInForm toForgot={toForgot} />
    <PasskeyButton />
    <Other question={account.login.toRegister}>
      <Link to={toRegister} className="link">
        {account.login.create}
      </Link>
    </Other>
    {import.meta.env.DEV && <BypassSwitch />}
  </AccountPage>
)

const SignUp = ({ toLogin, onDone }: { toLogin: string; onDone: (signedUp: SignedUp) => void }) => (
  <AccountPage
    state="register"
    title={account.signUp.title}
    heading={account.signUp.heading}
    intro={account.signUp.text}
    hasWayBack
  >
    <Messages />
    {hasServices && <Services />}
    {hasServices && <Or>{account.identities.or}</Or>}
    <SignUpForm onDone={onDone} />
    <Other question={account.signUp.toLogin}>
      <Link to={toLogin} className="link">
        {account.login.submit}
      </Link>
    </Other>
  </AccountPage>
)

interface PendingProps {
  sent: SentMail
  onSent: (signedUp: SignedUp) => void
  leave: () => void
}

const Pending = ({ sent: { email, confirmationCode, details }, onSent, leave }: PendingProps) => (
  <AccountPage
    state="check-mail"
    title={account.mail.title}
    heading={account.mail.verifyHeading}
    intro={account.mail.sentTo(email)}
    hasWayBack
  >
    <CheckMail
      email={email}
      confirmationCode={confirmationCode}
      sendAgain={details && (async () => onSent({ details, confirmationCode: await signUp(details) }))}
      hasOwnWayOn
    >
      {details === null && <Button onClick={leave}>{account.mail.backToDetails}</Button>}
      <Link to="/login" onClick={leave} className="link">
        {account.mail.backToSignIn}
      </Link>
    </CheckMail>
  </AccountPage>
)

interface ForgotProps {
  toLogin: string
  sentTo: string | null
  onSent: (email: string) => void
}

const Forgot = ({ toLogin, sentTo, onSent }: ForgotProps) => (
  <AccountPage
    state={sentTo === null ? 'forgot' : 'forgot-sent'}
    title={account.forgot.title}
    heading={sentTo === null ? account.forgot.heading : account.forgot.sentHeading}
    intro={sentTo === null ? account.forgot.text : account.forgot.sent(sentTo)}
    hasWayBack
  >
    {sentTo === null && <ForgotPassword onSent={onSent} />}
    <p className="mt-6 text-small">
      <Link to={toLogin} className="link">
        {account.mail.backToSignIn}
      </Link>
    </p>
  </AccountPage>
)

const Other = ({ question, children }: { question: string; children: ReactNode }) => (
  <p className="mt-8 flex flex-wrap gap-x-2 border-line border-t pt-6 text-small">
    {question}
    {children}
  </p>
)

const isSignInError = (code: string): code is SignInError => Object.hasOwn(signInErrors, code)

/** Why the user was sent here: a failure elsewhere, or a page that requires signing in. */
const Messages = () => {
  const [params] = useSearchParams()
  const error = params.get('error')
  if (error !== null)
    return (
      <Notice tone="bad" isUrgent className="mb-8">
        {signInErrors[isSignInError(error) ? error : 'oauth_failed']}
      </Notice>
    )
  if (readTarget(params.get('redirect')) === null) return null
  return (
    <Notice heading={account.required.heading} className="mb-8">
      {account.required.text}
    </Notice>
  )
}

const Services = () => {
  const [params] = useSearchParams()
  const target = readTarget(params.get('redirect'))
  return (
    <IdentityButtons
      choose={(service) => {
        if (target !== null) rememberTarget(target)
        startSignIn(service)
      }}
    />
  )
}

const views = ['register', 'forgot'] as const
type View = (typeof views)[number]

const useViews = () => {
  const [params] = useSearchParams()
  const redirect = params.get('redirect')
  /** Keeps the target but removes messages already shown. */
  const pathOf = (view: View | null) => {
    const query = new URLSearchParams({ ...(view && { view }), ...(redirect !== null && { redirect }) }).toString()
    return query === '' ? '/login' : `/login?${query}`
  }
  return { view: views.find((name) => name === params.get('view')) ?? null, pathOf }
}
