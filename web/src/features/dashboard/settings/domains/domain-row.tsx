import type { Domain, DomainStatus } from '@countersign/sdk/contract'
import { domainsSection as words } from '#messages/dashboard/domains.ts'
import { site } from '#messages/site.ts'
import { useMay } from '../../../../data/role.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { Chip } from '../../../../ui/values/chip.tsx'
import { StatusChip, type Tone } from '../../../../ui/values/status-chip.tsx'
import { Allowed } from '../../shared/allowed.tsx'

const tones: Record<DomainStatus, Tone> = { proven: 'ok', stale: 'warn', unproven: 'unk' }

const linesOf = ({
  status,
  method,
  verified_at,
  checked_at,
  stale_since,
  lost_at,
  contest_ends_at,
}: Domain): string[] => {
  const confirmed = checked_at === null ? [] : [words.confirmed(checked_at)]
  if (status === 'proven' && method !== null && verified_at !== null)
    return [words.proven(site.domainMethods[method], verified_at), ...confirmed]
  if (status === 'stale' && stale_since !== null) return [words.stale(stale_since), ...confirmed]
  if (contest_ends_at !== null) return [words.contested(contest_ends_at)]
  return [lost_at === null ? words.open : words.lost(lost_at)]
}

interface DomainRowProps {
  domain: Domain
  onVerify: () => void
  onMakePrimary: () => void
  onRemove: () => void
}

/** A domain: its proof, when that was last confirmed, and its actions. */
export const DomainRow = ({ domain, onVerify, onMakePrimary, onRemove }: DomainRowProps) => {
  const may = useMay()
  const { domain: name, is_primary, becomes_primary_at, status } = domain
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 border-line border-t py-4 text-small">
      <div className="grid min-w-0 gap-1.5">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="break-all font-semibold">{name}</span>
          <StatusChip tone={tones[status]}>{words.states[status]}</StatusChip>
          {is_primary && <Chip>{words.primary}</Chip>}
        </p>
        {becomes_primary_at !== null && <p className="max-w-prose">{words.becomesPrimary(becomes_primary_at)}</p>}
        {linesOf(domain).map((line) => (
          <p key={line} className="max-w-prose text-muted">
            {line}
          </p>
        ))}
      </div>
      <div className="flex flex-wrap gap-3">
        <Allowed action="domains.verify">
          <Button aria-haspopup="dialog" aria-label={words.verify.of(name)} onClick={onVerify}>
            {status === 'proven' ? words.verify.again : words.verify.button}
          </Button>
        </Allowed>
        {status === 'proven' && !is_primary && becomes_primary_at === null && may('domains.makePrimary') && (
          <Button aria-haspopup="dialog" aria-label={words.makePrimary.of(name)} onClick={onMakePrimary}>
            {words.makePrimary.button}
          </Button>
        )}
        {!is_primary && may('domains.remove') && (
          <Button look="dangerPlain" aria-haspopup="dialog" aria-label={words.remove.of(name)} onClick={onRemove}>
            {words.remove.button}
          </Button>
        )}
      </div>
    </li>
  )
}
