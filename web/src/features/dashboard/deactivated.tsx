import { settingsTab } from '#messages/dashboard/settings.ts'
import { ReactivateButton } from './shared/reactivate-button.tsx'
import { TabMain } from './shared/tab-main.tsx'
import type { TabProps } from './shared/tab-props.ts'

const words = settingsTab.organization.pause

/** Replaces every tab except Settings, because the registry rejects everything else while the provider is deactivated. */
export const Deactivated = ({ provider }: Pick<TabProps, 'provider'>) => (
  <TabMain state="ready" heading={words.heldHeading} status={words.heldText}>
    <div className="mt-6">
      <ReactivateButton id={provider.id} look="primary" />
    </div>
  </TabMain>
)
