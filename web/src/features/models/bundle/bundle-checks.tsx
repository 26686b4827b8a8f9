import type { BundleCheck } from '@countersign/sdk/contract'
import { modelParts } from '#messages/pages/model-parts.ts'
import { Failed } from '../../../failures/failed.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { StatusChip } from '../../../ui/values/status-chip.tsx'
import type { useBundle } from './use-bundle.ts'

const words = modelParts.security

const tones = { passed: 'ok', failed: 'bad', not_checked: 'unk' } as const
const rank = { failed: 0, passed: 1, not_checked: 2 } as const

/** Every check of the last verdict, failed ones first. */
export const BundleChecks = ({ bundle: { bundle, failure, again } }: { bundle: ReturnType<typeof useBundle> }) => {
  if (failure !== undefined && bundle === undefined)
    return (
      <Section heading={words.checks}>
        <Failed failure={failure} heading={words.checksFailed} again={again} />
      </Section>
    )
  if (bundle === undefined || bundle.checks.length === 0) return null
  return (
    <Section heading={words.checks}>
      <ul className="border-line border-t">
        {bundle.checks
          .toSorted((a, b) => rank[a.result] - rank[b.result])
          .map((check) => (
            <Row key={check.name} check={check} />
          ))}
      </ul>
    </Section>
  )
}

const Row = ({ check: { name, result, detail } }: { check: BundleCheck }) => (
  <li className="grid gap-x-4 gap-y-1 border-line border-b py-2.5 sm:grid-cols-[7.5rem_1fr]">
    <div>
      <StatusChip tone={tones[result]}>{words.results[result]}</StatusChip>
    </div>
    <div className="min-w-0">
      <p className="font-semibold text-small leading-6">{words.checkNames[name]}</p>
      {detail !== '' && (
        <p className="text-muted text-small">
          <bdi>{detail}</bdi>
        </p>
      )}
    </div>
  </li>
)
