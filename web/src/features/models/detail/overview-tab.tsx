import type { Model } from '@countersign/sdk/contract'
import { modelPage } from '#messages/pages/model-page.ts'
import { formatDay, formatNumber } from '#messages/site.ts'
import { FactRow, FactRows } from '../../../ui/layout/facts.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { StatusChip } from '../../../ui/values/status-chip.tsx'
import { useCommunityStats } from '../../reports/use-community-stats.ts'
import { useDeploymentCount } from '../access/use-deployment-count.ts'
import { BundleChip, isOfUnknown } from '../bundle/bundle-chip.tsx'
import { endpointCheck } from './endpoint-check.ts'
import { SampleData } from './sample-data.tsx'
import { StatedFacts } from './stated-facts.tsx'
import { UseOverTime } from './use-over-time.tsx'

const words = modelPage.checked

/** What the registry checked and recorded, above what the provider states. */
export const OverviewTab = ({ model }: { model: Model }) => (
  <>
    <div className="grid gap-x-12 lg:grid-cols-2">
      <div>
        <CheckedFacts model={model} />
        <UseOverTime modelId={model.id} />
      </div>
      <RecordedFacts model={model} />
    </div>
    <SampleData model={model} />
    <StatedFacts model={model} />
  </>
)

const bundleResults = { verified: 'passed', invalid: 'failed', error: 'open', unknown: 'open' } as const

const CheckedFacts = ({ model }: { model: Model }) => {
  const { provider_domain: domain } = model
  const results = [
    model.provider_domain_verified ? 'passed' : 'open',
    isOfUnknown(model) ? 'open' : bundleResults[model.bundle_status],
    endpointCheck(model).result,
  ]
  const count = (result: string) => results.filter((each) => each === result).length
  return (
    <Section heading={words.heading}>
      <p className="mb-3 font-semibold">{words.summary(count('passed'), count('failed'), count('open'))}</p>
      <FactRows>
        <FactRow name={words.domain}>
          {model.provider_domain_verified && domain !== null ? (
            <StatusChip tone="ok">{words.proven(domain)}</StatusChip>
          ) : (
            <StatusChip tone="warn">{words.notProven}</StatusChip>
          )}
        </FactRow>
        <FactRow name={words.bundle}>
          <BundleChip of={model} />
        </FactRow>
        <FactRow name={words.health}>
          <Health model={model} />
        </FactRow>
      </FactRows>
    </Section>
  )
}

const RecordedFacts = ({ model }: { model: Model }) => {
  const deployments = useDeploymentCount(model.id)
  const { stats, isKnown } = useCommunityStats(model.id)
  return (
    <Section heading={words.recorded}>
      <FactRows>
        <FactRow name={words.status}>{statusOf(model)}</FactRow>
        {model.archived_at === null && (
          <FactRow name={words.visibility}>
            {model.is_public ? modelPage.header.isPublic : modelPage.header.isPrivate}
          </FactRow>
        )}
        {deployments !== undefined && (
          <FactRow name={words.deployments}>
            {formatNumber(deployments)}
            {model.require_deployment_proof && <p className="text-muted text-small">{words.proofRequired}</p>}
          </FactRow>
        )}
        {isKnown && <FactRow name={words.reports}>{formatNumber(stats.reports_under_investigation)}</FactRow>}
        <FactRow name={words.registered}>{formatDay(model.created_at)}</FactRow>
        <FactRow name={words.firstOpened}>
          {model.first_verified_at === null ? words.never : formatDay(model.first_verified_at)}
        </FactRow>
      </FactRows>
    </Section>
  )
}

const statusOf = ({ archived_at, superseded_at, is_active }: Model) => {
  if (archived_at !== null) return words.archived
  if (superseded_at !== null) return words.superseded
  return is_active ? words.active : words.inactive
}

const resultTones = { passed: 'ok', failed: 'bad', open: 'unk' } as const

const Health = ({ model }: { model: Model }) => {
  const { result, isElsewhere } = endpointCheck(model)
  return (
    <>
      <StatusChip tone={resultTones[result]}>{words.healthNames[model.health_status]}</StatusChip>
      {model.uptime_7d !== null && (
        <span className="ms-3 text-muted text-small">{words.uptime(formatNumber(model.uptime_7d))}</span>
      )}
      {isElsewhere && <p className="text-muted text-small">{words.elsewhere}</p>}
    </>
  )
}
