import type { Attention as Answer, AttentionKind, Provider } from '@countersign/sdk/contract'
import { Link } from 'react-router-dom'
import { attentionWords } from '#messages/dashboard/attention.ts'
import { useMay } from '../../../data/role.ts'
import { Failed } from '../../../failures/failed.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { SkeletonRows } from '../../../ui/layout/skeleton.tsx'
import { StatusChip, type Tone } from '../../../ui/values/status-chip.tsx'
import { addressOf } from '../shared/tab-names.ts'
import { useAttention } from '../shared/use-attention.ts'

const words = attentionWords

type Item = Answer['items'][number]

const tones: Record<AttentionKind, Exclude<Tone, 'ok' | 'info'>> = {
  incident_critical: 'bad',
  bundle_invalid: 'bad',
  domain_lost: 'bad',
  domain_stale: 'warn',
  review_waiting: 'bad',
  change_delayed: 'bad',
  change_waiting: 'warn',
  links_nearly_used: 'warn',
  models_nearly_used: 'warn',
  incident_open: 'warn',
  endpoint_failing: 'warn',
  domain_unproven: 'warn',
  email_unverified: 'warn',
  key_expiring: 'warn',
  deployment_disabled: 'unk',
  deployment_unproven: 'unk',
  signer_not_tied: 'unk',
}

/** Links to the dialog if there is one model, otherwise to the list of exactly those that are counted. */
const atModel = (dialog: 'bundle' | 'health', view: string, { count, subjects: [first] }: Item) =>
  `${addressOf('models')}&${count === 1 && first ? `${dialog}=${first.id}` : `view=${view}`}`

const places: Record<AttentionKind, (item: Item) => string> = {
  incident_critical: () => `${addressOf('incidents')}&status=open&severity=critical`,
  bundle_invalid: (item) => atModel('bundle', 'invalid', item),
  domain_lost: () => `${addressOf('settings')}&section=domains`,
  domain_stale: () => `${addressOf('settings')}&section=domains`,
  review_waiting: () => `${addressOf('settings')}&section=keys`,
  change_delayed: () => `${addressOf('settings')}&section=changes`,
  change_waiting: () => `${addressOf('settings')}&section=changes`,
  links_nearly_used: () => `${addressOf('overview')}#usage`,
  models_nearly_used: () => `${addressOf('overview')}#usage`,
  incident_open: () => `${addressOf('incidents')}&status=open`,
  endpoint_failing: (item) => atModel('health', 'failing', item),
  domain_unproven: () => `${addressOf('settings')}&section=domains`,
  email_unverified: () => `${addressOf('overview')}?verify=email`,
  key_expiring: () => `${addressOf('settings')}&section=keys`,
  deployment_disabled: () => `${addressOf('deployments')}&status=disabled`,
  deployment_unproven: () => `${addressOf('deployments')}&status=unproven`,
  signer_not_tied: ({ count }) =>
    count === 1 ? `${addressOf('settings')}&section=signers` : `${addressOf('models')}&view=untied`,
}

/** What needs attention, most urgent first, with links to fix it. */
export const Attention = ({ provider }: { provider: Pick<Provider, 'id' | 'is_active'> }) => {
  const { attention, failure, again } = useAttention(provider.id, provider.is_active)
  if (!provider.is_active) return null
  return (
    <Section heading={words.heading} className="">
      {attention === undefined ? (
        failure === undefined ? (
          <div aria-busy>
            <p role="status" className="sr-only">
              {words.loading}
            </p>
            <SkeletonRows count={2} />
          </div>
        ) : (
          <Failed heading={words.failed} failure={failure} again={again} />
        )
      ) : attention.items.length === 0 ? (
        <p className="border-line border-y py-4 text-small">{words.none}</p>
      ) : (
        <ul className="border-line border-t">
          {attention.items.map((item) => (
            <AttentionRow key={item.kind} item={item} />
          ))}
        </ul>
      )}
    </Section>
  )
}

const AttentionRow = ({ item }: { item: Item }) => {
  const { title, text } = words.kinds[item.kind]
  const tone = tones[item.kind]
  const may = useMay()
  return (
    <li className="grid grid-cols-[5rem_1fr] gap-x-3 border-line border-b py-2.5 text-small">
      <span>
        <StatusChip tone={tone}>{words.tones[tone]}</StatusChip>
      </span>
      <span className="min-w-0">
        {item.kind === 'email_unverified' && !may('auth.sendVerification') ? (
          <span className="wrap-anywhere font-semibold">{title(item)}</span>
        ) : (
          <Link to={places[item.kind](item)} className="link wrap-anywhere font-semibold">
            {title(item)}
          </Link>
        )}
        <span className="wrap-anywhere block text-muted">{text(item)}</span>
      </span>
    </li>
  )
}
