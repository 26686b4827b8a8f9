import type { Factor } from '@countersign/sdk/contract'
import { useState } from 'react'
import { securitySection as words } from '#messages/dashboard/security.ts'
import { formatDay, formatTime } from '#messages/site.ts'
import { ConfirmDialog } from '../../../../forms/confirm-dialog.tsx'
import { TextField } from '../../../../forms/field.tsx'
import { Button } from '../../../../ui/controls/button.tsx'
import { toast } from '../../../../ui/controls/toast.ts'
import { Section } from '../../../../ui/layout/section.tsx'
import type { TabProps } from '../../shared/tab-props.ts'
import { SectionBody } from '../section-body.tsx'
import { AddApp } from './add-app.tsx'
import { AddPasskey } from './add-passkey.tsx'
import { useOwnFactors } from './own-factors.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { RecoveryNotice } from './recovery-notice.tsx'

const isApp = ({ kind }: Factor) => kind === 'totp'

export const SecuritySection = ({ provider }: TabProps) => {
  const own = useOwnFactors()
  const [renaming, setRenaming] = useState<Factor | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const [name, setName] = useState('')
  const [removing, setRemoving] = useState<Factor | null>(null)
  const beginRenaming = (factor: Factor) => {
    setName(factor.name)
    setRenaming(factor)
  }
  const remove = async (factor: Factor) => {
    const { removes_at } = await own.remove(factor)
    toast.success(removes_at !== null ? words.remove.waits : words.remove.done(factor.name))
  }
  return (
    <Section heading={words.label} className="mt-8">
      <p className="max-w-prose text-muted text-small">{words.about}</p>
      <div className="mt-5">
        <SectionBody data={own.list} failure={own.failure} failed={words.failed} again={own.again}>
          {({ factors, is_protected, recovery_codes_left, recovery_at, recovery_waits }) => (
            <>
              {recovery_waits && <RecoveryNotice at={recovery_at} cancel={own.cancelRecovery} />}
              {!is_protected && (
                <div className="mb-5 border-warn border-s-4 bg-warn-bg px-4 py-3 text-small">
                  <p className="font-semibold">{words.unprotected.heading}</p>
                  <p>{words.unprotected.text}</p>
                </div>
              )}
              {factors.length > 0 && (
                <ul aria-label={words.list} className="border-line border-b">
                  {factors.map((factor) => (
                    <FactorRow
                      key={factor.id}
                      factor={factor}
                      onRename={() => beginRenaming(factor)}
                      onRemove={() => setRemoving(factor)}
                    />
                  ))}
                </ul>
              )}
              <AddPasskey own={own} email={provider.email} isFirst={!is_protected} onCodes={setCodes} />
              {!factors.some(isApp) && (
                <AddApp own={own} email={provider.email} isFirst={!is_protected} onCodes={setCodes} />
              )}
              {(is_protected || codes !== null) && (
                <RecoveryCodes left={recovery_codes_left} codes={codes} show={setCodes} renew={own.renewCodes} />
              )}
            </>
          )}
        </SectionBody>
      </div>
      {renaming && (
        <ConfirmDialog
          title={words.rename.title(renaming.name)}
          description={words.rename.text}
          action={words.rename.action}
          doing={words.rename.doing}
          act={async () => {
            await own.rename(renaming, name)
            toast.success(words.rename.done)
          }}
          onClose={() => setRenaming(null)}
        >
          <TextField label={words.add.name} value={name} onChange={({ target }) => setName(target.value)} />
        </ConfirmDialog>
      )}
      {removing && (
        <ConfirmDialog
          title={words.remove.title(removing.name)}
          description={words.remove.text}
          action={isApp(removing) ? words.remove.appAction : words.remove.action}
          doing={words.remove.doing}
          act={() => remove(removing)}
          onClose={() => setRemoving(null)}
        />
      )}
    </Section>
  )
}

interface FactorRowProps {
  factor: Factor
  onRename: () => void
  onRemove: () => void
}

const FactorRow = ({ factor, onRename, onRemove }: FactorRowProps) => {
  const { name, created_at, effective_at, removes_at, last_used_at } = factor
  const used = last_used_at === null ? words.line.unused : words.line.used(formatTime(last_used_at))
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-line border-t py-4 text-small">
      <div className="grid min-w-0 gap-1">
        <p className="break-words font-semibold">{name}</p>
        <p className="text-muted">
          {isApp(factor) && `${words.app.name}. `}
          {words.line.added(formatDay(created_at))}, {used}
        </p>
        {Date.parse(effective_at) > Date.now() && <p>{words.line.pending(formatTime(effective_at))}</p>}
        {removes_at !== null && <p>{words.line.removed(formatTime(removes_at))}</p>}
      </div>
      <div className="flex flex-wrap gap-3">
        <Button aria-haspopup="dialog" aria-label={words.rename.of(name)} onClick={onRename}>
          {words.rename.button}
        </Button>
        <Button aria-haspopup="dialog" aria-label={words.remove.of(name)} onClick={onRemove}>
          {words.remove.button}
        </Button>
      </div>
    </li>
  )
}
