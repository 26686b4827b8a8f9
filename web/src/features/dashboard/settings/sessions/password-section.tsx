import type { auth } from '@countersign/sdk/contract'
import { lazy, Suspense, useState } from 'react'
import type { z } from 'zod'
import { settingsTab } from '#messages/dashboard/settings.ts'
import { explainFailure } from '../../../../failures/failure.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { toast } from '../../../../ui/controls/toast.ts'
import { Section } from '../../../../ui/layout/section.tsx'
import { SkeletonRows } from '../../../../ui/layout/skeleton.tsx'
import { askForNewPassword } from '../../../account/account.ts'
import { useIdentities } from './own-sessions.ts'

const words = settingsTab.sessions.password
const PasswordForm = lazy(() => import('./password-form.tsx').then((form) => ({ default: form.PasswordForm })))

interface PasswordSectionProps {
  changePassword: (input: z.input<typeof auth.changePassword.body>) => Promise<void>
}

/** Changes the password, or emails a link to set the first one. */
export const PasswordSection = ({ changePassword }: PasswordSectionProps) => {
  const { identities } = useIdentities()
  const email = identities?.email ?? null
  return (
    <Section heading={words.heading}>
      {identities?.has_password === false && email !== null ? (
        <FirstPassword email={email} />
      ) : (
        <>
          <p className="mb-5 max-w-prose text-muted text-small">{words.about}</p>
          <Suspense fallback={<SkeletonRows count={2} />}>
            <PasswordForm email={email} changePassword={changePassword} />
          </Suspense>
        </>
      )}
    </Section>
  )
}

const FirstPassword = ({ email }: { email: string }) => {
  const [isSending, setIsSending] = useState(false)
  const [isSent, setIsSent] = useState(false)
  const ask = async () => {
    if (isSending) return
    setIsSending(true)
    try {
      await askForNewPassword(email)
      setIsSent(true)
    } catch (failure) {
      toast.error(words.mailFailed, { description: explainFailure(failure) })
    }
    setIsSending(false)
  }
  return (
    <>
      <p className="mb-5 max-w-prose text-muted text-small">{words.none}</p>
      <Button onClick={() => void ask()} aria-disabled={isSending}>
        {isSending ? words.mailing : words.mail}
      </Button>
      <p role="status" className="mt-3 text-small">
        {isSent && words.mailed(email)}
      </p>
    </>
  )
}
