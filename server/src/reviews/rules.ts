import type { ReviewKind } from '@countersign/sdk/contract'

/** Lasting changes that a compromised key can have made. Everything else it did is in the trail. */
export const lastingActions = [
  'key.created',
  'deployment.registered',
  'deployment.enabled',
  'deployment.authorized',
  'deployment.authorizations_copied',
  'publisher.added',
  'workload.trusted',
  'member.invited',
  'member.joined',
  'signer.declared',
  'model.registered',
  'model.edited',
  'model.synced',
  'model.unarchived',
  'signer.proven',
  'domain.added',
  'domain.verified',
  'domain.allowed',
  'domain.primary',
  'provider.updated',
] as const

export interface TrailLine {
  actor: string
  /** The person whose session it was. */
  person_id?: string | null
  action: string
  subject_id: string
  at: number
  before?: Readonly<Record<string, unknown>> | null
  after?: Readonly<Record<string, unknown>> | null
}

/** Something to suspend. Copied authorizations are named by the version that they were copied to; invitations end without a review. */
export interface Change {
  kind: ReviewKind | 'copied_authorizations' | 'invitation'
  actor: string
  subject_id: string
  at: number
  /** For a domain: the key added it, rather than only verifying it. */
  isAdded?: boolean
  /** The state before the key first changed it, and the state the key left. */
  before?: string
  after?: string
}

const kinds: Record<string, Change['kind']> = {
  'deployment.registered': 'deployment',
  'deployment.enabled': 'deployment',
  'deployment.authorized': 'authorization',
  'deployment.authorizations_copied': 'copied_authorizations',
  'publisher.added': 'publisher',
  'workload.trusted': 'workload',
  'member.invited': 'invitation',
  'member.joined': 'member',
  'signer.declared': 'signer',
  'model.registered': 'version',
  'model.edited': 'version',
  'model.synced': 'version',
  'model.unarchived': 'unarchived',
  'signer.proven': 'signer_proof',
}

type Finding = Pick<Change, 'kind' | 'subject_id' | 'isAdded' | 'before' | 'after'>

export const profileFields = ['company_name', 'website'] as const

/** The lasting changes of one event. */
const findingsOf = ({ action, subject_id, before, after }: TrailLine): Finding[] => {
  const textOf = (of: TrailLine['before'], name: string) => (typeof of?.[name] === 'string' ? of[name] : undefined)
  const kind = kinds[action]
  if (kind) return [{ kind, subject_id }]
  const [was, is] = [textOf(before, 'domain'), textOf(after, 'domain')]
  if (action === 'domain.primary') return was === undefined ? [] : [{ kind: 'primary_domain', subject_id, before: was }]
  // Someone who confirms a suspended domain vouches for it as if they had added it.
  if (action === 'domain.added' || action === 'domain.allowed' || action === 'domain.verified')
    return is === undefined
      ? []
      : [{ kind: 'domain', subject_id: is, ...(action !== 'domain.verified' && { isAdded: true }) }]
  if (action !== 'provider.updated') return []
  return profileFields.flatMap((field): Finding[] => {
    const [old, given] = [textOf(before, field), textOf(after, field)]
    return old === undefined || given === undefined
      ? []
      : [{ kind: 'profile', subject_id: field, before: old, after: given }]
  })
}

/**
 * What a key did, and what was done with keys it created, by jobs of publishers it added and by people it invited, from the trail, oldest
 * first. Anything it created acts only later, so one pass finds all.
 */
export const traceKey = (key_id: string, trail: readonly TrailLine[]): { keys: string[]; changes: Change[] } => {
  const actors = new Set([key_id])
  /** Addresses whose last invitation was sent by one of them. */
  const invited = new Set<unknown>()
  const keys: string[] = []
  const changes = new Map<string, Change>()
  for (const line of trail) {
    const { actor, person_id, action, subject_id, at } = line
    // A job of a publisher acts as the publisher's ID and its own name.
    const [who = ''] = actor.split(' ')
    const isTheirs = actors.has(who) || (person_id != null && actors.has(person_id))
    const { email } = line.after ?? {}
    const isInvited = action === 'member.joined' && invited.has(email)
    if (isInvited) actors.add(subject_id)
    if (action === 'member.invited') invited[isTheirs ? 'add' : 'delete'](email)
    if (!isTheirs && !isInvited) continue
    if (action === 'key.created' && subject_id !== key_id) {
      actors.add(subject_id)
      keys.push(subject_id)
    }
    if (action === 'publisher.added') actors.add(subject_id)
    for (const finding of findingsOf(line)) {
      const key = `${finding.kind} ${finding.subject_id}`
      const { isAdded, before } = changes.get(key) ?? {}
      changes.set(key, { ...finding, actor, at, ...(isAdded && { isAdded }), ...(before !== undefined && { before }) })
    }
  }
  return { keys, changes: [...changes.values()] }
}
