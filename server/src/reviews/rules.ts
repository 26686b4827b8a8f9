import type { ReviewKind } from '@countersign/sdk/contract'

/** What a compromised key can have done that lasts. Everything else it did is in the trail. */
export const lastingActions = [
  'key.created',
  'deployment.registered',
  'deployment.enabled',
  'deployment.authorized',
  'deployment.authorizations_copied',
  'publisher.added',
  'signer.declared',
  'model.registered',
] as const

export interface TrailLine {
  actor: string
  action: string
  subject_id: string
  at: number
}

/** Something to suspend. Copied authorizations are named by the version that they were copied to. */
export interface Change {
  kind: ReviewKind | 'copied_authorizations'
  actor: string
  subject_id: string
  at: number
}

const kinds: Record<string, Change['kind']> = {
  'deployment.registered': 'deployment',
  'deployment.enabled': 'deployment',
  'deployment.authorized': 'authorization',
  'deployment.authorizations_copied': 'copied_authorizations',
  'publisher.added': 'publisher',
  'signer.declared': 'signer',
  'model.registered': 'version',
}

/**
 * What a key did, and what was done with keys it made and by jobs of publishers it added, out of the trail, oldest first. Who
 * was made by it acts only afterwards, so one reading finds all.
 */
export const traceKey = (key_id: string, trail: readonly TrailLine[]): { keys: string[]; changes: Change[] } => {
  const actors = new Set([key_id])
  const keys: string[] = []
  const changes = new Map<string, Change>()
  for (const { actor, action, subject_id, at } of trail) {
    // A job of a publisher acts as the publisher's id and its own name.
    const [who = ''] = actor.split(' ')
    if (!actors.has(who)) continue
    if (action === 'key.created' && subject_id !== key_id) {
      actors.add(subject_id)
      keys.push(subject_id)
    }
    if (action === 'publisher.added') actors.add(subject_id)
    const kind = kinds[action]
    if (kind) changes.set(`${kind} ${subject_id}`, { kind, actor, subject_id, at })
  }
  return { keys, changes: [...changes.values()] }
}
