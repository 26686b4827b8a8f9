import { domainProof, primaryProof } from '../db/proofs.ts'
import type { Db } from '../db/schema.ts'

/** The entries about a company that a feed has: those from `first` to `last`. */
export interface Span {
  owner: string
  first: number
  last: number
}

const untilNow = Number.MAX_SAFE_INTEGER
/** More than a page has entries: each of these is an entry of the feed itself. */
const mostTurns = 100

/**
 * The entries of each company that ever proved a domain, from each proof until it ended or could no longer be confirmed. What a company
 * did while it had lost the domain is not part of the domain's feed, even if it proved the domain again.
 */
export const listSpans = async (db: Db, domain: string, before: number | null): Promise<Span[]> => {
  const turns = db
    .selectFrom('log_entries')
    .select(['owner', 'type', 'position'])
    .where('domain', '=', domain)
    .limit(mostTurns)
  const end = before ?? untilNow
  const older = await turns.where('position', '<', end).orderBy('position', 'desc').execute()
  // A proof that could not be confirmed may have been confirmed after this page.
  const newer = before === null ? [] : await turns.where('position', '>=', end).orderBy('position').execute()
  return spansOf([...older.toReversed(), ...newer].map((turn) => ({ ...turn, position: Number(turn.position) })))
}

interface Turn {
  owner: string
  type: string
  position: number
}

/**
 * A proof may be logged again while it holds, such as after a change of the method. A proof that could not be confirmed ended then, unless
 * it was confirmed later. Only one company has proven a domain at a time: if the beginning of a proof is not here, either these entries
 * begin after it, or it was lost and is restored, and what its company stated in between was not stated with the domain.
 */
export const spansOf = (turns: readonly Turn[]): Span[] => {
  const spans: Span[] = []
  const current = new Map<string, Span>()
  const begin = (span: Span) => {
    spans.push(span)
    current.set(span.owner, span)
  }
  for (const { owner, type, position } of turns) {
    const span = current.get(owner)
    if (type === 'domain.proven') {
      if (span) span.last = untilNow
      else begin({ owner, first: position, last: untilNow })
      continue
    }
    if (!span) begin({ owner, first: position, last: position })
    else if (span.last === untilNow) span.last = position
    // The entry that ended it, without those since the last confirmation.
    else spans.push({ owner, first: position, last: position })
    if (type === 'domain.lost') current.delete(owner)
  }
  return spans
}

interface FeedPage {
  /** Only entries before this one. */
  before: number | null
  limit: number
}

/** Public entries, newest first. */
export const listPublicEntries = async (db: Db, spans: readonly Span[], { before, limit }: FeedPage) => {
  if (spans.length === 0) return []
  const rows = await db
    .selectFrom('log_entries')
    .select(['owner', 'position', 'type', 'at', 'leaf', 'revealed'])
    .where('is_public', '=', 1)
    .where((where) =>
      where.or(
        spans.map(({ owner, first, last }) =>
          where.and([where('owner', '=', owner), where('position', '>=', first), where('position', '<=', last)]),
        ),
      ),
    )
    .$if(before !== null, (query) => query.where('position', '<', before ?? 0))
    .orderBy('position', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ position, ...row }) => ({ ...row, position: Number(position) }))
}

export type PublicEntry = Awaited<ReturnType<typeof listPublicEntries>>[number]

/** What decides which names of a company are shown. */
export interface FeedOwner {
  /** Its primary domain, if that is proven now. */
  provenDomain: string | null
  /** Its domains that are proven or stale: names of versions may contain these. */
  keptDomains: string[]
  /** After a restore, until its owner confirms it. */
  isSuspended: boolean
}

/** Companies that were erased are absent. */
export const listOwners = async (db: Db, ids: readonly string[], at: number): Promise<Map<string, FeedOwner>> => {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('providers as p')
    .select(['p.id', 'p.domain', 'p.suspended_at', primaryProof('p', at).proven_at.as('proven_at')])
    .where('p.id', 'in', ids)
    .where('p.deleted_at', 'is', null)
    .execute()
  const kept = await db
    .selectFrom('provider_domains as d')
    .select(['d.provider_id', 'd.domain'])
    .where('d.provider_id', 'in', ids)
    .where(domainProof('d', at).isKept)
    .execute()
  const domainsOf = Map.groupBy(kept, ({ provider_id }) => provider_id)
  return new Map(
    rows.map(({ id, domain, suspended_at, proven_at }) => [
      id,
      {
        provenDomain: proven_at === null ? null : domain,
        keptDomains: (domainsOf.get(id) ?? []).map((each) => each.domain),
        isSuspended: suspended_at !== null,
      },
    ]),
  )
}
