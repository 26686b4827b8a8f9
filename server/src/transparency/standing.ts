import type { LinkLog, LogState } from '@countersign/sdk/contract'
import type { Database } from '../db/engine.ts'
import type { Basis, NamedFact } from '../verifications/service.ts'
import { registryOwner } from './facts-store.ts'
import { isBeingLogged, isContradicted, mayBeAbsent } from './rules.ts'
import { prepareFindStandings } from './store.ts'

interface Deps {
  database: Database
  /** The newest checkpoint; undefined before the first. */
  checkpoint: () => Promise<{ size: number; isWitnessed: boolean } | undefined>
  hasWitnesses: boolean
  now: () => number
}

/** Links of one model and server rest on the same facts, whose entries stay (docs/decisions/a-check-names-its-log-entries.md). */
const keptMs = 30_000
const keptEntries = 5_000
const headMs = 1_000

const worst: readonly LogState[] = ['not_logged', 'logged_privately', 'being_logged', 'logged']

/** The weakest fact decides. */
export const weakestOf = (states: readonly LogState[]): LogState =>
  worst.find((state) => states.includes(state)) ?? 'not_logged'

interface Standing {
  fact: string
  state: LogState
  index: number | null
}

/**
 * Names each subject once, and the first fact, which names the domain. Bases that differ in anything else replace each other, but
 * `isSameBasis` tells them apart.
 */
const cacheKeyOf = ({ provider_id, key, facts }: Basis): string => {
  let last = provider_id
  let text = `${provider_id} ${key.subject} ${facts[0]?.fact}`
  for (const { subject } of facts) {
    if (subject !== last) text += ` ${subject}`
    last = subject
  }
  return text
}

/** Lists of types are compared by identity: they are constants of `verifications/record.ts`. */
const isSameFact = (one: NamedFact, other: NamedFact | undefined): boolean =>
  one.subject === other?.subject && one.fact === other.fact && one.types === other.types && one.since === other.since

const isSameBasis = (one: Basis, other: Basis): boolean =>
  one.provider_id === other.provider_id &&
  isSameFact(one.key, other.key) &&
  one.facts.length === other.facts.length &&
  one.facts.every((fact, index) => isSameFact(fact, other.facts[index]))

/** For the cache: if it kept the callers' objects, V8 would allocate all later ones in the old generation (docs/benchmarks.md). */
const copyOf = ({ provider_id, key, facts }: Basis): Basis => ({
  provider_id,
  key: { ...key },
  facts: facts.map((fact) => ({ ...fact })),
})

const unknown: LinkLog = { state: 'could_not_check', size: null, is_witnessed: false, facts: [] }

/** How far the facts behind a link are in the log: one query, and none for facts that were all logged a moment ago. */
export const createStanding = ({ database, checkpoint, hasWitnesses, now }: Deps) => {
  const findStandings = prepareFindStandings(database)
  let kept = new Map<string, { basis: Basis; log: LinkLog; until: number }>()
  let head: { read: Promise<Awaited<ReturnType<typeof checkpoint>>>; until: number } | undefined

  const readHead = () => {
    if (head === undefined || head.until <= now()) {
      head = { read: checkpoint(), until: now() + headMs }
      head.read.catch(() => {
        head = undefined
      })
    }
    return head.read
  }

  const read = async ({ provider_id, key, facts }: Basis): Promise<LinkLog> => {
    const tree = await readHead()
    const named: (NamedFact & { owner: string })[] = [
      ...facts.map((each) => ({ ...each, owner: provider_id })),
      { ...key, owner: registryOwner },
    ]
    const rows = await findStandings(named)
    const standings = named.flatMap(({ owner, subject, fact, types }): Standing[] => {
      const row = rows.find((each) => each.provider_id === owner && each.subject === subject && each.fact === fact)
      const index = row?.position != null && row.is_public === 1 ? Number(row.position) : null
      if (row !== undefined && isContradicted(types, row.type)) return [{ fact, state: 'not_logged', index }]
      if (mayBeAbsent(types)) return []
      if (row?.position != null) return [{ fact, state: index === null ? 'logged_privately' : 'logged', index }]
      const isYoung = row?.at != null && isBeingLogged(row.at, now())
      return [{ fact, state: isYoung ? 'being_logged' : 'not_logged', index: null }]
    })
    const state = weakestOf(standings.map((each) => each.state))
    const last = Math.max(...standings.map(({ index }) => index ?? -1))
    return {
      state,
      size: tree?.size ?? null,
      is_witnessed: state === 'logged' && hasWitnesses && tree?.isWitnessed === true && last < tree.size,
      facts: standings.map(({ fact, index }) => ({ fact, index })),
    }
  }

  return async (basis: Basis): Promise<LinkLog> => {
    const name = cacheKeyOf(basis)
    const known = kept.get(name)
    if (known !== undefined && known.until > now() && isSameBasis(known.basis, basis)) return known.log
    try {
      const log = await read(basis)
      const isSettled = log.state === 'logged' && (hasWitnesses ? log.is_witnessed : log.size !== null)
      if (kept.size >= keptEntries) kept = new Map()
      if (isSettled) kept.set(name, { basis: copyOf(basis), log, until: now() + keptMs })
      return log
    } catch {
      return unknown
    }
  }
}
