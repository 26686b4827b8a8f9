import { isText } from '../../verify/values.ts'
import { ensure, utf8 } from '../bytes.ts'
import { maxEntryBytes } from './limit.ts'

/**
 * The entries that a verified link rests on, with their fields besides `v` and `at`. Browsers get only these, not those that an auditor
 * needs: 750 bytes less.
 */
const shapes = [
  'domain.proven company_name domain method provider',
  'version.registered digest display_name identifier model provider version',
  'version.edited digest display_name identifier model provider version',
  'bundle.verified digest identity model provider spki',
  'bundle.third_party digest identity model provider spki',
  'deployment.authorized deployment model provider spki',
  'platform.trusted claims deployment issuer provider subject workload',
  'registry_key.added kid x',
  'log_key.successor vkey',
]

/** Whether a field with this name is the salted hash of a text. A name means the same in each entry. */
export const isHashed = (name: string): boolean => /name|identi|version|claims|subject/.test(name)

/** Text or null, a salted hash, or text. */
const isAllowed = ([name, value]: [string, unknown]) =>
  value === null
    ? /digest|spki/.test(name)
    : isText(value) && value.isWellFormed() && (isHashed(name) ? /^[\w-]{43}$/ : /./s).test(value)

/** A public entry that a link rests on, or that announces a key of the log. */
export type FactEntry = Readonly<Record<string, unknown> & { type: string }>

/** Reads an entry as `parseEntry` reads its leaf, but only public entries that a link rests on. Throws a {@link LogError}. */
export const readFact = (text: string): FactEntry => {
  let entry: FactEntry = { type: '' }
  try {
    entry = Object(JSON.parse(text))
  } catch {}
  const { v, at, type, ...facts } = entry
  const names = Object.keys(entry).sort()
  ensure(
    utf8(text).length <= maxEntryBytes &&
      // Rejects other spellings of the same value, and names that are there twice.
      JSON.stringify(entry, names) === text &&
      v === 1 &&
      isText(type) &&
      new Date(at as string).toJSON() === at &&
      // No type or name with a space: it could stand for two words of a shape. No value that these entries have in clear has spaces.
      !/ \w+"/.test(text) &&
      shapes.includes([type, ...Object.keys(facts)].join(' ')) &&
      Object.entries(facts).every(isAllowed),
    'Invalid entry',
  )
  return entry
}
