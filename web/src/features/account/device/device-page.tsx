import { type DeviceRequest, devices } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import { describeProvider } from '@countersign/sdk/words/company'
import { useEffect, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router-dom'
import { device as words } from '#messages/pages/device.ts'
import { formatTime } from '#messages/site.ts'
import { client } from '../../../data/client.ts'
import { useOwnProvider } from '../../../data/provider.ts'
import { explainFailure, isRefusal } from '../../../failures/failure.ts'
import { TextField } from '../../../forms/field.tsx'
import { SubmitButton } from '../../../forms/submit-button.tsx'
import { useContractForm } from '../../../forms/use-contract-form.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { AccountPage } from '../account-page.tsx'
import { Notice } from '../notice.tsx'
import { useOnce } from '../use-once.ts'

const explain = (failure: unknown) =>
  isRefusal(failure, 'code_invalid') ? words.unknown : `${words.notDone}: ${explainFailure(failure)}`

type Outcome = 'approved' | 'denied'

/** Shows which machine asks with a code, and approves or denies it. */
export const DevicePage = () => {
  const { hash } = useLocation()
  const navigate = useNavigate()
  const [given] = useState(() => decodeURIComponent(hash.slice(1)))
  const [request, setRequest] = useState<DeviceRequest>()
  const [outcome, setOutcome] = useState<Outcome>()
  useEffect(() => {
    if (hash !== '') void navigate('/device', { replace: true })
  }, [hash, navigate])
  if (request !== undefined && outcome !== undefined) return <Decided request={request} outcome={outcome} />
  if (request !== undefined) return <Consent request={request} onDecided={setOutcome} />
  return <CodeForm given={given} onFound={setRequest} />
}

interface CodeFormProps {
  /** From the address that the terminal opened. */
  given: string
  onFound: (request: DeviceRequest) => void
}

const CodeForm = ({ given, onFound }: CodeFormProps) => {
  const [failure, setFailure] = useState('')
  const find = async (user_code: string) => {
    setFailure('')
    onFound(await client.devices.find({ user_code }))
  }
  const { submit, field, showRefused, isSending } = useContractForm(devices.find.body, {
    defaults: { user_code: given },
    send: ({ user_code }) =>
      find(user_code).catch((error: unknown) => {
        if (!showRefused(error)) setFailure(explain(error))
      }),
  })
  useOnce(() => {
    if (given !== '') void find(given).catch((error: unknown) => setFailure(explain(error)))
  })
  return (
    <AccountPage state="ready" title={words.title} heading={words.title} intro={words.intro}>
      <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
        <TextField
          label={words.code}
          hint={words.codeHint}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          {...field('user_code')}
        />
        <p role="alert" className="font-semibold text-bad text-small empty:hidden">
          {failure}
        </p>
        <SubmitButton isSending={isSending} sending={words.searching} className="w-full">
          {words.next}
        </SubmitButton>
      </form>
    </AccountPage>
  )
}

const Consent = ({ request, onDecided }: { request: DeviceRequest; onDecided: (outcome: Outcome) => void }) => {
  const { provider } = useOwnProvider()
  const [failure, setFailure] = useState('')
  const [sending, setSending] = useState<Outcome>()
  const { user_code, name, address, is_same_network, user_agent, created_at } = request
  const decide = async (outcome: Outcome) => {
    if (sending !== undefined) return
    setSending(outcome)
    setFailure('')
    try {
      await (outcome === 'approved' ? client.devices.approve({ user_code }) : client.devices.deny({ user_code }))
      onDecided(outcome)
    } catch (error) {
      setFailure(explain(error))
    }
    setSending(undefined)
  }
  const facts: [string, string][] = [
    [words.name, quote(name)],
    [words.address, `${address}, ${is_same_network ? words.same : words.other}`],
    [words.program, user_agent === null ? '-' : quote(user_agent)],
    [words.asked, formatTime(created_at)],
    [words.company, provider ? describeProvider(provider) : '-'],
  ]
  return (
    <AccountPage state="ready" title={words.title} heading={words.heading} intro={words.compare}>
      <p className="-mt-4 font-mono font-semibold text-verdict">{user_code}</p>
      <dl className="mt-6 grid grid-cols-[auto_1fr] gap-x-5 gap-y-2 border-line border-y py-4 text-small">
        {facts.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-muted">{label}</dt>
            <dd className="wrap-anywhere">
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-5 text-small">{words.may}</p>
      <Notice tone="warn" className="mt-5">
        {words.warning}
      </Notice>
      <p role="alert" className="mt-5 font-semibold text-bad text-small empty:hidden">
        {failure}
      </p>
      <div className="mt-6 flex flex-wrap gap-3">
        <Button look="primary" aria-disabled={sending !== undefined} onClick={() => void decide('approved')}>
          {sending === 'approved' ? words.approving : words.approve}
        </Button>
        <Button aria-disabled={sending !== undefined} onClick={() => void decide('denied')}>
          {words.deny}
        </Button>
      </div>
    </AccountPage>
  )
}

const Decided = ({ request, outcome }: { request: DeviceRequest; outcome: Outcome }) => (
  <AccountPage
    state={outcome}
    title={words.title}
    heading={words[outcome]}
    intro={<p role="status">{outcome === 'approved' ? words.approvedText(request.name) : words.deniedText}</p>}
  >
    <Link className="link" to="/dashboard?tab=settings&section=sessions">
      {words.sessions}
    </Link>
  </AccountPage>
)
