import { maxActs, type TrailAction } from '@countersign/sdk/contract'
import { sql } from 'kysely'
import { idsBefore, idsFrom } from '../db/id-times.ts'
import type { Db, Tx } from '../db/schema.ts'
import { selectTrail } from '../db/trail.ts'
import { alwaysListedActions, listedActions, stateActions, type TrailLine } from './rules.ts'

interface Period {
  provider_id: string
  since: number
  until: number
  actor?: string | undefined
}

/** What keys and jobs did, and what sessions did while it needed no presence. */
const selectActs = (db: Db, provider_id: string, protected_since: number | null) =>
  selectTrail(db, provider_id)
    .where('e.actor', 'not in', ['registry', 'operator', 'visitor'])
    .where('e.action', 'in', listedActions)
    // The first key of a provider is recorded as its own creator.
    .where((row) => row.or([row('e.action', '!=', 'key.created'), row('e.subject_id', '!=', row.ref('e.actor'))]))
    .where((row) =>
      row.or([
        row('e.action', 'in', alwaysListedActions),
        row('e.actor', 'not like', 'ses_%'),
        ...(protected_since === null ? [row.lit(true)] : [row('e.at', '<', protected_since)]),
      ]),
    )

/** Newest first, and one more than are listed. */
export const listActs = (db: Db, { provider_id, since, until, actor }: Period, protected_since: number | null) =>
  selectActs(db, provider_id, protected_since)
    .$if(actor !== undefined, (query) => query.where('e.actor', '=', actor ?? ''))
    .where('e.id', '>=', idsFrom('evt', since))
    .where('e.id', '<=', idsBefore('evt', until))
    .where('e.at', '>=', since)
    .where('e.at', '<', until)
    .orderBy('e.id', 'desc')
    .limit(maxActs.listed + 1)
    .execute()

/** The entries among these that the actor made without presence, newest first. */
export const findActs = (
  db: Db,
  { provider_id, actor, ids }: { provider_id: string; actor: string; ids: readonly string[] },
  protected_since: number | null,
) =>
  selectActs(db, provider_id, protected_since)
    .where('e.actor', '=', actor)
    .where('e.id', 'in', ids)
    .orderBy('e.id', 'desc')
    .execute()

const mostLinks = 10_000

/** How many of the newest 10,000 links of the period each key minted. */
export const countLinks = async (db: Db, { provider_id, since, until }: Period) => {
  const newest = db
    .selectFrom('verifications')
    .select('api_key_id')
    .where('provider_id', '=', provider_id)
    .where('id', '>=', idsFrom('vrf', since))
    .where('id', '<=', idsBefore('vrf', until))
    .where('issued_at', '>=', since)
    .where('issued_at', '<', until)
    .orderBy('id', 'desc')
    .limit(mostLinks)
  const rows = await db
    .selectFrom(newest.as('n'))
    .select((of) => ['n.api_key_id', of.fn.countAll<number>().as('links')])
    .groupBy('n.api_key_id')
    .execute()
  const all = rows.reduce((sum, { links }) => sum + Number(links), 0)
  const byKey = rows.flatMap(({ api_key_id, links }) =>
    api_key_id === null ? [] : [[api_key_id, Number(links)] as const],
  )
  return { byKey: new Map(byKey), isLowerBound: all >= mostLinks }
}

export const findKeyNames = async (db: Db, provider_id: string, ids: readonly string[]) => {
  if (ids.length === 0) return new Map<string, string>()
  const rows = await db
    .selectFrom('api_keys')
    .select(['id', 'name'])
    .where('provider_id', '=', provider_id)
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

const undoActions: readonly TrailAction[] = ['key.undone', 'session.undone', 'publisher.undone']

/** IDs of the entries that were undone since a time. */
export const readUndone = async (
  db: Db,
  { provider_id, since }: { provider_id: string; since: number },
): Promise<Set<string>> => {
  const rows = await db
    .selectFrom('events')
    .select('after')
    .where('provider_id', '=', provider_id)
    .where('id', '>=', idsFrom('evt', since))
    .where('action', 'in', undoActions)
    .execute()
  return new Set(rows.flatMap(({ after }) => (after === null ? [] : (JSON.parse(after).events as string[]))))
}

const recordOf = (json: string | null): Record<string, unknown> => (json === null ? {} : JSON.parse(json))

export const lineOf = (row: {
  id: string
  action: string
  subject_id: string
  before: string | null
  after: string | null
}): TrailLine => ({
  id: row.id,
  action: row.action,
  subject_id: row.subject_id,
  before: recordOf(row.before),
  after: recordOf(row.after),
})

/** Every entry about the state of these subjects, oldest first. */
export const readStates = async (
  tx: Tx,
  { provider_id, subjects }: { provider_id: string; subjects: readonly string[] },
): Promise<TrailLine[]> => {
  const rows = await tx
    .selectFrom('events')
    .select(['id', 'action', 'subject_id', 'before', 'after'])
    .where('provider_id', '=', provider_id)
    .where('subject_id', 'in', subjects)
    .where('action', 'in', stateActions)
    .orderBy('id')
    .execute()
  return rows.map(lineOf)
}

/** Whether a deployment may mint links for a version. */
export const isAuthorized = async (
  tx: Tx,
  { provider_id, deployment_id }: { provider_id: string; deployment_id: string },
): Promise<boolean> =>
  (await tx
    .selectFrom('authorizations')
    .select(sql<number>`1`.as('found'))
    .where('provider_id', '=', provider_id)
    .where('deployment_id', '=', deployment_id)
    .limit(1)
    .executeTakeFirst()) !== undefined
