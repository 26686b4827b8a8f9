import { isPrivate, type LogEntry } from '../entries/entries.ts'

/** The facts that a saved verdict rests on. */
export interface ReplayedFacts {
  /** The provider. */
  provider: string
  /** Its proven domain. */
  domain: string
  /** The version. */
  model: string
  /** The version's digest. */
  digest: string | null
  /** The type of the entry of the signature that the verdict shows; absent if it shows none. */
  bundle?: 'bundle.verified' | 'bundle.third_party' | undefined
  /** The ID of the server that proved its key; null if none did. */
  deployment: string | null
  /** The ID in the verified `platform.trusted` entry, if a platform vouched for the server; else null. The name of a fact is not signed. */
  workload: string | null
  /** The registry's key that signed the verdict. */
  kid: string
}

/** A fact that did not hold at the time of the verdict. */
export interface UnmetFact {
  /** Which fact: `domain`, `provider`, `version`, `archived`, `bundle`, `authorization`, `deployment`, `platform` or `key`. */
  fact: string
  /** The entry that ended it; null if the log has no entry that began it by then. */
  ended_by: { index: number; type: LogEntry['type']; at: string } | null
}

/** What the log says about a moment. */
export interface ReplayResult {
  /** Empty if every fact held. */
  unmet: UnmetFact[]
  /** The position of the entry that each fact rests on, if it held. */
  held: Readonly<Record<string, number>>
  /** The public key of the registry in base64url; null if it was not logged by then. */
  key: string | null
}

/** Whether a fact holds after an entry of this type, and which fields name it. Other types change nothing. */
const rules: { readonly [T in LogEntry['type']]?: readonly [fact: string, holds: boolean, about: readonly Name[]] } = {
  'domain.proven': ['domain', true, ['provider', 'domain']],
  'domain.stale': ['domain', false, ['provider', 'domain']],
  'domain.lost': ['domain', false, ['provider', 'domain']],
  'provider.deactivated': ['provider', false, ['provider']],
  'provider.reactivated': ['provider', true, ['provider']],
  'provider.deleted': ['provider', false, ['provider']],
  'version.registered': ['version', true, ['provider', 'model']],
  'version.edited': ['version', true, ['provider', 'model']],
  'version.deleted': ['version', false, ['provider', 'model']],
  'version.archived': ['archived', false, ['provider', 'model']],
  'version.unarchived': ['archived', true, ['provider', 'model']],
  'bundle.invalid': ['bundle', false, ['provider', 'model']],
  'bundle.verified': ['bundle', true, ['provider', 'model']],
  'bundle.third_party': ['bundle', true, ['provider', 'model']],
  'bundle.ended': ['bundle', true, ['provider', 'model']],
  'deployment.authorized': ['authorization', true, ['provider', 'model', 'deployment']],
  'deployment.revoked': ['authorization', false, ['provider', 'model', 'deployment']],
  'deployment.disabled': ['deployment', false, ['provider', 'deployment']],
  'deployment.enabled': ['deployment', true, ['provider', 'deployment']],
  'platform.trusted': ['platform', true, ['provider', 'deployment', 'workload']],
  'platform.ended': ['platform', false, ['provider', 'deployment', 'workload']],
  'registry_key.added': ['key', true, ['kid']],
  'registry_key.compromised': ['key', false, ['kid']],
}

/**
 * Whether an entry of this type ends a fact that links rest on, or says that it could not be confirmed.
 *
 * @returns True for `version.archived`, for example.
 * @example
 * ```ts
 * const hasEnded = entries.some(({ type }) => endsFact(type))
 * ```
 */
export const endsFact = (type: LogEntry['type']): boolean => rules[type]?.[1] === false

type Name = Exclude<keyof ReplayedFacts, 'digest' | 'bundle'>

/** Verdicts are signed with whole seconds. Within that second, the doubt is for the registry. */
const precisionMs = 999

/**
 * Replays a log up to a second, in milliseconds since 1970: give `read` every entry in order. Entries about later times are ignored, because
 * a fact is logged up to a minute after it changed. Verify that the entries are those of a signed tree.
 *
 * @returns `read` for each entry, and `conclude` for the result.
 * @example
 * ```ts
 * const replay = createReplay(facts, Date.now())
 * entries.forEach((entry, index) => replay.read(entry, index))
 * const result = replay.conclude()
 * ```
 */
export const createReplay = (facts: ReplayedFacts, moment: number) => {
  const last = new Map<string, { index: number; entry: LogEntry; holds: boolean }>()
  let key: string | null = null
  return {
    /** The next entry of the log. */
    read(entry: LogEntry, index: number): void {
      const rule = rules[entry.type]
      if (!rule || isPrivate(entry)) return
      const [fact, agrees, about] = rule
      const holds = agrees && !(fact === 'bundle' && facts.bundle && facts.bundle !== entry.type)
      if (Date.parse(entry.at) > moment + (holds ? precisionMs : 0)) return
      const fields = entry as unknown as Readonly<Record<string, unknown>>
      if (!about.every((name) => fields[name] === facts[name])) return
      const isOther = fact === 'version' && holds && fields.digest !== facts.digest
      if (isOther && !last.has(fact)) return
      last.set(fact, { index, entry, holds: holds && !isOther })
      if (entry.type === 'registry_key.added') key = entry.x
    },

    /** Whether every fact held at the moment. */
    conclude(): ReplayResult {
      const needed = [
        'domain',
        'version',
        'key',
        ...(facts.bundle ? ['bundle'] : []),
        ...(facts.deployment === null ? [] : ['authorization']),
        ...(facts.workload === null ? [] : ['platform']),
      ]
      const missing = needed.filter((fact) => !last.has(fact)).map((fact): UnmetFact => ({ fact, ended_by: null }))
      const ended = [...last].flatMap(([fact, { index, entry, holds }]): UnmetFact[] =>
        holds ? [] : [{ fact, ended_by: { index, type: entry.type, at: entry.at } }],
      )
      const held = [...last].flatMap(([fact, { index, holds }]) => (holds ? [[fact, index] as const] : []))
      return { unmet: [...missing, ...ended], held: Object.fromEntries(held), key }
    },
  }
}
