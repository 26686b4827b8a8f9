import {
  type Disclosure,
  entryTypes,
  isDisclosed,
  isPrivate,
  type LogEntry,
  shownNames,
} from '@countersign/sdk/log/entries'
import { type Nearness, nearDomain, nearName } from '@countersign/sdk/log/names'
import type { ReadEntry } from './read-entries.ts'

/** What a person watches. Everything, if all are empty. */
export interface Watched {
  domains: readonly string[]
  names: readonly string[]
  providers: readonly string[]
}

/** An entry to report. */
export interface Finding {
  index: number
  type: string
  at: string
  because: 'domain' | 'name' | 'provider' | 'log_key' | 'malformed' | 'everything'
  near: Nearness | null
  /** The domain or name that it is near. */
  watched: string | null
  /** Null if it is malformed. */
  entry: LogEntry | null
  /** Texts that the log shows for the entry's hidden fields. */
  texts: Record<string, string>
}

/** Texts of hidden fields that the entry really hides. */
export const textsOf = (entry: LogEntry, disclosures: readonly Disclosure[]): Record<string, string> =>
  Object.fromEntries(
    disclosures
      .filter(({ field, salt, value }) => isDisclosed(entry, { field, salt: Buffer.from(salt, 'base64url'), value }))
      .map(({ field, value }) => [field, value]),
  )

/** The names of later types look like this. */
const typePattern = /^[a-z_]+\.[a-z_]+$/

/**
 * An entry that this version should be able to read, and cannot: of a type that it knows, or of none. An honest log has no such entry, and
 * another program could take it for a fact. Undefined for entries of later versions, and of other people’s logs.
 */
const malformedIn = ({ index, leaf }: ReadEntry): Finding | undefined => {
  const { v, type, at } = objectIn(leaf)
  if (v !== 1) return undefined
  const name = typeof type === 'string' ? type : ''
  const isLater = typePattern.test(name) && !(entryTypes as readonly string[]).includes(name)
  return isLater
    ? undefined
    : {
        index,
        type: name,
        at: typeof at === 'string' ? at : '',
        because: 'malformed',
        near: null,
        watched: null,
        entry: null,
        texts: {},
      }
}

const objectIn = (leaf: Uint8Array): Readonly<Record<string, unknown>> => {
  try {
    return Object(JSON.parse(new TextDecoder().decode(leaf)))
  } catch {
    return {}
  }
}

/** Why an entry is reported; undefined if it touches nothing that is watched. */
export const findingOf = (
  read: ReadEntry,
  texts: Readonly<Record<string, string>>,
  { domains, names, providers }: Watched,
): Finding | undefined => {
  const { index, entry } = read
  if (entry === null) return malformedIn(read)
  const found = (because: Finding['because'], near: Nearness | null = null, watched: string | null = null) => ({
    index,
    type: entry.type,
    at: entry.at,
    because,
    near,
    watched,
    entry,
    texts,
  })
  // Policies need the new key before the old one stops.
  if (entry.type === 'log_key.successor') return found('log_key')
  const domain = !isPrivate(entry) && 'domain' in entry ? entry.domain : undefined
  for (const own of domain === undefined ? [] : domains) {
    const near = nearDomain(domain ?? '', own)
    if (near) return found('domain', near, own)
  }
  const said = shownNames(texts).map(({ text }) => text)
  for (const own of names) {
    const label = domain?.split('.').slice(0, -1) ?? []
    for (const text of [...said, ...label]) {
      const near = nearName(text, own)
      if (near) return found('name', near, own)
    }
  }
  const provider = !isPrivate(entry) && 'provider' in entry ? entry.provider : undefined
  if (provider !== undefined && providers.includes(provider)) return found('provider', null, provider)
  return domains.length + names.length + providers.length === 0 ? found('everything') : undefined
}
