import { Link, Navigate, useNavigate, useSearchParams } from 'react-router-dom'
import { changesSection } from '#messages/dashboard/changes.ts'
import { overviewTab } from '#messages/dashboard/overview.ts'
import { securitySection } from '#messages/dashboard/security.ts'
import { MintButton } from '../mint/mint-button.tsx'
import { Allowed } from '../shared/allowed.tsx'
import { provenOf } from '../shared/identity/standing.ts'
import { useVerifyActions, VerifyDialogs } from '../shared/identity/verify-dialogs.tsx'
import { TabMain } from '../shared/tab-main.tsx'
import { addressOf, editProfileAddress } from '../shared/tab-names.ts'
import type { TabProps } from '../shared/tab-props.ts'
import { Attention } from './attention.tsx'
import { VerificationsChart } from './chart/verifications-chart.tsx'
import { Figures } from './figures.tsx'
import { NextSteps } from './next-steps.tsx'
import { useUsage } from './overview.ts'
import { ProviderSummary } from './provider-summary.tsx'
import { RecentIncidents } from './recent-incidents.tsx'
import { RecentModels } from './recent-models.tsx'
import { RegistrationBanner } from './registration-banner.tsx'
import { statusSentence } from './status-sentence.ts'
import { TrustBreakdown } from './trust-breakdown.tsx'
import { UsagePanel } from './usage-panel.tsx'

const words = overviewTab

/** The Overview tab: figures first, then what needs attention and what is new. */
export const OverviewTab = ({ provider, refresh }: TabProps) => {
  const { usage } = useUsage(provider.id)
  const verify = useVerifyActions()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const edit = () => void navigate(editProfileAddress)
  // The profile was edited here once; bookmarks still work.
  if (search.has('edit')) return <Navigate replace to={editProfileAddress} />
  return (
    <TabMain
      state="ready"
      heading={words.heading}
      status={
        <>
          {words.subtitle} <span className="text-ink">{statusSentence(provider, usage?.active_models)}</span>
        </>
      }
      actions={<MintButton look="primary" />}
    >
      {provenOf(provider) === 'unregistered' && (
        <Allowed action="providers.update">
          <RegistrationBanner onComplete={edit} />
        </Allowed>
      )}
      {provider.delayed_changes > 0 && (
        <p role="status" className="mt-4 border-warn border-s-4 py-1 ps-4 text-small">
          <span className="font-semibold">{changesSection.banner(provider.delayed_changes)}</span>{' '}
          <Link className="link" to={`${addressOf('settings')}&section=changes`}>
            {changesSection.bannerLink}
          </Link>
        </p>
      )}
      {!provider.is_protected && (
        <p className="mt-4 text-small">
          {securitySection.unprotected.line}{' '}
          <Link className="link" to={`${addressOf('settings')}&section=security`}>
            {securitySection.unprotected.add}
          </Link>
        </p>
      )}
      <Figures providerId={provider.id} />
      <div className="mt-8 grid gap-x-8 gap-y-8 lg:grid-cols-[3fr_2fr] [&>*]:min-w-0">
        <VerificationsChart providerId={provider.id} />
        <Attention provider={provider} />
        <RecentModels providerId={provider.id} />
        <RecentIncidents providerId={provider.id} />
        <ProviderSummary provider={provider} onVerify={verify} />
        <NextSteps provider={provider} models={usage?.active_models} onStep={{ ...verify, profile: edit }} />
      </div>
      <div className="mt-8 border-line border-t">
        <UsagePanel providerId={provider.id} />
        <TrustBreakdown provider={provider} />
      </div>
      <VerifyDialogs provider={provider} refresh={refresh} />
    </TabMain>
  )
}
