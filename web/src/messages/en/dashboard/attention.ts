import type { AttentionKind } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import { delayedWords } from '#messages/dashboard/changes.ts'
import { formatDay, formatList, formatNumber, formatTime } from '#messages/site.ts'

interface Named {
  name: string
  at: string | null
}

interface Waiting {
  count: number
  /** For reports: how many came with a link. */
  verified: number
  /** The first of them. */
  subjects: readonly Named[]
}

const counted = (count: number, one: string, many: string) =>
  count === 1 ? `One ${one}` : `${formatNumber(count)} ${many}`

/** `“Atlas Chat 2.0” and “Atlas Code 1.1”`, and how many others. */
const named = ({ count, subjects }: Waiting) => {
  const rest = count - subjects.length
  return formatList([...subjects.map(({ name }) => quote(name)), ...(rest > 0 ? [`${formatNumber(rest)} more`] : [])])
}

const cameWithLink = ({ count, verified }: Waiting) => {
  if (verified === 0) return 'None came with a link for the model.'
  if (verified === count)
    return count === 1 ? 'It came with a link for the model.' : 'All came with a link for the model.'
  return `${formatNumber(verified)} of them came with a link for the model.`
}

interface Words {
  /** The problem in a few words; links to where it is fixed. */
  title: (waiting: Waiting) => string
  /** What it means, and what to do. */
  text: (waiting: Waiting) => string
}

/** What needs the owner's attention. */
export const attentionWords = {
  heading: 'Needs attention',
  none: 'Nothing needs your attention.',
  failed: 'Could not load what needs your attention',
  loading: 'Checking what needs your attention…',
  tones: { bad: 'Urgent', warn: 'Soon', unk: 'Note' },
  kinds: {
    incident_critical: {
      title: ({ count }) => counted(count, 'critical report is open', 'critical reports are open'),
      text: (waiting) => `${cameWithLink(waiting)} Reply with what you found and what you are doing.`,
    },
    bundle_invalid: {
      title: ({ count }) => counted(count, 'model has an invalid signature', 'models have an invalid signature'),
      text: (waiting) => `Links of ${named(waiting)} show as not verified until the bundle is fixed.`,
    },
    domain_lost: {
      title: ({ subjects }) => `${subjects[0]?.name ?? ''} is no longer verified`,
      text: ({ subjects }) =>
        `Since ${formatDay(subjects[0]?.at ?? '')}. Your links show an unverified provider until you prove it again.`,
    },
    domain_stale: {
      title: ({ subjects }) => `${subjects[0]?.name ?? ''} could not be checked`,
      text: ({ subjects }) =>
        `Last confirmed ${formatDay(subjects[0]?.at ?? '')}. Your links are shown in amber. After 72 hours the proof is lost.`,
    },
    review_waiting: {
      title: ({ count }) =>
        counted(
          count,
          'change by a compromised key waits for your decision',
          'changes by compromised keys wait for your decision',
        ),
      text: ({ count }) => (count === 1 ? 'Confirm it or withdraw it.' : 'Confirm or withdraw each of them.'),
    },
    change_delayed: {
      title: ({ count }) => counted(count, 'change takes effect soon', 'changes take effect soon'),
      text: ({ subjects: [first] }) =>
        `${delayedWords(first?.name ?? '')}: ${formatTime(first?.at ?? '')}. Until then any owner can cancel it.`,
    },
    change_waiting: {
      title: ({ count }) => counted(count, 'change waits for approval', 'changes wait for approval'),
      text: ({ subjects }) =>
        `A key or a CI job asked for it. Approve or reject it before ${formatDay(subjects[0]?.at ?? '')}.`,
    },
    links_nearly_used: {
      title: ({ subjects }) => `You have used ${subjects[0]?.name ?? ''} links today`,
      text: () => 'Once all are used, no more links can be minted until the count resets at 00:00 UTC.',
    },
    models_nearly_used: {
      title: ({ subjects: [first] }) =>
        `You have registered ${first?.name ?? ''} model versions${first?.at ? ' today' : ''}`,
      text: ({ subjects: [first] }) =>
        `Once all are used, no more can be registered${first?.at ? ' until 00:00 UTC' : ''}.`,
    },
    incident_open: {
      title: ({ count }) => counted(count, 'report is open', 'reports are open'),
      text: cameWithLink,
    },
    endpoint_failing: {
      title: ({ count }) => counted(count, 'endpoint is not responding', 'endpoints are not responding'),
      text: (waiting) => `${named(waiting)}: the registry’s checks got no valid response.`,
    },
    domain_unproven: {
      title: ({ subjects }) => `${subjects[0]?.name ?? ''} is not proven`,
      text: () => 'Your links show an unverified provider until you prove the domain.',
    },
    email_unverified: {
      title: () => 'Your email address is not verified',
      text: ({ subjects }) => `Confirm that ${subjects[0]?.name ?? ''} is yours. Until then you have no trust level.`,
    },
    key_expiring: {
      title: ({ count }) => counted(count, 'API key expires soon', 'API keys expire soon'),
      text: (waiting) => {
        const day = formatDay(waiting.subjects[0]?.at ?? '')
        return `${named(waiting)}, ${waiting.count === 1 ? '' : 'the first '}on ${day}. Create a new one before your programs stop working.`
      },
    },
    deployment_disabled: {
      title: ({ count }) => counted(count, 'deployment is disabled', 'deployments are disabled'),
      text: ({ count }) =>
        count === 1
          ? 'It gets no links. Enable it if you use it, or delete it.'
          : 'They get no links. Enable the ones you use and delete the others.',
    },
    deployment_unproven: {
      title: ({ count }) =>
        counted(count, 'deployment has never proven its key', 'deployments have never proven their keys'),
      text: () =>
        'Request a link over mutual TLS or with a signature once. Only then do visitors see that the deployment was proven.',
    },
    signer_not_tied: {
      title: ({ count, subjects }) =>
        count === 1
          ? `${quote(subjects[0]?.name ?? '')} counts as signed by a third party`
          : `${count} models count as signed by a third party`,
      text: ({ count }) =>
        count === 1
          ? 'The signature is valid. Prove that the signer is yours, and the model will be verified.'
          : 'The signatures are valid. Prove that the signers are yours, and the models will be verified.',
    },
  } satisfies Record<AttentionKind, Words>,
} as const
