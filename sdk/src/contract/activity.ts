import { z } from 'zod'
import { type Endpoints, endpoint } from './endpoint.ts'
import { EventId, requiredLine, Time, textOrNull } from './fields.ts'
import { routes } from './routes.ts'

/** Who acts without a person: a key, a browser or device that is signed in, or a job of a trusted publisher. */
export const activityActors = ['key', 'session', 'job'] as const

/** What undoing an act does. */
export const undoKinds = [
  'archive',
  'unarchive',
  'revert',
  'reopen',
  'enable',
  'disable',
  'authorize',
  'revoke',
  'delete',
] as const
/** What undoing an act does. */
export type UndoKind = (typeof undoKinds)[number]

/**
 * Why an act is not undone. `already_undone`: it was. `changed_since`: someone changed it again. `named_by_links`: links name the version,
 * so its fields stay. `gone`: what it changed was deleted. `by_hand`: a person has to do it, where it is listed.
 */
export const undoObstacles = ['already_undone', 'changed_since', 'named_by_links', 'gone', 'by_hand'] as const
/** Why an act is not undone. */
export type UndoObstacle = (typeof undoObstacles)[number]

/** The most acts that a list holds, and that one call undoes. */
export const maxActs = { listed: 500, undone: 100 } as const

/** What a key, a session or a job did without presence. */
export const PastAct = z.strictObject({
  event_id: EventId,
  at: Time,
  action: z.string(),
  subject_type: z.string(),
  subject_id: z.string(),
  /** Its current name, if it has one. */
  subject_name: textOrNull,
  before: z.unknown(),
  after: z.unknown(),
  /** What undoing it does; null if it cannot be undone here. */
  undo: z.enum(undoKinds).nullable(),
  obstacle: z.enum(undoObstacles).nullable(),
})
export type PastAct = z.infer<typeof PastAct>

/** A key, a session or a job, and what it did without presence. */
export const ActorActivity = z.strictObject({
  /** ID of the key or session, or of the trusted publisher and its job. */
  actor: z.string(),
  kind: z.enum(activityActors),
  /** The name of the key, or the address of the person. */
  name: textOrNull,
  /** Newest first. */
  acts: z.array(PastAct),
  /** Minted with this key in the period; null for sessions and jobs, whose links name no key. */
  links: z.number().int().nullable(),
})
export type ActorActivity = z.infer<typeof ActorActivity>

/** An act that was to be undone, and whether it was. */
export const UndoneAct = z.strictObject({ ...PastAct.shape, is_undone: z.boolean() })
export type UndoneAct = z.infer<typeof UndoneAct>

/** Endpoints on what was done without presence. */
export const activity = {
  list: endpoint(routes.activity.list, {
    summary:
      'What keys, sessions and jobs did without presence, by actor: the newest 500 acts, and how many links each key minted. Only owners and admins may see it',
    caller: 'provider',
    scope: 'account',
    query: z.strictObject({
      /** Only of this key, session or job. */
      actor: requiredLine(1, 400, 'Name a key, a session or a job').optional(),
      /** From this moment on. Default: seven days ago. */
      since: Time.optional(),
      /** Before this moment. */
      until: Time.optional(),
    }),
    response: z.strictObject({
      since: Time,
      until: Time,
      actors: z.array(ActorActivity),
      /** There are older acts in the period. */
      has_more: z.boolean(),
      /** There are older links in the period: at least this many were minted. */
      links_are_lower_bounds: z.boolean(),
    }),
  }),
  undo: endpoint(routes.activity.undo, {
    summary:
      'Undo what a key, a session or a job did without presence: versions are archived, edits reverted, archived versions restored, answers withdrawn. What cannot be undone is listed with the reason',
    caller: 'provider',
    body: z.strictObject({
      actor: requiredLine(1, 400, 'Name a key, a session or a job'),
      events: z.array(EventId).min(1).max(maxActs.undone),
    }),
    response: z.strictObject({ actor: z.string(), undone: z.number().int(), acts: z.array(UndoneAct) }),
    errors: ['not_found'],
  }),
} satisfies Endpoints<typeof routes.activity>
