import { settingsTab } from '#messages/dashboard/settings.ts'
import { ReactivateButton } from './shared/reactivate-button.tsx'
import { TabMain } from './shared/tab-main.tsx'
import type { TabProps } from './shared/tab-props.ts'

const words = settingsTab.organization.pause

/** In place of every tab but the settings: the registry answers nothing else while the provider is deactivated. */
export const Deactivated = ({ provider }: Pick<TabProps, 'provider'>) => (
  <TabMain state="ready" heading={words.heldHeading} status={words.heldText}>
    <div className="mt-6">
      <ReactivateButton id={provider.id} look="primary" />
    </div>
  </TabMain>
)
