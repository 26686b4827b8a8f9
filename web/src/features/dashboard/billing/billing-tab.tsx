import { billingTab } from '#messages/dashboard/billing.ts'
import { contactAddress } from '../../../data/registry.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Bullets } from '../../../ui/layout/bullets.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { TabMain } from '../shared/tab-main.tsx'

const words = billingTab
const mail = `mailto:${contactAddress}?subject=${encodeURIComponent(words.teams.subject)}`

export const BillingTab = () => (
  <TabMain state="ready" heading={words.heading} status={words.about}>
    <div className="mt-8 grid gap-x-10 gap-y-8 border-line border-t pt-8 lg:grid-cols-2">
      <Section heading={words.individual.heading} className="">
        <p className="font-semibold">{words.individual.price}</p>
        <p className="mt-2 max-w-prose text-muted text-small">{words.individual.text}</p>
      </Section>
      <Section heading={words.teams.heading} className="">
        <p className="font-semibold">{words.teams.price}</p>
        <p className="mt-2 mb-3 max-w-prose text-muted text-small">{words.teams.text}</p>
        <Bullets items={words.teams.offers} />
        <Button look="primary" asChild className="mt-5">
          <a href={mail}>{words.teams.contact}</a>
        </Button>
        <p className="mt-3 text-muted text-small">{words.teams.address(contactAddress)}</p>
      </Section>
    </div>
  </TabMain>
)
