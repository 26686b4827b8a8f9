import { Link } from 'react-router-dom'
import { account } from '#messages/pages/account.ts'
import { useOwnProvider } from '../../../data/provider.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { AccountPage } from '../account-page.tsx'
import { ProfileForm } from './profile-form.tsx'

const words = account.profile

export const ProfilePage = () => {
  const { provider, refresh } = useOwnProvider()
  if (provider === undefined)
    return (
      <AccountPage state="refused" title={words.title} heading={account.required.heading} intro={account.required.text}>
        <Button asChild look="primary">
          <Link to="/login?redirect=%2Fdashboard%2Fproviders%2Fprofile">{account.required.signIn}</Link>
        </Button>
      </AccountPage>
    )
  return (
    <AccountPage state="ready" title={words.title} heading={words.heading} intro={words.text}>
      <ProfileForm key={provider.id} provider={provider} onSaved={refresh} />
    </AccountPage>
  )
}
