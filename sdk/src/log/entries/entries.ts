import { LogError, utf8 } from '../bytes.ts'
import { canonicalJson, type JsonValue, parseCanonicalJson } from './canonical-json.ts'
import { hideText, saltLength } from './commitment.ts'
import { maxEntryBytes } from './limit.ts'

/**
 * What each type of entry states besides `v`, `type` and `at`. `text` is in clear. `hidden` is text that strangers choose: the entry
 * has its salted hash, so that it can be erased.
 */
const fields = {
  'log.opened': { origin: 'text', imported: 'count' },
  'log_key.successor': { vkey: 'text' },
  'registry_key.added': { kid: 'text', x: 'text' },
  'registry_key.retired': { kid: 'text' },
  'registry_key.compromised': { kid: 'text' },
  'domain.proven': { provider: 'text', domain: 'text', method: 'text', company_name: 'hidden' },
  'domain.stale': { provider: 'text', domain: 'text' },
  'domain.lost': { provider: 'text', domain: 'text' },
  'domain.primary': { provider: 'text', domain: 'text' },
  'provider.named': { provider: 'text', company_name: 'hidden' },
  'provider.deactivated': { provider: 'text' },
  'provider.reactivated': { provider: 'text' },
  'provider.deleted': { provider: 'text' },
  'version.registered': {
    provider: 'text',
    model: 'text',
    digest: 'text or null',
    identifier: 'hidden',
    version: 'hidden',
    display_name: 'hidden',
  },
  'version.edited': {
    provider: 'text',
    model: 'text',
    digest: 'text or null',
    identifier: 'hidden',
    version: 'hidden',
    display_name: 'hidden',
  },
  'version.superseded': { provider: 'text', model: 'text' },
  'version.archived': { provider: 'text', model: 'text' },
  'version.unarchived': { provider: 'text', model: 'text' },
  'version.deleted': { provider: 'text', model: 'text' },
  'signer.declared': { provider: 'text', signer: 'text', spki: 'text or null', identity: 'hidden' },
  'signer.withdrawn': { provider: 'text', signer: 'text' },
  'bundle.verified': { provider: 'text', model: 'text', digest: 'text', spki: 'text or null', identity: 'hidden' },
  'bundle.third_party': { provider: 'text', model: 'text', digest: 'text', spki: 'text or null', identity: 'hidden' },
  'bundle.invalid': { provider: 'text', model: 'text', digest: 'text' },
  'bundle.ended': { provider: 'text', model: 'text' },
  'deployment.authorized': { provider: 'text', deployment: 'text', model: 'text', spki: 'text or null' },
  'deployment.revoked': { provider: 'text', deployment: 'text', model: 'text' },
  'deployment.disabled': { provider: 'text', deployment: 'text' },
  'deployment.enabled': { provider: 'text', deployment: 'text' },
  'platform.trusted': {
    provider: 'text',
    deployment: 'text',
    workload: 'text',
    issuer: 'text',
    subject: 'hidden',
    claims: 'hidden',
  },
  'platform.ended': { provider: 'text', deployment: 'text', workload: 'text' },
} as const satisfies Record<string, Record<string, FieldKind>>

type FieldKind = 'text' | 'text or null' | 'count' | 'hidden'
type Values = { text: string; 'text or null': string | null; count: number; hidden: string }

/** The types of entries. */
export type EntryType = keyof typeof fields
/** The types of entries, as a list. */
export const entryTypes = Object.keys(fields) as EntryType[]

type Facts<T extends EntryType> = {
  -readonly [F in keyof (typeof fields)[T]]: (typeof fields)[T][F] extends FieldKind
    ? Values[(typeof fields)[T][F]]
    : never
}

/** A public entry. `at` is a time in ISO 8601 with milliseconds; hidden fields have the hash that `hideText` makes. */
export type OpenEntry = { [T in EntryType]: { v: 1; type: T; at: string } & Facts<T> }[EntryType]

/** An entry about a private version or deployment: the HMAC of the entry that would be public. */
export interface PrivateEntry {
  /** The version of the format. */
  v: 1
  /** Its type. */
  type: EntryType
  /** The time of the fact. */
  at: string
  /** The HMAC, made by `hideEntry`. */
  private: string
}

/** What a log's leaf contains. */
export type LogEntry = OpenEntry | PrivateEntry

/** What a hidden field or a private entry stands for, served beside the log. */
export interface Disclosure {
  /** The field, or `private` for a private entry. */
  field: string
  /** 32 random bytes in base64url. */
  salt: string
  /** The text; for a private entry, the canonical JSON of the public one. */
  value: string
}

/** Whether the entry hides everything but its type and time. */
export const isPrivate = (entry: LogEntry): entry is PrivateEntry => 'private' in entry

/** The hidden fields of a type of entry. */
export const hiddenFields = (type: EntryType): string[] =>
  Object.entries(fields[type]).flatMap(([name, kind]) => (kind === 'hidden' ? [name] : []))

const hashPattern = /^[\w-]{43}$/

/** The entry to log in place of one about a private version or deployment. */
export const hideEntry = (entry: OpenEntry, salt: Uint8Array): PrivateEntry => ({
  v: 1,
  type: entry.type,
  at: entry.at,
  private: hideText('private', textOf(entry), salt),
})

/** Whether an entry hides exactly this text in this field, or, with the field `private`, this entry. */
export const isDisclosed = (
  entry: LogEntry,
  { field, salt, value }: { field: string; salt: Uint8Array; value: string },
) =>
  salt.length === saltLength &&
  Object.hasOwn(entry, field) &&
  (field === 'private' || hiddenFields(entry.type).includes(field)) &&
  (entry as Record<string, unknown>)[field] === hideText(field, value, salt)

const textOf = (entry: LogEntry): string => canonicalJson(entry as unknown as JsonValue)

/** The leaf of an entry: its canonical JSON. Throws a {@link LogError} if it is not allowed in the log. */
export const formatEntry = (entry: LogEntry): Uint8Array<ArrayBuffer> => {
  const bytes = utf8(textOf(entry))
  parseEntry(bytes)
  return bytes
}

/** Reads a leaf. Throws a {@link LogError} unless it is an entry of a known type with exactly its fields, as canonical JSON. */
export const parseEntry = (leaf: Uint8Array): LogEntry => {
  if (leaf.length > maxEntryBytes) throw new LogError(`An entry has more than ${maxEntryBytes} bytes`)
  const entry = parseCanonicalJson(textOfLeaf(leaf))
  if (!isRecord(entry)) throw new LogError('An entry is not an object')
  const { v, type, at, ...facts } = entry
  if (v !== 1) throw new LogError('An entry has an unknown version')
  if (!isEntryType(type)) throw new LogError(`An entry has the unknown type ${JSON.stringify(type)}`)
  if (!isTime(at)) throw new LogError(`${type}: at is not a time`)
  const kinds: Readonly<Record<string, FieldKind>> = Object.hasOwn(facts, 'private')
    ? { private: 'hidden' }
    : fields[type]
  for (const name of Object.keys(facts))
    if (!Object.hasOwn(kinds, name)) throw new LogError(`${type}: unknown field ${name}`)
  for (const [name, kind] of Object.entries(kinds))
    if (!isOfKind[kind](facts[name])) throw new LogError(`${type}: ${name} is missing or invalid`)
  return entry as unknown as LogEntry
}

const textOfLeaf = (leaf: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(leaf)
  } catch {
    throw new LogError('An entry is not UTF-8')
  }
}

const isRecord = (value: JsonValue): value is { readonly [name: string]: JsonValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isEntryType = (type: JsonValue | undefined): type is EntryType =>
  typeof type === 'string' && Object.hasOwn(fields, type)

const isTime = (at: JsonValue | undefined): at is string => {
  const time = typeof at === 'string' ? Date.parse(at) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString() === at
}

const isOfKind: Record<FieldKind, (value: JsonValue | undefined) => boolean> = {
  text: (value) => typeof value === 'string' && value !== '',
  'text or null': (value) => value === null || (typeof value === 'string' && value !== ''),
  count: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  hidden: (value) => typeof value === 'string' && hashPattern.test(value),
}
