import type { IdentityProvider } from '@countersign/sdk/contract'
import { useState } from 'react'
import { settingsTab } from '#messages/dashboard/settings.ts'
import { formatDay } from '#messages/site.ts'
import { hasSignInBy } from '../../../../data/registry.ts'
import { explainFailure } from '../../../../failures/failure.ts'
import { ConfirmDialog } from '../../../../forms/confirm-dialog.tsx'
import { Button } from '../../../../ui/controls/button.tsx'
import { toast } from '../../../../ui/controls/toast.ts'
import { Section } from '../../../../ui/layout/section.tsx'
import { addressOf } from '../../shared/tab-names.ts'
import { SectionBody } from '../section-body.tsx'
import { useIdentities } from './own-sessions.ts'

const words = settingsTab.sessions.accounts
const services = Object.keys(words.names) as IdentityProvider[]
const here = `${addressOf('settings')}&section=sessions`

/** The services that can sign this account in. */
export const ConnectedAccounts = () => {
  const { identities, failure, again, connect, disconnect } = useIdentities()
  const [leaving, setLeaving] = useState<IdentityProvider | null>(null)
  const [ending, setEnding] = useState<IdentityProvider | null>(null)
  // A service that the operator has not set up can still be disconnected.
  const shown = services.filter(
    (service) => hasSignInBy(service) || identities?.identities.some(({ provider }) => provider === service),
  )
  if (shown.length === 0 && failure === undefined) return null
  const start = async (service: IdentityProvider) => {
    setLeaving(service)
    try {
      await connect(service, here)
    } catch (error) {
      setLeaving(null)
      toast.error(words.connectFailed(words.names[service]), { description: explainFailure(error) })
    }
  }
  const end = async (service: IdentityProvider) => {
    await disconnect(service)
    toast.success(words.done(words.names[service]))
  }
  return (
    <Section heading={words.heading}>
      <p className="max-w-prose text-muted text-small">{words.about}</p>
      <div className="mt-5">
        <SectionBody data={identities} failure={failure} failed={words.failed} again={again} rows={2}>
          {({ identities: connected, has_password }) => (
            <>
              <ul className="border-line border-b">
                {shown.map((service) => {
                  const identity = connected.find(({ provider }) => provider === service)
                  const name = words.names[service]
                  return (
                    <li
                      key={service}
                      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-line border-t py-4 text-small"
                    >
                      <div className="grid min-w-0 gap-1">
                        <p className="font-semibold">{name}</p>
                        <p className="text-muted">{identity === undefined ? words.notConnected : sinceOf(identity)}</p>
                      </div>
                      {identity === undefined ? (
                        <Button
                          aria-label={words.connectTo(name)}
                          aria-disabled={leaving !== null}
                          onClick={() => leaving === null && void start(service)}
                        >
                          {leaving === service ? words.connecting : words.connect}
                        </Button>
                      ) : (
                        <Button
                          aria-haspopup="dialog"
                          aria-label={words.disconnectFrom(name)}
                          onClick={() => setEnding(service)}
                        >
                          {words.disconnect}
                        </Button>
                      )}
                    </li>
                  )
                })}
              </ul>
              {ending && (
                <ConfirmDialog
                  title={words.title(words.names[ending])}
                  description={
                    connected.length === 1 && !has_password
                      ? words.lastText(words.names[ending])
                      : words.text(words.names[ending])
                  }
                  action={words.disconnect}
                  doing={words.disconnecting}
                  act={() => end(ending)}
                  onClose={() => setEnding(null)}
                />
              )}
            </>
          )}
        </SectionBody>
      </div>
    </Section>
  )
}

const sinceOf = ({ login, linked_at }: { login: string | null; linked_at: string }) =>
  login === null ? words.connectedUnnamed(formatDay(linked_at)) : words.connected(login, formatDay(linked_at))
