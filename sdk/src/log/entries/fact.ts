import { ensure } from '../bytes.ts'
import { maxEntryBytes } from './limit.ts'

/**
 * The entries that a verified link rests on, with their fields in canonical order: `s` is text, `?` text or null, `#` a salted hash.
 * Browsers get only these, not those that an auditor needs: 750 bytes less.
 */
const shapes = [
  'domain.proven at:s company_name:# domain:s method:s provider:s type:s v:1',
  'version.registered at:s digest:? display_name:# identifier:# model:s provider:s type:s v:1 version:#',
  'version.edited at:s digest:? display_name:# identifier:# model:s provider:s type:s v:1 version:#',
  'deployment.authorized at:s deployment:s model:s provider:s spki:? type:s v:1',
  'platform.trusted at:s claims:# deployment:s issuer:s provider:s subject:# type:s v:1 workload:s',
  'registry_key.added at:s kid:s type:s v:1 x:s',
  'log_key.successor at:s type:s v:1 vkey:s',
]

/** The JSON of the values. */
const kinds: Readonly<Record<string, RegExp>> = { s: /^"..+$/, '?': /^"..+$|^null$/, '#': /^"[\w-]{43}"$/, 1: /^1$/ }

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** A public entry that a link rests on, or that announces a key of the log. */
export type FactEntry = Readonly<Record<string, unknown> & { type: string }>

/** Reads a leaf as `parseEntry` does, but only public entries that a link rests on. Throws a {@link LogError}. */
export const readFact = (leaf: Uint8Array): FactEntry => {
  let text: string | undefined
  let entry: Record<string, unknown> & { type: string } = { type: '' }
  try {
    text = decoder.decode(leaf)
    entry = Object(JSON.parse(text))
  } catch {}
  const names = [entry.type, ...Object.keys(entry)].join(' ')
  const [, ...fields] = shapes.find((shape) => shape.replace(/:./g, '') === names)?.split(' ') ?? []
  const isAllowed = (field: string) => {
    const [name = '', kind = ''] = field.split(':')
    return String(entry[name]).isWellFormed() && kinds[kind]?.test(JSON.stringify(entry[name]))
  }
  ensure(
    leaf.length <= maxEntryBytes &&
      // Rejects other spellings of the same value, and names that are there twice.
      JSON.stringify(entry) === text &&
      new Date(String(entry.at)).toJSON() === entry.at &&
      fields[0] &&
      fields.every(isAllowed),
    'Not an entry that a link rests on',
  )
  return entry
}
