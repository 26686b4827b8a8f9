import type { StagedChange } from '../contract/staged.ts'
import { quote } from './quotation.ts'

type Asking = Pick<StagedChange, 'actor' | 'actor_name' | 'decided_by'>

/** Who asked for a change. Names are chosen by whoever made the key or signed the device in, so they never stand alone. */
export const askedBy = ({ actor, actor_name, decided_by }: Asking): string => {
  if (actor.startsWith('pub_')) return `CI job ${actor}`
  if (!actor.startsWith('ses_')) return named('API key', actor, actor_name)
  // A person who signed in on the web asks and decides at once.
  return actor_name === null && decided_by !== null ? decided_by : named('device', actor, actor_name)
}

const named = (what: string, id: string, name: string | null) =>
  name === null ? `${what} ${id}` : `${what} ${quote(name)} (${id})`
