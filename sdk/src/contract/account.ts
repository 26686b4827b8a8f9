import { z } from 'zod'
import { Binding } from './deployments.ts'
import { type Endpoints, endpoint } from './endpoint.ts'
import {
  byTime,
  DeploymentId,
  Email,
  EventId,
  line,
  ModelId,
  PersonId,
  paging,
  Time,
  textOrNull,
  VerificationId,
} from './fields.ts'
import { routes } from './routes.ts'
import { changes, reasons, results, Strength } from './verifications.ts'

/** Which emails the provider receives. */
export const NotificationSettings = z.strictObject({
  incident_reported: z.boolean(),
  weekly_reports: z.boolean(),
  security_alerts: z.boolean(),
})
export type NotificationSettings = z.infer<typeof NotificationSettings>

/** A link as its provider sees it. The link itself is not stored. */
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
  /** How often people read its page while it was valid. */
  opened_count: z.number().int(),
  user_fp: textOrNull,
  challenge: textOrNull,
  origin: textOrNull,
  metadata: z.record(z.string(), z.unknown()).nullable(),
  bound_to_response: z.boolean(),
  /** What its page says now: `reason` is why it is not verified, `change` what happened to it. */
  result: z.enum(results),
  strength: Strength,
  reason: z.enum(reasons).nullable(),
  change: z.enum(changes).nullable(),
})
export type IssuedVerification = z.infer<typeof IssuedVerification>

/** The lengths of the statistics, in days. */
export const statisticsDays = [30, 90] as const

/** Links opened by people on each day of the period, oldest first. Each link counts once. */
export const VerificationsByDay = z.strictObject({
  days: z.array(z.strictObject({ day: z.iso.date(), verifications: z.number().int() })),
  /** In the period, for the requested model. */
  in_period: z.number().int(),
  /** Ever, for the requested model. */
  total: z.number().int(),
  /** Up to 100 models whose links were opened in the period, most opened first. Not limited to the requested model. */
  models: z.array(
    z.strictObject({
      model_id: ModelId,
      model_name: z.string(),
      /** Tells models of the same name apart. */
      api_model_identifier: z.string(),
      model_version: z.string(),
      verifications: z.number().int(),
    }),
  ),
})
export type VerificationsByDay = z.infer<typeof VerificationsByDay>

const Stored = z.strictObject({
  count: z.number().int(),
  /** Null: not limited. */
  limit: z.number().int().nullable(),
})

/** How many of today's links a provider has minted, and what it has stored. */
export const Usage = z.strictObject({
  links: z.strictObject({
    /** Minted today (UTC). Links minted through other replicas in the last two seconds may be missing. */
    today: z.number().int(),
    limit: z.number().int(),
    /** How much of the limit is used, from 0 to 1. */
    share: z.number(),
    /** When the count starts again: midnight UTC. */
    resets_at: Time,
    /** The limit with a proven domain; null if one is proven. */
    limit_with_domain: z.number().int().nullable(),
    /** The last 30 days, oldest first; the last is today. */
    days: z.array(z.strictObject({ day: z.iso.date(), links: z.number().int() })),
  }),
  stored: z.strictObject({
    /** Active keys of people and programs. */
    api_keys: Stored,
    domains: Stored,
    publishers: Stored,
    /** Versions of models, including archived ones. */
    models: Stored,
    /** Versions of models registered today (UTC). */
    models_today: Stored,
    deployments: Stored,
  }),
  /** Versions that are current: neither superseded nor archived. */
  active_models: z.number().int(),
})
export type Usage = z.infer<typeof Usage>

/** The subjects of the trail, each with its actions. */
export const trail = {
  provider: [
    'provider.registered',
    'provider.updated',
    'provider.deactivated',
    'provider.reactivated',
    'provider.suspended',
    'provider.confirmed',
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
    'incident.entry_disputed',
    'incident.reopened',
  ],
  key: ['key.created', 'key.revoked', 'key.compromised', 'key.reviewed', 'key.undone'],
  person: [
    'member.joined',
    'member.role_changed',
    'member.removed',
    'member.left',
    'member.email_changed',
    'factor.added',
    'factor.removed',
  ],
  invitation: ['member.invited', 'invitation.withdrawn'],
  change: ['change.staged', 'change.approved', 'change.rejected', 'change.delayed', 'change.cancelled'],
  session: ['session.began', 'session.ended', 'session.undone'],
  signer: ['signer.declared', 'signer.proven', 'signer.withdrawn'],
  workload: [
    'workload.trusted',
    'workload.used',
    'workload.removed',
    'workload.issuer_refused',
    'workload.issuer_accepted',
  ],
  publisher: [
    'publisher.added',
    'publisher.used',
    'publisher.refused',
    'publisher.removed',
    'publisher.undone',
    'publisher.issuer_refused',
    'publisher.issuer_accepted',
  ],
} as const
/** What an entry of the trail is about. */
export type TrailSubject = keyof typeof trail
/** An action in the trail of changes. */
export type TrailAction = (typeof trail)[TrailSubject][number]
/** What entries of the trail are about. */
export const trailSubjects = Object.keys(trail) as [TrailSubject, ...TrailSubject[]]
/** All actions in the trail of changes. */
export const trailActions = Object.values(trail).flat() as [TrailAction, ...TrailAction[]]

/** An entry of the append-only trail. */
export const TrailEvent = z.strictObject({
  id: EventId,
  at: Time,
  /** ID of the key or session that acted, or of the trusted publisher and its job; or `visitor`, `operator` or `registry`. */
  actor: z.string(),
  /** The name of the key, or the address of the person, that acted. */
  actor_name: textOrNull,
  action: z.string(),
  subject_type: z.string(),
  subject_id: z.string(),
  /** Its current name, if it has one. */
  subject_name: textOrNull,
  before: z.unknown(),
  after: z.unknown(),
})
export type TrailEvent = z.infer<typeof TrailEvent>

/** What can need an owner's attention, most urgent first. */
export const attentionKinds = [
  'incident_critical',
  'bundle_invalid',
  'domain_lost',
  'domain_stale',
  'review_waiting',
  'change_delayed',
  'change_waiting',
  'links_nearly_used',
  'models_nearly_used',
  'incident_open',
  'endpoint_failing',
  'domain_unproven',
  'email_unverified',
  'key_expiring',
  'deployment_disabled',
  'deployment_unproven',
  'signer_not_tied',
] as const
/** What can need an owner’s attention. */
export type AttentionKind = (typeof attentionKinds)[number]

/** What needs the owner’s attention. */
export const Attention = z.strictObject({
  /** Reports without a final answer among the newest 10,000. */
  open_incidents: z.number().int(),
  /** At most one item of each kind, most urgent first. */
  items: z.array(
    z.strictObject({
      kind: z.enum(attentionKinds),
      /** How many there are, as in the list that shows them. */
      count: z.number().int(),
      /** For reports: how many came with a link for the model. */
      verified: z.number().int(),
      /** The first three. `at` is when a key expires, when a quota starts again, or when a proof was lost or last confirmed. */
      subjects: z.array(z.strictObject({ id: z.string(), name: z.string(), at: Time.nullable() })),
    }),
  ),
})
export type Attention = z.infer<typeof Attention>

/** Endpoints of the caller’s account. */
export const account = {
  attention: endpoint(routes.account.attention, {
    summary:
      'What needs the caller’s attention, most urgent first: open reports, invalid bundles, failing endpoints, proofs and keys that expire',
    caller: 'provider',
    response: Attention,
  }),
  usage: endpoint(routes.account.usage, {
    summary: 'How many of today’s links the caller has minted, and how many records it has stored',
    caller: 'provider',
    orScope: 'links',
    response: Usage,
  }),
  verifications: endpoint(routes.account.verifications, {
    summary: 'The caller’s links, newest first unless `sort` says otherwise',
    caller: 'provider',
    orScope: 'links',
    query: z.strictObject({ ...paging, model_id: ModelId.optional(), sort: byTime }),
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
    summary: 'The trail of all changes to the caller’s provider, newest first unless `sort` says otherwise',
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
      sort: byTime,
    }),
    response: z.strictObject({ events: z.array(TrailEvent), next_cursor: textOrNull }),
  }),
  notifications: endpoint(routes.account.notifications, {
    summary: 'Which emails the caller receives',
    caller: 'provider',
    response: NotificationSettings,
  }),
  setNotifications: endpoint(routes.account.setNotifications, {
    summary: 'Choose which emails to receive; omitted settings do not change',
    caller: 'provider',
    body: NotificationSettings.partial(),
    response: NotificationSettings,
  }),
  changeEmail: endpoint(routes.account.changeEmail, {
    summary:
      'Ask for another address of the signed-in person: a code is emailed to it. Needs the password, or without one a sign-in within the last 15 minutes',
    caller: 'provider',
    personal: true,
    whileDeactivated: true,
    body: z.strictObject({ email: Email, current_password: z.string().max(1_024).optional() }),
    response: z.strictObject({ message: z.string() }),
    errors: ['sign_in_again'],
  }),
  confirmEmail: endpoint(routes.account.confirmEmail, {
    summary: 'Confirm the new address with the emailed code. The old address can take it back for 72 hours',
    caller: 'provider',
    personal: true,
    whileDeactivated: true,
    body: z.strictObject({ code: line(40) }),
    response: z.strictObject({ email: z.string() }),
    errors: ['code_invalid', 'email_taken'],
  }),
  restoreEmail: endpoint(routes.account.restoreEmail, {
    summary:
      'Take back a changed address with the token emailed to the old one: sessions, password and linked identities end, and the setup token sets a new password',
    caller: 'public',
    body: z.strictObject({ token: line(200) }),
    response: z.strictObject({ message: z.string(), setup_token: z.string() }),
    errors: ['code_invalid', 'email_taken'],
  }),
  deleteMe: endpoint(routes.account.deleteMe, {
    summary:
      'Erase the signed-in person: address, ways to sign in, sessions and memberships. The trail stays, without names. The only owner of a provider must give it to another owner or delete it first. Needs presence; without a passkey the password, or without one a sign-in within the last 15 minutes',
    caller: 'provider',
    personal: true,
    whileDeactivated: true,
    body: z.strictObject({ current_password: z.string().max(1_024).optional() }),
    response: z.strictObject({ message: z.string(), person_id: PersonId }),
    errors: ['last_owner', 'sign_in_again'],
  }),
} satisfies Endpoints<typeof routes.account>
