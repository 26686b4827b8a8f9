import { z } from 'zod'
import { Binding } from './deployments.ts'
import { type Endpoints, endpoint } from './endpoint.ts'
import { DeploymentId, EventId, line, ModelId, paging, Time, textOrNull, VerificationId } from './fields.ts'
import { routes } from './routes.ts'
import { changes, reasons, results, Strength } from './verifications.ts'

export const NotificationSettings = z.strictObject({
  incident_reported: z.boolean(),
  weekly_reports: z.boolean(),
  security_alerts: z.boolean(),
})
export type NotificationSettings = z.infer<typeof NotificationSettings>

/** A link as its provider sees it; the link itself is not kept. */
export const IssuedVerification = z.strictObject({
  id: VerificationId,
  model_id: ModelId,
  model_name: z.string(),
  model_version: z.string(),
  deployment_id: DeploymentId.nullable(),
  deployment_binding: Binding.nullable(),
  issued_at: Time,
  expires_at: Time,
  /** When a person first opened it. */
  opened_at: Time.nullable(),
  /** How often its page was read by people while it was good. */
  opened_count: z.number().int(),
  user_fp: textOrNull,
  challenge: textOrNull,
  origin: textOrNull,
  metadata: z.record(z.string(), z.unknown()).nullable(),
  bound_to_response: z.boolean(),
  /** What its page says of it now: `reason` why it is not good, `change` what happened to it. */
  result: z.enum(results),
  strength: Strength,
  reason: z.enum(reasons).nullable(),
  change: z.enum(changes).nullable(),
})
export type IssuedVerification = z.infer<typeof IssuedVerification>

export const statisticsDays = [30, 90] as const

/** How often links were opened by people, each link counted once: every day of the period, the oldest first, today last. */
export const VerificationsByDay = z.strictObject({
  days: z.array(z.strictObject({ day: z.iso.date(), verifications: z.number().int() })),
  /** Of the period, of the model that was asked for. */
  in_period: z.number().int(),
  /** Of all time, of the model that was asked for. */
  total: z.number().int(),
  /** Models whose links were opened in the period, most first, at most a hundred; whichever was asked for. */
  models: z.array(
    z.strictObject({ model_id: ModelId, model_name: z.string(), model_version: z.string(), verifications: z.number().int() }),
  ),
})
export type VerificationsByDay = z.infer<typeof VerificationsByDay>

/** What the trail tells of, each with what can happen to it. */
export const trail = {
  provider: [
    'provider.registered',
    'provider.updated',
    'provider.deactivated',
    'provider.reactivated',
    'provider.deleted',
    'email.verified',
    'domain.verified',
    'domain.lost',
    'domain.reset',
    'domain.displaced',
    'domain.stale',
    'domain.contested',
    'domain.added',
    'domain.removed',
    'domain.primary',
    'domain.blocked',
    'domain.allowed',
    'password.set',
    'logo.uploaded',
    'logo.removed',
    'identity.linked',
    'identity.unlinked',
    'notifications.changed',
  ],
  model: [
    'model.registered',
    'model.superseded',
    'model.edited',
    'model.synced',
    'model.visibility_changed',
    'model.archived',
    'model.unarchived',
    'model.first_verified',
    'model.monitoring_changed',
    'model.health_changed',
    'model.bundle_uploaded',
    'model.bundle_checked',
    'model.sample_added',
    'model.sample_removed',
    'deployment.authorizations_copied',
  ],
  deployment: [
    'deployment.registered',
    'deployment.proven',
    'deployment.proof_displaced',
    'deployment.enabled',
    'deployment.disabled',
    'deployment.deleted',
  ],
  authorization: ['deployment.authorized', 'deployment.revoked'],
  incident: [
    'incident.reported',
    'incident.investigating',
    'incident.resolved',
    'incident.dismissed',
    'incident.withdrawn',
    'incident.restored',
  ],
  key: ['key.created', 'key.revoked', 'key.compromised', 'key.reviewed'],
  session: ['session.began', 'session.ended'],
  signer: ['signer.declared', 'signer.proven', 'signer.withdrawn'],
  publisher: ['publisher.added', 'publisher.used', 'publisher.refused', 'publisher.removed'],
} as const
export type TrailSubject = keyof typeof trail
export type TrailAction = (typeof trail)[TrailSubject][number]
export const trailSubjects = Object.keys(trail) as [TrailSubject, ...TrailSubject[]]
export const trailActions = Object.values(trail).flat() as [TrailAction, ...TrailAction[]]

/** One line of the append-only trail. */
export const TrailEvent = z.strictObject({
  id: EventId,
  at: Time,
  /** Id of the key or session that acted, of the trusted publisher with its job, `visitor`, `operator`, or `registry`. */
  actor: z.string(),
  /** Of the key that acted. */
  actor_name: textOrNull,
  action: z.string(),
  subject_type: z.string(),
  subject_id: z.string(),
  /** What it is called now, where it has a name. */
  subject_name: textOrNull,
  before: z.unknown(),
  after: z.unknown(),
})
export type TrailEvent = z.infer<typeof TrailEvent>

/** What can wait for an owner, the worst first. */
export const attentionKinds = [
  'incident_critical',
  'bundle_invalid',
  'domain_lost',
  'domain_stale',
  'incident_open',
  'endpoint_failing',
  'email_unverified',
  'key_expiring',
  'deployment_disabled',
  'deployment_unproven',
  'signer_not_tied',
] as const
export type AttentionKind = (typeof attentionKinds)[number]

export const Attention = z.strictObject({
  /** Reports without a final answer, of the newest 10,000. */
  open_incidents: z.number().int(),
  /** What waits, the worst first; of each kind one at most. */
  items: z.array(
    z.strictObject({
      kind: z.enum(attentionKinds),
      /** How many; beside reports at most 100 are counted. */
      count: z.number().int(),
      /** Of reports: how many came with a link of the model. */
      verified: z.number().int(),
      /** The first three of them. `at`: when a key ends, a proof was lost or was last confirmed. */
      subjects: z.array(z.strictObject({ id: z.string(), name: z.string(), at: Time.nullable() })),
    }),
  ),
})
export type Attention = z.infer<typeof Attention>

export const account = {
  attention: endpoint(routes.account.attention, {
    summary: 'What waits for the caller: open reports, invalid bundles, failing endpoints, proofs and keys that end; the worst first',
    caller: 'provider',
    response: Attention,
  }),
  verifications: endpoint(routes.account.verifications, {
    summary: 'Links that the caller issued, newest first',
    caller: 'provider',
    orScope: 'links',
    query: z.strictObject({ ...paging, model_id: ModelId.optional() }),
    response: z.strictObject({
      verifications: z.array(IssuedVerification),
      next_cursor: textOrNull,
      /** Exact up to 10,000. */
      total: z.number().int(),
      total_is_lower_bound: z.boolean(),
    }),
  }),
  verificationsByDay: endpoint(routes.account.verificationsByDay, {
    summary: 'How many of the caller’s links people opened on each of the last 30 or 90 days (UTC)',
    caller: 'provider',
    orScope: 'links',
    query: z.strictObject({
      days: z
        .enum(statisticsDays.map(String) as ['30', '90'])
        .default('30')
        .transform(Number),
      model_id: ModelId.optional(),
    }),
    response: VerificationsByDay,
  }),
  events: endpoint(routes.account.events, {
    summary: 'The trail of every change to what the caller owns, newest first',
    caller: 'provider',
    query: z.strictObject({
      ...paging,
      subject_type: z.enum(trailSubjects).optional(),
      subject_id: line(80).optional(),
      action: z.enum(trailActions).optional(),
      /** From this moment on. */
      since: Time.optional(),
      /** Before this moment. */
      until: Time.optional(),
    }),
    response: z.strictObject({ events: z.array(TrailEvent), next_cursor: textOrNull }),
  }),
  notifications: endpoint(routes.account.notifications, {
    summary: 'Which mails the caller receives',
    caller: 'provider',
    response: NotificationSettings,
  }),
  setNotifications: endpoint(routes.account.setNotifications, {
    summary: 'Choose which mails to receive; what is not named stays',
    caller: 'provider',
    body: NotificationSettings.partial(),
    response: NotificationSettings,
  }),
} satisfies Endpoints<typeof routes.account>
