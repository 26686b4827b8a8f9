import type { ApiKey } from '@countersign/sdk/contract'
import { lazy, Suspense, useState } from 'react'
import { settingsTab } from '#messages/dashboard/settings.ts'
import { useMay } from '../../../../data/role.ts'
import { useAddressDialog } from '../../../../hooks/use-address-dialog.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { Section } from '../../../../ui/layout/section.tsx'
import { FirstStep } from '../../shared/first-step.tsx'
import { SectionBody } from '../section-body.tsx'
import { EndedKeys } from './ended-keys.tsx'
import { KeyReviews } from './key-reviews.tsx'
import { KeyRow } from './key-row.tsx'
import { keyStateOf } from './key-rules.ts'
import { useOwnKeys } from './own-keys.ts'
import { RevokeKeyDialog } from './revoke-key-dialog.tsx'

const words = settingsTab.keys
const command = 'countersign keys create ci --scope links'

const loadForm = () => import('./new-key-dialog.tsx')
const preload = () => void loadForm().catch(() => undefined)
const NewKeyDialog = lazy(() => loadForm().then((form) => ({ default: form.NewKeyDialog })))

export const KeysSection = () => {
  const own = useOwnKeys()
  const creating = useAddressDialog('create')
  const [revoking, setRevoking] = useState<ApiKey | null>(null)
  const mayReport = useMay()('keys.compromise')
  const button = (
    <Button
      look="primary"
      aria-haspopup="dialog"
      onPointerEnter={preload}
      onFocus={preload}
      onClick={() => creating.open('key')}
    >
      {words.create}
    </Button>
  )
  return (
    <Section heading={settingsTab.sections.keys} className="mt-8">
      <p className="max-w-prose text-muted text-small">{words.about}</p>
      <div className="mt-5">
        <SectionBody data={own.keys} failure={own.failure} failed={words.failed} again={own.again}>
          {(keys) => {
            const active = keys.filter((key) => keyStateOf(key) === 'active')
            const ended = keys.filter((key) => keyStateOf(key) !== 'active')
            return (
              <>
                {active.length === 0 ? (
                  <FirstStep heading={words.none.heading} text={words.none.text} command={command}>
                    {button}
                  </FirstStep>
                ) : (
                  <>
                    {button}
                    <ul aria-label={words.list} className="mt-5 border-line border-b">
                      {active.map((key) => (
                        <KeyRow
                          key={key.id}
                          apiKey={key}
                          {...((mayReport || key.is_own) && { onRevoke: setRevoking })}
                        />
                      ))}
                    </ul>
                  </>
                )}
                <KeyReviews />
                <EndedKeys keys={ended} {...(mayReport && { onRevoke: setRevoking })} />
              </>
            )
          }}
        </SectionBody>
      </div>
      {creating.value !== null && (
        <Suspense>
          <NewKeyDialog create={own.create} onClose={creating.close} />
        </Suspense>
      )}
      {revoking && (
        <RevokeKeyDialog apiKey={revoking} mayReport={mayReport} own={own} onClose={() => setRevoking(null)} />
      )}
    </Section>
  )
}
