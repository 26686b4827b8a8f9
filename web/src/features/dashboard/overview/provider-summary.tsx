import type { Provider } from '@countersign/sdk/contract'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { overviewTab } from '#messages/dashboard/overview.ts'
import { profileSection } from '#messages/dashboard/profile.ts'
import { formatDay } from '#messages/site.ts'
import { CopyButton } from '../../../ui/controls/copy-button.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { ProviderIdentity } from '../../../ui/values/provider-identity.tsx'
import { WebAddress } from '../../../ui/values/web-address.tsx'
import { Allowed } from '../shared/allowed.tsx'
import { ListingSwitch } from '../shared/identity/listing-switch.tsx'
import { VerificationStatus, type VerifyActions } from '../shared/identity/verification-status.tsx'
import { editProfileAddress } from '../shared/tab-names.ts'

const { info, listing, verification, notSet } = profileSection

/** The most important facts about the provider. The whole profile is in Settings. */
export const ProviderSummary = ({ provider, onVerify }: { provider: Provider; onVerify: VerifyActions }) => (
  <Section heading={info.heading} className="">
    <dl className="border-line border-t text-small">
      <Row name={overviewTab.company}>
        <ProviderIdentity name={provider.company_name} domain={provider.domain} isVerified={provider.domain_verified} />
        {provider.website !== null && (
          <span className="block">
            <WebAddress url={provider.website} />
          </span>
        )}
      </Row>
      <Row name={verification.heading}>
        <VerificationStatus provider={provider} onVerify={onVerify} />
      </Row>
      <Row name={listing.label}>
        <ListingSwitch provider={provider} />
      </Row>
      <Row name={info.fields.email}>{provider.email ?? notSet}</Row>
      <Row name={info.fields.id}>
        <span className="-my-2 flex items-center gap-1">
          <code className="min-w-0 font-mono">{provider.id}</code>
          <CopyButton text={provider.id} what={info.fields.id} />
        </span>
      </Row>
      <Row name={overviewTab.figures.since}>
        {provider.created_at ? formatDay(provider.created_at) : overviewTab.figures.none}
      </Row>
    </dl>
    <Allowed action="providers.update">
      <p className="mt-3 text-small">
        <Link to={editProfileAddress} className="link">
          {info.editAll}
        </Link>
      </p>
    </Allowed>
  </Section>
)

const Row = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="grid gap-x-4 border-line border-b py-2 sm:grid-cols-[9rem_1fr]">
    <dt className="text-muted">{name}</dt>
    <dd className="wrap-anywhere min-w-0">{children}</dd>
  </div>
)
