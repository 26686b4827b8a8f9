import { shortened } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { search } from '#messages/pages/search.ts'
import { formatDay } from '#messages/site.ts'
import { type Answer, isDigest } from '../../data/search.ts'
import { Section } from '../../ui/layout/section.tsx'
import { Chip, TrustBadge } from '../../ui/values/chip.tsx'
import { ProviderIdentity } from '../../ui/values/provider-identity.tsx'

const words = search

export const FoundProviders = ({ answer: { providers, limit, query } }: { answer: Answer }) =>
  providers.length > 0 && (
    <Section heading={headingOf(words.groups.providers, providers.length, limit)} className="mt-8">
      <ul className="border-line border-t">
        {providers.map(({ id, url, title, domain, domain_verified, trust_level, description }) => (
          <Row key={id} to={url} link={words.page.viewProvider} of={title}>
            <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1 text-body">
              <ProviderIdentity name={title} domain={domain} isVerified={domain_verified} />
              <TrustBadge level={trust_level} />
            </h3>
            {description !== null && <Description text={description} />}
          </Row>
        ))}
      </ul>
      {providers.length === limit && (
        <More to={`/providers?search=${encodeURIComponent(query)}`}>{words.page.moreProviders}</More>
      )}
    </Section>
  )

export const FoundModels = ({ answer: { models, limit, query } }: { answer: Answer }) =>
  models.length > 0 && (
    <Section heading={headingOf(words.groups.models, models.length, limit)} className="mt-10">
      {isDigest(query) && models.length > 1 && (
        <p className="mb-3 max-w-prose text-muted text-small">{words.page.digestOrder}</p>
      )}
      <ul className="border-line border-t">
        {models.map(({ id, url, title, subtitle, version, description, provider_domain_verified, digest_at }) => (
          <Row key={id} to={url} link={words.page.viewModel} of={title}>
            <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold text-body">
              <bdi>{quote(title)}</bdi>
              <Chip>{words.version(version)}</Chip>
            </h3>
            {subtitle !== null && (
              <p className="text-small">
                <ProviderIdentity
                  name={provider_domain_verified ? null : subtitle}
                  domain={provider_domain_verified ? subtitle : null}
                  isVerified={provider_domain_verified}
                />
              </p>
            )}
            <Description text={description} />
            {isDigest(query) && digest_at !== null && (
              <p className="text-small">{words.page.digestStated(formatDay(digest_at))}</p>
            )}
          </Row>
        ))}
      </ul>
      {models.length === limit && (
        <More to={`/models?search=${encodeURIComponent(query)}`}>{words.page.moreModels}</More>
      )}
    </Section>
  )

/** Anyone can write one, so it is quoted beside the proven domain. */
const Description = ({ text }: { text: string }) => (
  <p className="max-w-prose text-muted text-small">
    <bdi>{quote(shortened(text, 130))}</bdi>
  </p>
)

const headingOf = (name: string, shown: number, limit: number) => words.groups.count(name, shown, shown < limit)

const Row = ({ to, link, of, children }: { to: string; link: string; of: string; children: ReactNode }) => (
  <li className="grid gap-x-6 gap-y-2 border-line border-b py-4 sm:grid-cols-[1fr_auto] sm:items-center">
    <div className="grid min-w-0 gap-1">{children}</div>
    <Link to={to} className="link inline-flex min-h-6 items-center justify-self-start text-small">
      {link}
      <span className="sr-only">{words.page.of(of)}</span>
    </Link>
  </li>
)

const More = ({ to, children }: { to: string; children: ReactNode }) => (
  <p className="mt-4">
    <Link to={to} className="link">
      {children}
    </Link>
  </p>
)
