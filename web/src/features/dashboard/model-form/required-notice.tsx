import { Link, useLocation } from 'react-router-dom'
import { modelForm } from '#messages/dashboard/model-form.ts'
import { hasCredentials, isSignedIn, useCredentials } from '../../../data/session.ts'
import { Button } from '../../../ui/controls/button.tsx'

const words = modelForm.required

/** What is missing before a model can be registered: signing in, or a provider with a key. */
export const useMissing = (): 'authentication' | 'provider' | undefined => {
  const credentials = useCredentials()
  if (!hasCredentials(credentials)) return 'authentication'
  return isSignedIn(credentials) && credentials.apiKey !== null ? undefined : 'provider'
}

export const RequiredNotice = ({
  missing,
  onClose,
}: {
  missing: 'authentication' | 'provider'
  onClose?: () => void
}) => {
  const { pathname, search } = useLocation()
  const address =
    missing === 'authentication' ? `/login?redirect=${encodeURIComponent(pathname + search)}` : '/register'
  return (
    <div className="grid gap-5">
      <p>{words[missing].text}</p>
      <div className="flex flex-wrap justify-end gap-3">
        {onClose && <Button onClick={onClose}>{words.close}</Button>}
        <Button asChild look="primary">
          <Link to={address}>{words[missing].action}</Link>
        </Button>
      </div>
    </div>
  )
}
