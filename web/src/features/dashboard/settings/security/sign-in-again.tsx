import { useNavigate } from 'react-router-dom'
import { securitySection } from '#messages/dashboard/security.ts'
import { rememberTarget } from '../../../../data/redirect.ts'
import { endSession } from '../../../../data/session.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { addressOf } from '../../shared/tab-names.ts'

const words = securitySection.add

/** A first factor needs a recent sign-in. */
export const SignInAgain = () => {
  const navigate = useNavigate()
  const signIn = () => {
    endSession()
    rememberTarget(`${addressOf('settings')}&section=security`)
    void navigate('/login')
  }
  return (
    <>
      <p role="alert" className="mb-3 max-w-prose text-small">
        {words.signIn}
      </p>
      <Button onClick={signIn}>{words.signInButton}</Button>
    </>
  )
}
