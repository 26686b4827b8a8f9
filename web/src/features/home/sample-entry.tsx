import { Link } from 'react-router-dom'
import { home } from '#messages/pages/home.ts'
import { formatDay } from '#messages/site.ts'
import { Section } from '../../ui/layout/section.tsx'
import { Chip } from '../../ui/values/chip.tsx'
import { DigestStrip } from '../../ui/values/digest-strip.tsx'
import { ProviderIdentity } from '../../ui/values/provider-identity.tsx'
import { useSampleModel } from './use-sample-model.ts'

const words = home.sample

/** A model chosen by the operator, or sample data; otherwise nothing. Placed where loading it moves nothing else. */
export const SampleEntry = () => {
  const model = useSampleModel()
  if (!model) return null
  const { id, display_name, version, provider_domain, provider_name, model_digest, created_at, is_demo } = model
  const isProven = model.provider_domain_verified && provider_domain !== null
  return (
    <Section heading={words.heading} className="mt-12 min-w-0">
      <div className="max-w-record rounded-surface border border-line bg-surface p-5">
        {model_digest !== null && (
          <div className="mb-3">
            <DigestStrip digest={model_digest} />
          </div>
        )}
        <h3 className="font-semibold">
          <bdi>{words.model(display_name, version)}</bdi> {is_demo && <Chip>{words.demo}</Chip>}
        </h3>
        <p className="text-small">
          {isProven && words.registeredBy}{' '}
          <ProviderIdentity name={provider_name} domain={provider_domain} isVerified={isProven} />
        </p>
        <p className="text-muted text-small">{words.when(formatDay(created_at))}</p>
        <Link to={`/models/${id}`} className="link mt-3 inline-block text-small">
          {words.open}
        </Link>
      </div>
      <p className="mt-2 max-w-prose text-micro text-muted">{words.note}</p>
    </Section>
  )
}
