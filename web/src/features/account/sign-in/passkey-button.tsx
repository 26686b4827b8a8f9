import { useState } from 'react'
import { account } from '#messages/pages/account.ts'
import { canUsePasskeys, isDeclined } from '../../../data/passkeys.ts'
import { explainFailure } from '../../../failures/failure.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { toast } from '../../../ui/controls/toast.ts'
import { signInWithPasskey } from '../account.ts'
import { Notice } from '../notice.tsx'

const words = account.login

/** Signs in without an address or a password. Absent where passkeys don't work. */
export const PasskeyButton = () => {
  const [isAsking, setIsAsking] = useState(false)
  const [problem, setProblem] = useState('')
  const signIn = async () => {
    if (isAsking) return
    setIsAsking(true)
    setProblem('')
    try {
      await signInWithPasskey()
      toast.success(words.success)
    } catch (failure) {
      setProblem(isDeclined(failure) ? words.passkeyDeclined : explainFailure(failure, account.failed.authentication))
      setIsAsking(false)
    }
  }
  if (!canUsePasskeys) return null
  return (
    <div className="mt-4 grid gap-3">
      <Button className="w-full" aria-disabled={isAsking} onClick={() => void signIn()}>
        {isAsking ? words.passkeyWaiting : words.passkey}
      </Button>
      {problem !== '' && (
        <Notice tone="bad" isUrgent>
          {problem}
        </Notice>
      )}
    </div>
  )
}
