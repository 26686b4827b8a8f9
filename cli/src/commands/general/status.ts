import type { Attention, AttentionKind } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import { type Declare, example } from '../../args/command.ts'
import { type Paint, printable } from '../../render/output.ts'
import { shownTime } from '../../render/shown-time.ts'

/** The same list that the dashboard shows first. */
export const declare: Declare = (status) => {
  status
    .description(
      'Lists what needs your attention, most urgent first, with the command to fix it: reports, signatures, domain proofs, keys.',
    )
    .action(async ({ connect, out }) => {
      const found = await (await connect()).account.attention()
      out.print({
        value: found,
        ids: found.items.flatMap(({ subjects }) => subjects.map(({ id }) => id)),
        text: (paint) =>
          found.items.length === 0
            ? 'Nothing needs your attention'
            : found.items.map((item) => describeItem(item, paint)).join('\n'),
      })
    })
  example(status, 'status', 'status --json')
}

type Item = Attention['items'][number]
type Kind = Readonly<{
  /** Singular and plural. */
  words: readonly [one: string, many: string]
  /** The command that fixes it; `<id>` stands for the affected record. */
  next: string
  /** Whether the registry's users choose the names of its subjects, which are then quoted. */
  isNamed?: true
}>

const kinds: Readonly<Record<AttentionKind, Kind>> = {
  incident_critical: { words: ['critical report is open', 'critical reports are open'], next: 'incidents triage' },
  bundle_invalid: {
    words: ['model has an invalid signature', 'models have an invalid signature'],
    next: 'models verify-bundle <id>',
    isNamed: true,
  },
  domain_lost: { words: ['domain proof was lost', 'domain proofs were lost'], next: 'providers verify-domain' },
  review_waiting: {
    words: [
      'change by a compromised key waits for your decision',
      'changes by compromised keys wait for your decision',
    ],
    next: 'keys review',
  },
  domain_unproven: { words: ['domain is not proven', 'domains are not proven'], next: 'providers verify-domain' },
  links_nearly_used: {
    words: ['daily link quota is nearly used up', 'daily link quotas are nearly used up'],
    next: 'usage',
  },
  models_nearly_used: {
    words: ['quota of model versions is nearly used up', 'quotas of model versions are nearly used up'],
    next: 'usage',
  },
  change_delayed: { words: ['change takes effect soon', 'changes take effect soon'], next: 'changes cancel <id>' },
  change_waiting: { words: ['change waits for approval', 'changes wait for approval'], next: 'changes show <id>' },
  incident_open: { words: ['report is open', 'reports are open'], next: 'incidents triage' },
  endpoint_failing: {
    words: ['endpoint does not answer', 'endpoints do not answer'],
    next: 'models health <id>',
    isNamed: true,
  },
  email_unverified: {
    words: ['email address is not verified', 'email addresses are not verified'],
    next: 'providers verify-email',
  },
  key_expiring: { words: ['API key expires soon', 'API keys expire soon'], next: 'keys create <name>', isNamed: true },
  deployment_disabled: {
    words: ['deployment is disabled', 'deployments are disabled'],
    next: 'deployments enable <id>',
    isNamed: true,
  },
  deployment_unproven: {
    words: ['deployment has never proven its key', 'deployments have never proven their keys'],
    next: 'tokens mint --cert <file> --key <file>',
    isNamed: true,
  },
  domain_stale: { words: ['domain could not be checked', 'domains could not be checked'], next: 'domains list' },
  signer_not_tied: {
    words: ['model counts as signed by a third party', 'models count as signed by a third party'],
    next: 'signers list',
    isNamed: true,
  },
}

/** Interpolate only IDs into suggested commands: a registry could send anything. */
const idOf = (id: string | undefined) => (id !== undefined && /^\w{1,40}$/.test(id) ? id : '<id>')

const describeItem = ({ kind, count, verified, subjects }: Item, paint: Paint) => {
  const { words, next, isNamed } = kinds[kind]
  const named = subjects.map(
    ({ name, at }) =>
      `${isNamed ? quote(printable(name)) : printable(name)}${at === null ? '' : ` (${shownTime(at)})`}`,
  )
  const more = count - subjects.length
  const whole = [
    ...named,
    ...(named.length > 0 && more > 0 ? [`${more} more`] : []),
    ...(verified > 0 ? [`${verified} with a link for the model`] : []),
  ]
  return [
    `${count} ${words[count === 1 ? 0 : 1]}${whole.length > 0 ? `: ${whole.join(', ')}` : ''}`,
    `  ${paint.dim(`countersign ${next.replace('<id>', () => idOf(subjects[0]?.id))}`)}`,
  ].join('\n')
}
