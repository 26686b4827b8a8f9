import type { PublicProvider } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import { Link } from 'react-router-dom'
import { providerPage as words } from '#messages/pages/provider-page.ts'
import { formatDay, site } from '#messages/site.ts'
import { ProviderLogo } from '../../ui/values/provider-logo.tsx'
import { StatusChip } from '../../ui/values/status-chip.tsx'

/** The proven domain; without one, only the self-reported name. */
export const ProfileHeader = ({ provider }: { provider: PublicProvider }) => {
  const { company_name: company, domain, domain_verified, logo_url } = provider
  const name = company ?? words.unnamed
  const isProven = domain_verified && domain !== null
  return (
    <>
      <nav aria-label={words.path} className="text-small print:hidden">
        <Link to="/providers" className="link inline-flex min-h-6 items-center">
          {words.providers}
        </Link>
      </nav>
      <div className="mt-4 flex flex-wrap items-start gap-x-5 gap-y-3">
        <ProviderLogo url={logo_url} name={name} isProven={isProven} size={56} />
        <div className="min-w-0 grow basis-64">
          <h1 className="heading-verdict">
            <bdi>{isProven ? domain : company === null ? words.unnamed : quote(company)}</bdi>
          </h1>
          <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-small">
            <IdentityBadge provider={provider} />
          </div>
          <p className="mt-2 max-w-prose text-muted">
            <bdi>{isProven ? company !== null && words.calls(quote(company)) : words.nobodyChecked}</bdi>
          </p>
          {provider.similar_name_domain !== null && (
            <p className="mt-2 max-w-prose font-semibold">
              <bdi>{words.similarName(provider.similar_name_domain)}</bdi>
            </p>
          )}
        </div>
      </div>
    </>
  )
}

const IdentityBadge = ({ provider }: { provider: PublicProvider }) => {
  if (provider.domain_verified)
    return (
      <>
        <StatusChip tone="ok">{words.badges.verified}</StatusChip>
        <span>
          {words.provenBy(
            provider.domain_verification_method,
            provider.domain_verified_at && formatDay(provider.domain_verified_at),
          )}
        </span>
      </>
    )
  if (!provider.trust_factors.email_verified) return <StatusChip tone="warn">{words.badges.none}</StatusChip>
  // Beside a name that anyone can choose, a verified mailbox says little.
  return (
    <>
      <StatusChip tone="warn">{site.provider.notProven}</StatusChip>
      <StatusChip tone="unk">{words.badges.email}</StatusChip>
    </>
  )
}
