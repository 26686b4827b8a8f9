import { type InvitationPreview, limits, members } from '@countersign/sdk/contract'
import { linkWords, quote, quoteExactly } from '@countersign/sdk/words'
import { useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router-dom'
import useSWR from 'swr'
import { membersSection } from '#messages/dashboard/members.ts'
import { account } from '#messages/pages/account.ts'
import { invitation as words } from '#messages/pages/invitation.ts'
import { formatTime } from '#messages/site.ts'
import { client } from '../../../data/client.ts'
import { rememberTarget } from '../../../data/redirect.ts'
import { isSignedIn, useCredentials } from '../../../data/session.ts'
import { Failed } from '../../../failures/failed.tsx'
import { explainFailure, isRefusal } from '../../../failures/failure.ts'
import { currentOrSaid } from '../../../failures/giving-up.ts'
import { TextField } from '../../../forms/field.tsx'
import { PasswordField } from '../../../forms/password-field.tsx'
import { SubmitButton } from '../../../forms/submit-button.tsx'
import { useContractForm } from '../../../forms/use-contract-form.ts'
import { useSteadyLoading } from '../../../hooks/use-steady-loading.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { toast } from '../../../ui/controls/toast.ts'
import { Skeleton } from '../../../ui/layout/skeleton.tsx'
import { keepSession } from '../account.ts'
import { AccountPage } from '../account-page.tsx'
import { Notice } from '../notice.tsx'
import { OneButtonForm, useOneAction } from '../one-button-form.tsx'

/** Shows an invitation, and accepts it: signed in with the invited address, or with a password for a new account. */
export const InvitationPage = () => {
  const { search } = useLocation()
  const [token] = useState(() => new URLSearchParams(search).get('token') ?? '')
  const { data, error, mutate } = useSWR<InvitationPreview, unknown>(
    ['invitation', token],
    () => client.members.preview({ token }),
    currentOrSaid,
  )
  const isRefused = isRefusal(error, 'code_invalid')
  const { isLoading, isShown } = useSteadyLoading(data === undefined && error === undefined)
  const page = { title: words.title, heading: words.title }
  if (isLoading || (data === undefined && error === undefined))
    return (
      <AccountPage state="loading" {...page}>
        {isShown && <Skeleton className="h-10 w-full" />}
      </AccountPage>
    )
  const again = () => void mutate()
  if (data === undefined || isRefused)
    return (
      <AccountPage state={isRefused ? 'refused' : 'failed'} {...page}>
        {isRefused || isRefusal(error, 'validation_failed') ? (
          <Notice tone="bad" isUrgent>
            {words.invalid}
          </Notice>
        ) : (
          <Failed failure={error} again={again} />
        )}
      </AccountPage>
    )
  return <Invited token={token} invitation={data} failure={error} again={again} />
}

interface InvitedProps {
  token: string
  invitation: InvitationPreview
  /** The invitation could not be loaded again, so that nothing is said of it. What is typed stays. */
  failure: unknown
  again: () => void
}

const Invited = ({ token, invitation, failure, again }: InvitedProps) => {
  const { company_name, domain, similar_name_domain, role, email, invited_by, expires_at, has_account } = invitation
  const credentials = useCredentials()
  return (
    <AccountPage
      state="ready"
      title={words.title}
      heading={
        failure === undefined
          ? words.heading(company_name === null ? (domain ?? words.unnamed) : quote(company_name))
          : words.title
      }
      intro={
        failure === undefined ? (
          <>
            <p>{domain === null ? words.notProven : words.proven(domain)}</p>
            {similar_name_domain !== null && (
              <p className="mt-2 font-semibold">{linkWords.about.similarName(similar_name_domain)}</p>
            )}
            <p className="mt-2">{words.role(membersSection.roles[role], membersSection.may[role])}</p>
            <p className="mt-2">
              {invited_by !== null && `${words.by(quoteExactly(invited_by))} `}
              {words.until(formatTime(expires_at))}
            </p>
          </>
        ) : (
          <Failed failure={failure} again={again} />
        )
      }
    >
      {has_account ? (
        isSignedIn(credentials) ? (
          <AcceptSignedIn token={token} email={email} />
        ) : (
          <SignInFirst email={email} />
        )
      ) : (
        <AcceptWithPassword token={token} email={email} />
      )}
    </AccountPage>
  )
}

const SignInFirst = ({ email }: { email: string }) => {
  const { pathname, search } = useLocation()
  return (
    <div className="grid gap-5">
      <p>{words.signIn(email)}</p>
      <Button asChild look="primary" className="justify-self-start">
        <Link to="/login" onClick={() => rememberTarget(`${pathname}${search}`)}>
          {words.toLogin}
        </Link>
      </Button>
    </div>
  )
}

/** Begins a session for the company of the invitation, and opens its dashboard. */
const useAccept = (token: string) => {
  const navigate = useNavigate()
  return async (password?: string) => {
    keepSession(await client.members.accept({ token, ...(password !== undefined && { password }) }))
    toast.success(words.done)
    await navigate('/dashboard', { replace: true })
  }
}

const AcceptSignedIn = ({ token, email }: { token: string; email: string }) => {
  const accept = useAccept(token)
  const action = useOneAction(() => accept())
  if (isRefusal(action.failure, 'sign_in_required')) return <SignInFirst email={email} />
  return <OneButtonForm action={action} label={words.accept} doing={words.accepting} />
}

const Typed = members.accept.body.pick({ password: true }).required()

const AcceptWithPassword = ({ token, email }: { token: string; email: string }) => {
  const accept = useAccept(token)
  const [failure, setFailure] = useState('')
  const { submit, field, showRefused, isSending } = useContractForm(Typed, {
    defaults: { password: '' },
    send: async ({ password }) => {
      setFailure('')
      try {
        await accept(password)
      } catch (error) {
        if (!showRefused(error)) setFailure(explainFailure(error))
      }
    },
  })
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
      <TextField label={account.fields.email} type="email" autoComplete="username" readOnly value={email} />
      <PasswordField
        label={account.fields.newPassword}
        autoComplete="new-password"
        hint={account.fields.passwordHint(limits.passwordMin)}
        {...field('password')}
      />
      <p role="alert" className="font-semibold text-bad text-small empty:hidden">
        {failure}
      </p>
      <SubmitButton isSending={isSending} sending={words.accepting} className="w-full">
        {words.accept}
      </SubmitButton>
    </form>
  )
}
