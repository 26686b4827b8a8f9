import { settingsTab } from '#messages/dashboard/settings.ts'
import { Section } from '../../../../ui/layout/section.tsx'
import type { TabProps } from '../../shared/tab-props.ts'
import { SectionBody } from '../section-body.tsx'
import { AddressSection } from './address-section.tsx'
import { ConnectedAccounts } from './connected-accounts.tsx'
import { EraseMe } from './erase-me.tsx'
import { useOwnSessions } from './own-sessions.ts'
import { PasswordSection } from './password-section.tsx'
import { SessionList } from './session-list.tsx'

const words = settingsTab.sessions

export const SessionsSection = (_: TabProps) => {
  const own = useOwnSessions()
  const hasSession = own.sessions?.some(({ is_current }) => is_current)
  return (
    <>
      <Section heading={words.sessions.heading} className="mt-8">
        <p className="max-w-prose text-muted text-small">{words.sessions.about}</p>
        <div className="mt-5">
          <SectionBody data={own.sessions} failure={own.failure} failed={words.sessions.failed} again={own.again}>
            {(sessions) => <SessionList sessions={sessions} end={own.end} again={own.again} />}
          </SectionBody>
        </div>
      </Section>
      {hasSession && <AddressSection />}
      <PasswordSection changePassword={own.changePassword} />
      <ConnectedAccounts />
      {hasSession && <EraseMe />}
    </>
  )
}
