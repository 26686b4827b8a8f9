import type { AttentionKind } from '@countersign/sdk/contract'
import { formatDay, formatList, formatNumber } from '#messages/site.ts'

interface Named {
  name: string
  at: string | null
}

interface Waiting {
  count: number
  /** Of reports: how many came with a link. */
  verified: number
  /** The first of them. */
  subjects: readonly Named[]
}

const counted = (count: number, one: string, many: string) => (count === 1 ? `One ${one}` : `${formatNumber(count)} ${many}`)

/** `Atlas Chat 2.0 and Atlas Code 1.1`, and how many others. */
const named = ({ count, subjects }: Waiting) => {
  const rest = count - subjects.length
  return formatList([...subjects.map(({ name }) => name), ...(rest > 0 ? [`${formatNumber(rest)} more`] : [])])
}

const cameWithLink = ({ count, verified }: Waiting) => {
  if (verified === 0) return 'None came with a link of the model.'
  if (verified === count) return count === 1 ? 'It came with a link of the model.' : 'All came with a link of the model.'
  return `${formatNumber(verified)} of them came with a link of the model.`
}

interface Words {
  /** What is so, in a few words; the link to where it is done. */
  title: (waiting: Waiting) => string
  /** What it means, and what to do. */
  text: (waiting: Waiting) => string
}

/** What waits for the owner. */
export const attentionWords = {
  heading: 'What needs you now',
  none: 'Nothing waits for you.',
  failed: 'What waits for you could not be loaded',
  loading: 'Looking for what waits for you…',
  tones: { bad: 'Urgent', warn: 'Soon', unk: 'Note' },
  kinds: {
    incident_critical: {
      title: ({ count }) => counted(count, 'critical report is open', 'critical reports are open'),
      text: (waiting) => `${cameWithLink(waiting)} Answer with what you found and what you do.`,
    },
    bundle_invalid: {
      title: ({ count }) => counted(count, 'model has an invalid signature', 'models have an invalid signature'),
      text: (waiting) => `Links of ${named(waiting)} show as not verified until the bundle is right.`,
    },
    domain_lost: {
      title: ({ subjects }) => `${subjects[0]?.name ?? ''} is no longer verified`,
      text: ({ subjects }) => `Since ${formatDay(subjects[0]?.at ?? '')}. Your links show an unverified provider until you prove it again.`,
    },
    domain_stale: {
      title: ({ subjects }) => `${subjects[0]?.name ?? ''} could not be checked`,
      text: ({ subjects }) =>
        `Last confirmed ${formatDay(subjects[0]?.at ?? '')}. Your links are shown in amber, and after 72 hours the proof is lost.`,
    },
    incident_open: {
      title: ({ count }) => counted(count, 'report is open', 'reports are open'),
      text: cameWithLink,
    },
    endpoint_failing: {
      title: ({ count }) => counted(count, 'endpoint does not answer', 'endpoints do not answer'),
      text: (waiting) => `${named(waiting)}: the registry asked and got no good answer.`,
    },
    email_unverified: {
      title: () => 'Your e-mail address is not verified',
      text: ({ subjects }) => `Nothing counts before ${subjects[0]?.name ?? ''} is shown to be yours.`,
    },
    key_expiring: {
      title: ({ count }) => counted(count, 'API key ends soon', 'API keys end soon'),
      text: (waiting) => {
        const day = formatDay(waiting.subjects[0]?.at ?? '')
        return `${named(waiting)}, ${waiting.count === 1 ? '' : 'the first '}on ${day}. Make a new one before programs stop.`
      },
    },
    deployment_disabled: {
      title: ({ count }) => counted(count, 'deployment is disabled', 'deployments are disabled'),
      text: () => 'And still authorized for models. Enable what is used; delete what is gone.',
    },
    deployment_unproven: {
      title: ({ count }) => counted(count, 'deployment has never proven its key', 'deployments have never proven their keys'),
      text: () => 'Let it ask for a link over mutual TLS once: only then do visitors read that it was proven.',
    },
    signer_not_tied: {
      title: ({ count, subjects }) =>
        count === 1 ? `${subjects[0]?.name ?? ''} counts as signed by a third party` : `${count} models count as signed by a third party`,
      text: () => 'Their signatures are valid. Prove that the signers are yours, and the models are verified.',
    },
  } satisfies Record<AttentionKind, Words>,
} as const
