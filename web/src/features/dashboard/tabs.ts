import { type ComponentType, lazy } from 'react'
import type { TabName } from './shared/tab-names.ts'
import type { TabProps } from './shared/tab-props.ts'

/** Each is loaded when first opened. */
export const tabs: Record<TabName, ComponentType<TabProps>> = {
  overview: lazy(() => import('./overview/overview-tab.tsx').then(({ OverviewTab }) => ({ default: OverviewTab }))),
  models: lazy(() => import('./models/models-tab.tsx').then(({ ModelsTab }) => ({ default: ModelsTab }))),
  deployments: lazy(() =>
    import('./deployments/deployments-tab.tsx').then(({ DeploymentsTab }) => ({ default: DeploymentsTab })),
  ),
  incidents: lazy(() =>
    import('./incidents/incidents-tab.tsx').then(({ IncidentsTab }) => ({ default: IncidentsTab })),
  ),
  verifications: lazy(() =>
    import('./verifications/verifications-tab.tsx').then(({ VerificationsTab }) => ({ default: VerificationsTab })),
  ),
  activity: lazy(() => import('./activity/activity-tab.tsx').then(({ ActivityTab }) => ({ default: ActivityTab }))),
  log: lazy(() => import('./log/log-tab.tsx').then(({ LogTab }) => ({ default: LogTab }))),
  billing: lazy(() => import('./billing/billing-tab.tsx').then(({ BillingTab }) => ({ default: BillingTab }))),
  settings: lazy(() => import('./settings/settings-tab.tsx').then(({ SettingsTab }) => ({ default: SettingsTab }))),
}
