import { Link } from 'react-router-dom'
import { account } from '#messages/pages/account.ts'
import { useOwnProvider } from '../../data/provider.ts'
import { Button } from '../../ui/controls/button.tsx'
import { AccountPage } from './account-page.tsx'

const words = account.setup.switch

/** Shown to a signed-in user before they set a password for another account. */
export const SwitchQuestion = ({ email, onAgreed }: { email: string | null; onAgreed: () => void }) => {
  const { provider } = useOwnProvider()
  return (
    <AccountPage
      state="other-account"
      title={account.setup.title}
      heading={words.heading}
      intro={
        <>
          <p>{words.signedIn(provider?.email ?? null)}</p>
          <p className="mt-2">{words.other(email)}</p>
          <p className="mt-2">{words.advice}</p>
        </>
      }
    >
      <div className="flex flex-wrap gap-3">
        <Button asChild look="primary">
          <Link to="/dashboard" replace>
            {words.stay}
          </Link>
        </Button>
        <Button onClick={onAgreed}>{words.onward}</Button>
      </div>
    </AccountPage>
  )
}
