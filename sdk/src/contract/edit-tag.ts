import { modelFieldRows } from './model-fields.ts'
import { providerFieldRows } from './provider-fields.ts'

const fieldsOf = {
  provider: [...providerFieldRows.map(([name]) => name), 'is_listed'],
  model: modelFieldRows.map(([name]) => name),
  incident: ['status', 'provider_response'],
} as const

/** What can be edited with `If-Match`. */
export type Editable = keyof typeof fieldsOf

/** FNV-1a of 32 bits, with a start of its own. It notices changes; a collision would only hurt the record's own provider. */
const hashOf = (text: string, start: number) => {
  let hash = start
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}

/**
 * The `ETag` of a record: changes when one of its editable fields does, and not with its numbers. The registry sends it with the
 * record, and rejects an edit whose `If-Match` is another one.
 */
export const editTagOf = (kind: Editable, record: object): string => {
  const values = fieldsOf[kind].map((name) => (record as Record<string, unknown>)[name] ?? null)
  const text = JSON.stringify(values)
  return `"${hashOf(text, 0x811c9dc5)}${hashOf(text, 0x1b873593)}"`
}
