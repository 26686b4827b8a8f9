import { lazy, Suspense } from 'react'
import { overviewTab } from '#messages/dashboard/overview.ts'
import { useAddressDialog } from '../../../hooks/use-address-dialog.ts'
import { TabMain } from '../shared/tab-main.tsx'
import type { TabProps } from '../shared/tab-props.ts'
import { Attention } from './attention.tsx'
import { VerificationsChart } from './chart/verifications-chart.tsx'
import { NextSteps } from './next-steps.tsx'
import { useModelsAtAGlance } from './overview.ts'
import { OverviewStats } from './overview-stats.tsx'
import { ProviderInfo } from './provider/provider-info.tsx'
import { RecentIncidents } from './recent-incidents.tsx'
import { RecentModels } from './recent-models.tsx'
import { RegistrationBanner } from './registration-banner.tsx'
import { provenOf } from './standing.ts'
import { statusSentence } from './status-sentence.ts'
import { TrustBreakdown } from './trust-breakdown.tsx'
import { UsagePanel } from './usage-panel.tsx'

const words = overviewTab

const MailDialog = lazy(() => import('./mail-dialog.tsx').then(({ MailDialog }) => ({ default: MailDialog })))
const DomainDialog = lazy(() => import('./domain-dialog.tsx').then(({ DomainDialog }) => ({ default: DomainDialog })))
const LogoDialog = lazy(() => import('./logo/logo-dialog.tsx').then(({ LogoDialog }) => ({ default: LogoDialog })))

/** The Overview tab: status, next steps and profile. */
export const OverviewTab = ({ provider, refresh }: TabProps) => {
  const glance = useModelsAtAGlance(provider.id)
  const editing = useAddressDialog('edit')
  const asking = useAddressDialog('verify')
  const logo = useAddressDialog('logo')
  const proven = provenOf(provider)
  const edit = () => editing.open('profile')
  const askFor = { email: () => asking.open('email'), domain: () => asking.open('domain'), profile: edit }
  return (
    <TabMain
      state="ready"
      heading={words.heading}
      status={
        <>
          {words.subtitle} <span className="text-ink">{statusSentence(provider, glance.models)}</span>
        </>
      }
    >
      {proven === 'unregistered' && <RegistrationBanner onComplete={edit} />}
      <Attention provider={provider} />
      <NextSteps provider={provider} models={glance.models?.active} onStep={askFor} />
      <OverviewStats provider={provider} glance={glance.models} />
      <ProviderInfo
        provider={provider}
        isEditing={editing.value !== null}
        onEdit={edit}
        onEnd={editing.close}
        onVerify={askFor}
        onLogo={() => logo.open('change')}
        refresh={refresh}
      />
      <VerificationsChart providerId={provider.id} />
      <UsagePanel providerId={provider.id} />
      <TrustBreakdown provider={provider} />
      <RecentModels {...glance} />
      <RecentIncidents providerId={provider.id} />
      <Suspense>
        {asking.value === 'email' && !provider.email_verified && (
          <MailDialog email={provider.email} onClose={asking.close} refresh={refresh} />
        )}
        {asking.value === 'domain' && <DomainDialog provider={provider} onClose={asking.close} refresh={refresh} />}
        {logo.value !== null && <LogoDialog provider={provider} onClose={logo.close} refresh={refresh} />}
      </Suspense>
    </TabMain>
  )
}
