import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { settingsTab } from '#messages/dashboard/settings.ts'
import { ConfirmDialog } from '../../../../forms/confirm-dialog.tsx'
import { PasswordField } from '../../../../forms/password-field.tsx'
import { Button } from '../../../../ui/controls/button.tsx'
import { toast } from '../../../../ui/controls/toast.ts'
import { Section } from '../../../../ui/layout/section.tsx'
import { eraseMe, forgetAccount } from '../../shared/own-organization.ts'
import { useOwnFactors } from '../security/own-factors.ts'
import { useIdentities } from './own-sessions.ts'

const words = settingsTab.sessions.eraseMe

/** For the person, not the company. */
export const EraseMe = () => {
  const navigate = useNavigate()
  const [isAsking, setIsAsking] = useState(false)
  const isErased = useRef(false)
  const [password, setPassword] = useState('')
  const { identities } = useIdentities()
  const { list } = useOwnFactors()
  // People with a passkey confirm with it instead.
  const asksPassword = identities?.has_password === true && list?.is_protected === false
  const erase = async () => {
    await eraseMe(asksPassword ? password : undefined)
    isErased.current = true
    toast.success(words.done)
    await navigate('/')
  }
  // Sign out only after leaving this page; otherwise it would ask to sign in.
  useEffect(
    () => () => {
      if (isErased.current) forgetAccount()
    },
    [],
  )
  return (
    <Section heading={words.heading}>
      <p className="mb-4 max-w-prose text-muted text-small">{words.text}</p>
      <Button look="dangerPlain" aria-haspopup="dialog" onClick={() => setIsAsking(true)}>
        {words.button}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={words.title}
          description={words.confirmText}
          action={words.button}
          doing={words.doing}
          typed={words.typed}
          act={erase}
          onClose={() => setIsAsking(false)}
        >
          {asksPassword && (
            <PasswordField
              label={words.password}
              autoComplete="current-password"
              value={password}
              onChange={({ target }) => setPassword(target.value)}
            />
          )}
        </ConfirmDialog>
      )}
    </Section>
  )
}
