import { type ComponentType, lazy, Suspense } from 'react'
import { Link } from 'react-router-dom'
import { actsSection } from '#messages/dashboard/acts.ts'
import { changesSection } from '#messages/dashboard/changes.ts'
import { domainsSection } from '#messages/dashboard/domains.ts'
import { membersSection } from '#messages/dashboard/members.ts'
import { profileSection } from '#messages/dashboard/profile.ts'
import { publishersSection } from '#messages/dashboard/publishers.ts'
import { securitySection } from '#messages/dashboard/security.ts'
import { settingsTab } from '#messages/dashboard/settings.ts'
import { useUrlChoice } from '../../../hooks/use-url-choice.ts'
import { classes } from '../../../ui/classes.ts'
import { SkeletonRows } from '../../../ui/layout/skeleton.tsx'
import { ReactivateButton } from '../shared/reactivate-button.tsx'
import { TabMain } from '../shared/tab-main.tsx'
import { addressOf } from '../shared/tab-names.ts'
import type { TabProps } from '../shared/tab-props.ts'

const words = settingsTab

interface SettingsSection {
  label: string
  Content: ComponentType<TabProps>
}

/** In the order of the menu; each is loaded when first opened. */
const sections: Record<string, SettingsSection> = {
  keys: {
    label: words.sections.keys,
    Content: lazy(() => import('./keys/keys-section.tsx').then((m) => ({ default: m.KeysSection }))),
  },
  profile: {
    label: profileSection.label,
    Content: lazy(() => import('./profile/profile-section.tsx').then((m) => ({ default: m.ProfileSection }))),
  },
  domains: {
    label: domainsSection.label,
    Content: lazy(() => import('./domains/domains-section.tsx').then((m) => ({ default: m.DomainsSection }))),
  },
  signers: {
    label: words.sections.signers,
    Content: lazy(() => import('./signers/signers-section.tsx').then((m) => ({ default: m.SignersSection }))),
  },
  publishers: {
    label: publishersSection.label,
    Content: lazy(() => import('./publishers/publishers-section.tsx').then((m) => ({ default: m.PublishersSection }))),
  },
  members: {
    label: membersSection.label,
    Content: lazy(() => import('./members/members-section.tsx').then((m) => ({ default: m.MembersSection }))),
  },
  changes: {
    label: changesSection.label,
    Content: lazy(() => import('./changes/changes-section.tsx').then((m) => ({ default: m.ChangesSection }))),
  },
  activity: {
    label: actsSection.label,
    Content: lazy(() => import('./acts/acts-section.tsx').then((m) => ({ default: m.ActsSection }))),
  },
  notifications: {
    label: words.sections.notifications,
    Content: lazy(() => import('./notifications-section.tsx').then((m) => ({ default: m.NotificationsSection }))),
  },
  sessions: {
    label: words.sections.sessions,
    Content: lazy(() => import('./sessions/sessions-section.tsx').then((m) => ({ default: m.SessionsSection }))),
  },
  security: {
    label: securitySection.label,
    Content: lazy(() => import('./security/security-section.tsx').then((m) => ({ default: m.SecuritySection }))),
  },
  organization: {
    label: words.sections.organization,
    Content: lazy(() =>
      import('./organization/organization-section.tsx').then((m) => ({ default: m.OrganizationSection })),
    ),
  },
}
const names = Object.keys(sections) as [string, ...string[]]

/** The Settings tab, one section at a time. */
export const SettingsTab = (props: TabProps) => {
  const [name] = useUrlChoice('section', names)
  const section = sections[name]
  const { provider } = props
  return (
    <TabMain state="ready" heading={words.heading}>
      {!provider.is_active && name !== 'organization' && (
        <div className="mt-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-warn border-s-4 bg-warn-bg px-4 py-3 text-small">
          <div className="max-w-prose">
            <p className="font-semibold">{words.organization.pause.heldHeading}</p>
            <p>{words.organization.pause.heldText}</p>
          </div>
          <ReactivateButton id={provider.id} />
        </div>
      )}
      <nav aria-label={words.nav} className="mt-5 border-line border-b print:hidden">
        <ul className="flex flex-wrap gap-x-5">
          {names.map((each) => (
            <li key={each}>
              <Link
                to={`${addressOf('settings')}&section=${each}`}
                aria-current={each === name ? 'page' : undefined}
                className={classes(
                  '-mb-px flex min-h-10 items-center border-b-2 text-small hover:text-ink',
                  each === name ? 'border-ink font-semibold' : 'border-transparent text-muted',
                )}
              >
                {sections[each]?.label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Suspense fallback={<SkeletonRows count={4} />}>{section && <section.Content key={name} {...props} />}</Suspense>
    </TabMain>
  )
}
