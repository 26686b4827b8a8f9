import type { StagedChange } from '../contract/staged.ts'
import { quote } from './quotation.ts'

type Asking = Pick<StagedChange, 'actor' | 'actor_name' | 'decided_by'>

/** The key, device, CI job or person that asked for a change. Thieves can choose the names of keys and devices, so no name stands alone. */
export const askedBy = ({ actor, actor_name, decided_by }: Asking): string => {
  if (actor.startsWith('pub_')) return `CI job ${actor}`
  if (!actor.startsWith('ses_')) return named('API key', actor, actor_name)
  // A person who signed in on the web asks and decides at once.
  return actor_name === null && decided_by !== null ? decided_by : named('device', actor, actor_name)
}

const named = (what: string, id: string, name: string | null) =>
  name === null ? `${what} ${id}` : `${what} ${quote(name)} (${id})`
