import type { Provider } from '@countersign/sdk/contract'
import { CircleCheck, CircleDashed, TriangleAlert } from 'lucide-react'
import { Link, useSearchParams } from 'react-router-dom'
import { account } from '#messages/pages/account.ts'
import { site } from '#messages/site.ts'
import { useOwnProvider } from '../../../data/provider.ts'
import { Failed } from '../../../failures/failed.tsx'
import { Button } from '../../../ui/controls/button.tsx'
import { Spinner } from '../../../ui/controls/spinner.tsx'
import { AccountPage } from '../account-page.tsx'

const words = account.verified

const icons = {
  domain: <CircleCheck aria-hidden size={40} className="text-ok" />,
  email: <TriangleAlert aria-hidden size={40} className="text-warn" />,
  nothing: <CircleDashed aria-hidden size={40} className="text-unk" />,
}

/** Shows what is verified for the signed-in user. For others the address is untrusted, so the page states nothing. */
export const EmailVerifiedPage = () => {
  const [params] = useSearchParams()
  const { provider, isSignedIn, isLoading, failure, refresh } = useOwnProvider()
  if (isLoading)
    return (
      <AccountPage state="loading" title={words.title} heading={words.title}>
        <Spinner>{site.layout.loading}</Spinner>
      </AccountPage>
    )
  if (isSignedIn && provider === undefined && failure !== undefined)
    return (
      <AccountPage state="failed" title={words.title} heading={words.title}>
        <Failed failure={failure} again={() => void refresh()} />
      </AccountPage>
    )
  const shown = provider ? standingOf(provider) : wordsOnly(params.get('level'))
  return (
    <AccountPage
      state={shown.state}
      title={words.title}
      heading={shown.heading}
      intro={shown.text}
      above={<p className="mb-4">{shown.icon}</p>}
    >
      <Button asChild look="primary">
        <Link to={shown.state === 'email' ? '/dashboard?verify=domain' : '/dashboard'}>{words.toDashboard}</Link>
      </Button>
    </AccountPage>
  )
}

const standingOf = ({ domain, domain_verified, email_verified }: Provider) => {
  if (!email_verified) return { state: 'nothing', heading: words.nothing, text: words.nothingText, icon: icons.nothing }
  if (domain_verified)
    return { state: 'domain', heading: words.complete, text: words.completeText(domain ?? ''), icon: icons.domain }
  const text = domain === null ? words.mismatchNoDomain : words.mismatchText(domain)
  return { state: 'email', heading: words.mismatch, text, icon: icons.email }
}

const wordsOnly = (level: string | null) => ({
  state: 'signed-out',
  heading: level === 'domain' ? words.complete : words.mismatch,
  text: words.signedOutText,
  icon: icons.nothing,
})
