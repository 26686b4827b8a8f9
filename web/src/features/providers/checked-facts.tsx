import type { PublicProvider } from '@countersign/sdk/contract'
import { providerPage } from '#messages/pages/provider-page.ts'
import { formatDay, formatNumber, formatTime } from '#messages/site.ts'
import { CopyButton } from '../../ui/controls/copy-button.tsx'
import { FactRow, FactRows } from '../../ui/layout/facts.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { InlineCode } from '../../ui/values/inline-code.tsx'

const words = providerPage.checked

/** What the registry checked or knows itself. */
export const CheckedFacts = ({ provider }: { provider: PublicProvider }) => (
  <Section heading={words.heading}>
    <FactRows>
      <FactRow name={words.domain}>{domainOf(provider)}</FactRow>
      <FactRow name={words.email}>
        {provider.trust_factors.email_verified ? words.emailVerified : words.emailNotVerified}
      </FactRow>
      <FactRow name={words.trust}>
        {words.trustOf(provider.trust_level, provider.trust_score)}
        {!provider.trust_factors.email_verified && <p className="text-small">{words.withoutEmail}</p>}
        {provider.trust_factors.email_verified && !provider.domain_verified && (
          <p className="text-small">{words.withoutDomain}</p>
        )}
        <p className="text-muted text-small">{words.trustNote}</p>
        <TrustFactors factors={provider.trust_factors} />
      </FactRow>
      <FactRow name={words.models}>{formatNumber(provider.public_models)}</FactRow>
      {provider.domain_verified && (
        <FactRow name={words.verifiedModels}>
          {formatNumber(provider.verified_models)}
          <p className="text-muted text-small">{words.verifiedModelsNote}</p>
        </FactRow>
      )}
      <FactRow name={words.created}>{formatDay(provider.created_at)}</FactRow>
      <FactRow name={words.id}>
        <span className="flex items-center gap-1">
          <InlineCode>{provider.id}</InlineCode>
          <CopyButton text={provider.id} what={words.id} />
        </span>
      </FactRow>
    </FactRows>
  </Section>
)

const domainOf = (provider: PublicProvider) => {
  const { domain, domain_verified, domain_verification_method, domain_verified_at, domain_status, domain_checked_at } =
    provider
  if (domain === null) return words.noDomain
  if (domain_status === 'stale')
    return (
      <>
        {words.stale(domain)}
        {domain_checked_at !== null && (
          <p className="text-muted text-small">{words.confirmed(formatTime(domain_checked_at))}</p>
        )}
      </>
    )
  if (!domain_verified) return words.notProven(domain)
  return (
    <>
      <span className="font-semibold">{domain}</span>
      <p className="text-muted text-small">
        {providerPage.provenBy(domain_verification_method, domain_verified_at && formatDay(domain_verified_at))}
      </p>
      {domain_checked_at !== null && (
        <p className="text-muted text-small">{words.confirmed(formatTime(domain_checked_at))}</p>
      )}
    </>
  )
}

const factorNames = Object.keys(words.factors) as (keyof typeof words.factors)[]

const TrustFactors = ({ factors }: { factors: PublicProvider['trust_factors'] }) => (
  <details className="mt-1">
    <summary className="link w-fit cursor-pointer py-0.5 text-small">{words.trustMade}</summary>
    <dl className="mt-1 text-small">
      {factorNames.map((name) => (
        <div key={name} className="flex justify-between gap-4 py-0.5">
          <dt>{words.factors[name]}</dt>
          <dd className={factors[name] ? 'font-semibold' : 'text-muted'}>{factors[name] ? words.yes : words.no}</dd>
        </div>
      ))}
    </dl>
  </details>
)
