import type { TrailEvent } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import { activityTab } from '#messages/dashboard/activity.ts'

const words = activityTab
type ActionWords = { name: string; tell: (thing: string) => string }

export const actionWords: ReadonlyMap<string, ActionWords> = new Map(
  Object.values(words.actions).flatMap((ofKind) => Object.entries<ActionWords>(ofKind)),
)

const whoOf = ({ actor, actor_name }: Pick<TrailEvent, 'actor' | 'actor_name'>): string => {
  if (actor === 'visitor') return words.who.visitor
  if (actor.startsWith('ses_')) return actor_name ?? words.who.session(actor)
  const [, run] = /^pub_\w+ (.+)$/.exec(actor) ?? []
  if (run !== undefined) return words.who.publisher(run)
  return actor_name === null ? words.who.unnamedKey(actor) : words.who.key(quote(actor_name))
}

/** An authorization's ID has two parts: model and deployment. */
const nameOf = (subject_id: string): string => {
  const [model = '', deployment] = subject_id.split(' ')
  return deployment === undefined ? model : words.authorization(deployment, model)
}

/** A log entry as a sentence. An action unknown to this console is shown by its code. */
export const describeEvent = (
  event: Pick<TrailEvent, 'action' | 'subject_id' | 'subject_name' | 'actor' | 'actor_name'>,
): string => {
  const { action, subject_id, subject_name, actor } = event
  const thing = subject_name === null ? nameOf(subject_id) : quote(subject_name)
  const what = actionWords.get(action)?.tell(thing) ?? `${action} ${thing}`
  // The registry's own findings have no actor. If the person of a session is unknown, the session is the actor.
  const hasActor = actor !== 'registry' && (actor !== subject_id || event.actor_name !== null)
  return hasActor ? words.by(what, whoOf(event)) : what
}

export interface Change {
  field: string
  before: string
  after: string
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const show = (value: unknown): string => {
  if (value === undefined || value === null || value === '') return words.nothing
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The changed fields with their values before and after. */
export const changesOf = ({ before, after }: Pick<TrailEvent, 'before' | 'after'>): Change[] => {
  const [was, is] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}]
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].map((field) => ({
    field,
    before: show(was[field]),
    after: show(is[field]),
  }))
}
