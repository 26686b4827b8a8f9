import { Refusal } from './errors.ts'

/** FNV-1a of 32 bits, with a start of its own. It notices changes; a collision would only hurt the record's own provider. */
const hashOf = (text: string, start: number) => {
  let hash = start
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}

/** A tag that changes when one of these fields does. */
export const tagOf = (record: object, fields: readonly string[]): string => {
  const text = JSON.stringify(fields.map((name) => (record as Record<string, unknown>)[name] ?? null))
  return `"${hashOf(text, 0x811c9dc5)}${hashOf(text, 0x1b873593)}"`
}

/** The `ETag` of an incident: changes when it is answered. */
export const tagOfIncident = (incident: object) => tagOf(incident, ['status', 'provider_response'])

/** What can be edited with `If-Match`. */
export type Editable = 'provider' | 'model' | 'incident'

/** Rejects a change of a record that is no longer the one the caller has read. Call it while the row is locked. */
export const checkUnchanged = (ifMatch: string | undefined, tagOfNow: () => string) => {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  const tags = ifMatch.split(',').map((tag) => tag.trim())
  if (!tags.includes(tagOfNow()))
    throw new Refusal('changed_elsewhere', 'This was changed elsewhere in the meantime. Nothing was saved.')
}
