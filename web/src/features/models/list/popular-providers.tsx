import { quote } from '@countersign/sdk/words'
import { Link } from 'react-router-dom'
import { lists } from '#messages/lists.ts'
import { Section } from '../../../ui/layout/section.tsx'
import { Skeleton } from '../../../ui/layout/skeleton.tsx'
import { ProviderIdentity } from '../../../ui/values/provider-identity.tsx'
import { ProviderLogo } from '../../../ui/values/provider-logo.tsx'
import { usePopularProviders } from './use-popular-providers.ts'

const words = lists.models.popular

/** Reserves its space while loading, so that nothing below moves. */
export const PopularProviders = () => {
  const popular = usePopularProviders(true)
  if (popular?.length === 0) return null
  return (
    <Section heading={words.heading} className="mb-8">
      <ul className="grid min-h-72 content-start md:min-h-28 md:grid-cols-3 md:gap-x-8">
        {popular === undefined &&
          [1, 2, 3].map((place) => (
            <li key={place} aria-hidden className="grid content-start gap-2 border-line border-t py-3">
              <Skeleton className="w-2/3" />
              <Skeleton className="w-1/2" />
            </li>
          ))}
        {popular?.map(({ provider, newest }) => (
          <li key={provider.id} className="flex gap-3 border-line border-t py-3 text-small">
            <ProviderLogo
              url={provider.logo_url}
              name={provider.company_name ?? '?'}
              isProven={provider.domain_verified}
              size={32}
            />
            <div className="grid min-w-0 content-start gap-1">
              <Link to={`/providers/${provider.id}`} className="underline-offset-3 hover:underline">
                <ProviderIdentity
                  name={provider.company_name}
                  domain={provider.domain}
                  isVerified={provider.domain_verified}
                />
              </Link>
              <Link to={`/models/${newest.id}`} className="link">
                <bdi>{words.newest(quote(`${newest.display_name} ${newest.version}`))}</bdi>
              </Link>
              <Link to={`/models?provider=${provider.id}`} className="link w-fit">
                {words.all(provider.public_models)}
              </Link>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  )
}
