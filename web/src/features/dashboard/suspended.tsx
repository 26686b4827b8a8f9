import { settingsTab } from '#messages/dashboard/settings.ts'
import { ReactivateButton } from './shared/reactivate-button.tsx'
import type { TabProps } from './shared/tab-props.ts'

const words = settingsTab.organization.pause.suspended

/** Above every tab after a restore, so that the owner can review each before confirming. */
export const Suspended = ({ provider }: Pick<TabProps, 'provider'>) => (
  <section aria-labelledby="suspended" className="mt-4 border-warn border-s-4 bg-warn-bg px-4 py-3">
    <h2 id="suspended" className="font-semibold">
      {words.heading}
    </h2>
    <p className="mt-1 text-small">{words.text}</p>
    <div className="mt-4">
      <ReactivateButton id={provider.id} look="primary" words={words} />
    </div>
  </section>
)
