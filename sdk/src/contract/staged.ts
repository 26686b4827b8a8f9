import { z } from 'zod'
import { type Endpoints, endpoint } from './endpoint.ts'
import { ChangeId, line, Time, textOrNull } from './fields.ts'
import { routes } from './routes.ts'

/** What became of a change: those of keys and jobs are `open` first, those that take effect later are `delayed`. */
export const stagedStates = ['open', 'approved', 'rejected', 'expired', 'delayed', 'done', 'cancelled'] as const

/** A call of a key or a job that waits for a person’s approval, or a change that takes effect later. */
export const StagedChange = z.strictObject({
  id: ChangeId,
  /** The endpoint that was called, such as `keys.create`. */
  endpoint: z.string(),
  /** What the endpoint does, in one line. */
  summary: z.string(),
  /** The values of the path’s parameters. */
  params: z.record(z.string(), z.string()),
  /** The body of the call; null once it was decided or has expired. */
  body: z.record(z.string(), z.unknown()).nullable(),
  /** What the IDs in both stand for. */
  names: z.record(z.string(), z.string()),
  /** The key or session that called, or the trusted publisher and its job. */
  actor: z.string(),
  /** The name of that key. */
  actor_name: textOrNull,
  state: z.enum(stagedStates),
  created_at: Time,
  /** Until then it can be approved. */
  expires_at: Time,
  decided_at: Time.nullable(),
  /** For a delayed change: until then any owner can cancel it. */
  takes_effect_at: Time.nullable(),
  /** Address of the person who decided; null for the key that took it back. */
  decided_by: textOrNull,
})
export type StagedChange = z.infer<typeof StagedChange>

/** The response to a call that was staged, with the status 202: nothing has changed yet. */
export const Staged = z.strictObject({
  code: z.literal('change_staged'),
  detail: z.string(),
  change: StagedChange,
})
export type Staged = z.infer<typeof Staged>

const params = z.strictObject({ id: ChangeId })

/** Endpoints of staged changes. */
export const staged = {
  list: endpoint(routes.changes.list, {
    summary: 'Changes that wait for approval or take effect later, then the last decisions',
    caller: 'provider',
    whileDeactivated: true,
    response: z.strictObject({ changes: z.array(StagedChange) }),
  }),
  get: endpoint(routes.changes.get, {
    summary: 'A staged change',
    caller: 'provider',
    whileDeactivated: true,
    params,
    response: StagedChange,
  }),
  approve: endpoint(routes.changes.approve, {
    summary: 'Approve a staged change whole: it is checked again and done now. Requires a session with presence',
    caller: 'provider',
    scope: 'any',
    whileDeactivated: true,
    params,
    body: z.strictObject({}),
    /** `result` is what the staged call answers; a new key’s secret is only shown here. */
    response: z.strictObject({ change: StagedChange, result: z.unknown() }),
    errors: ['forbidden', 'already_decided'],
  }),
  reject: endpoint(routes.changes.reject, {
    summary: 'Reject a staged change, in a session; the key that asked for it may take it back',
    caller: 'provider',
    scope: 'any',
    whileDeactivated: true,
    params,
    body: z.strictObject({}),
    response: StagedChange,
    errors: ['forbidden', 'already_decided'],
  }),
  cancel: endpoint(routes.changes.cancel, {
    summary: 'Cancel a change before it takes effect. Any owner may do this',
    caller: 'provider',
    scope: 'any',
    ownersOnly: true,
    whileDeactivated: true,
    params,
    body: z.strictObject({}),
    response: StagedChange,
    errors: ['already_decided'],
  }),
  undo: endpoint(routes.changes.undo, {
    summary: 'Cancel a change that takes effect later, with the token emailed to an owner',
    caller: 'public',
    body: z.strictObject({ token: line(200) }),
    response: z.strictObject({ message: z.string() }),
    errors: ['code_invalid'],
  }),
} satisfies Endpoints<typeof routes.changes>
