import type { Db } from '../db/schema.ts'

/** The entries about a company that a feed has: those from `first` to `last`. */
export interface Span {
  owner: string
  first: number
  last: number
}

const mostHolders = 50

/**
 * For each company that ever proved a domain: its entries from its first proof of the domain until it last lost it, or until now.
 */
export const listSpans = async (db: Db, domain: string): Promise<Span[]> => {
  const holders = await db
    .selectFrom('log_facts')
    .select(['provider_id', 'type'])
    .where('fact', '=', `domain ${domain}`)
    .orderBy('provider_id')
    .limit(mostHolders)
    .execute()
  if (holders.length === 0) return []
  const turns = await db
    .selectFrom('log_entries')
    .select(({ fn }) => ['owner', 'type', fn.min('position').as('first'), fn.max('position').as('last')])
    .where(
      'owner',
      'in',
      holders.map(({ provider_id }) => provider_id),
    )
    .where('type', 'in', ['domain.proven', 'domain.lost'])
    .where('leaf', 'like', `%"domain":"${domain}"%`)
    .groupBy(['owner', 'type'])
    .execute()
  return holders.flatMap(({ provider_id, type }) => {
    const turn = (of: string) => turns.find((row) => row.owner === provider_id && row.type === of)
    const [proven, lost] = [turn('domain.proven'), turn('domain.lost')]
    if (!proven) return []
    const isOver = type === '' && lost !== undefined && Number(lost.last) > Number(proven.last)
    return [
      { owner: provider_id, first: Number(proven.first), last: isOver ? Number(lost.last) : Number.MAX_SAFE_INTEGER },
    ]
  })
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
    .select(['position', 'type', 'at', 'leaf', 'revealed'])
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
