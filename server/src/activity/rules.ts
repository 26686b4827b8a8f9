import type { ActorActivity, TrailAction, UndoKind, UndoObstacle } from '@countersign/sdk/contract'

/** When a session can act without presence: always, or only while its provider is unprotected. */
interface ActRule {
  without: 'always' | 'unprotected'
  undo?: UndoKind
}

const always = { without: 'always' } as const
const unprotected = { without: 'unprotected' } as const

/** Every action in the trail. Null if no key, session or job does it alone, or if another entry says the same. */
const actRules = {
  'provider.registered': null,
  'provider.updated': { ...always, undo: 'revert' },
  'provider.deactivated': unprotected,
  'provider.reactivated': unprotected,
  'provider.suspended': null,
  'provider.confirmed': null,
  'provider.deleted': null,
  'email.verified': null,
  'domain.verified': null,
  'domain.lost': null,
  'domain.reset': null,
  'domain.displaced': null,
  'domain.stale': null,
  'domain.contested': null,
  'domain.added': unprotected,
  'domain.removed': unprotected,
  'domain.primary': unprotected,
  'domain.blocked': null,
  'domain.allowed': unprotected,
  'password.set': unprotected,
  'logo.uploaded': always,
  'logo.removed': always,
  'identity.linked': unprotected,
  'identity.unlinked': unprotected,
  'notifications.changed': always,
  'model.registered': { ...always, undo: 'archive' },
  'model.superseded': null,
  'model.edited': { ...always, undo: 'revert' },
  'model.synced': { ...always, undo: 'revert' },
  'model.visibility_changed': { ...always, undo: 'revert' },
  'model.archived': { ...always, undo: 'unarchive' },
  'model.unarchived': { ...unprotected, undo: 'archive' },
  'model.first_verified': null,
  'model.monitoring_changed': { ...always, undo: 'revert' },
  'model.health_changed': null,
  'model.bundle_uploaded': always,
  'model.bundle_checked': null,
  'model.sample_added': null,
  'model.sample_removed': null,
  'deployment.authorizations_copied': null,
  'deployment.registered': { ...always, undo: 'delete' },
  'deployment.proven': null,
  'deployment.proof_displaced': null,
  'deployment.enabled': { ...unprotected, undo: 'disable' },
  'deployment.disabled': { ...always, undo: 'enable' },
  'deployment.deleted': always,
  'deployment.authorized': { ...always, undo: 'revoke' },
  'deployment.revoked': { ...always, undo: 'authorize' },
  'factor.added': null,
  'factor.removed': null,
  'incident.reported': null,
  'incident.investigating': { ...always, undo: 'reopen' },
  'incident.resolved': { ...always, undo: 'reopen' },
  'incident.dismissed': { ...always, undo: 'reopen' },
  'incident.withdrawn': null,
  'incident.restored': null,
  'incident.entry_disputed': always,
  'incident.reopened': null,
  'key.created': unprotected,
  'key.revoked': always,
  'key.compromised': always,
  'key.reviewed': always,
  'key.undone': null,
  'member.joined': null,
  'member.role_changed': unprotected,
  'member.removed': unprotected,
  'member.left': null,
  'member.email_changed': null,
  'member.invited': unprotected,
  'invitation.withdrawn': always,
  'change.staged': null,
  'change.approved': null,
  'change.rejected': always,
  'change.delayed': null,
  'change.cancelled': always,
  'session.began': null,
  'session.ended': null,
  'session.undone': null,
  'signer.declared': unprotected,
  'signer.proven': unprotected,
  'signer.withdrawn': always,
  'workload.trusted': unprotected,
  'workload.used': null,
  'workload.removed': always,
  'workload.issuer_refused': null,
  'workload.issuer_accepted': null,
  'publisher.added': unprotected,
  'publisher.used': null,
  'publisher.refused': null,
  'publisher.removed': always,
  'publisher.undone': null,
  'publisher.issuer_refused': null,
  'publisher.issuer_accepted': null,
} as const satisfies Record<TrailAction, ActRule | null>

const rulesByAction: Readonly<Record<string, ActRule | null>> = actRules
const actionsThat = (isWanted: (rule: ActRule) => boolean) =>
  (Object.keys(actRules) as TrailAction[]).filter((action) => {
    const rule = rulesByAction[action]
    return rule != null && isWanted(rule)
  })

/** What keys and jobs can do, and sessions while their provider is unprotected. */
export const listedActions = actionsThat(() => true)
/** What a session can do without presence in a protected provider. */
export const alwaysListedActions = actionsThat(({ without }) => without === 'always')

export const undoKindOf = (action: string): UndoKind | null => rulesByAction[action]?.undo ?? null

export const kindOfActor = (actor: string): ActorActivity['kind'] => {
  if (actor.startsWith('key_')) return 'key'
  return actor.startsWith('ses_') ? 'session' : 'job'
}

export interface TrailLine {
  id: string
  action: string
  subject_id: string
  before: Readonly<Record<string, unknown>>
  after: Readonly<Record<string, unknown>>
}

/** Actions that set the same state: the last one decides it. Edits are compared with the fields themselves. */
const states: readonly (readonly TrailAction[])[] = [
  ['model.archived', 'model.unarchived'],
  ['incident.investigating', 'incident.resolved', 'incident.dismissed'],
  ['deployment.enabled', 'deployment.disabled'],
  ['deployment.authorized', 'deployment.revoked'],
]

/** All actions that set a state. */
export const stateActions = states.flat()

/** The other entries about the state that an act set, oldest first, without those that were undone. */
const standing = (act: TrailLine, trail: readonly TrailLine[], undone: ReadonlySet<string>) => {
  const same: readonly string[] = states.find((actions) => (actions as readonly string[]).includes(act.action)) ?? []
  return trail.filter(
    ({ id, action, subject_id }) =>
      id !== act.id && subject_id === act.subject_id && same.includes(action) && !undone.has(id),
  )
}

/**
 * What prevents undoing an act, as far as the trail says. `undone` has the acts that were undone before, including
 * those of the same call.
 */
export const obstacleOf = (
  act: TrailLine,
  trail: readonly TrailLine[],
  undone: ReadonlySet<string>,
): UndoObstacle | undefined => {
  if (undone.has(act.id)) return 'already_undone'
  if (undoKindOf(act.action) === null) return 'by_hand'
  return standing(act, trail, undone).some(({ id }) => id > act.id) ? 'changed_since' : undefined
}

/** The earlier answers to an incident that were not undone. */
export const answersBefore = (act: TrailLine, trail: readonly TrailLine[], undone: ReadonlySet<string>) =>
  standing(act, trail, undone).filter(({ id }) => id < act.id)
