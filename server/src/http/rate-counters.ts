import { hash } from 'node:crypto'
import type { Database } from '../db/engine.ts'
import type { Tx } from '../db/schema.ts'
import { TooMany } from './problems.ts'
import { familiarSeconds, type RateRule } from './rate-rules.ts'
import { createWindows } from './windows.ts'

export interface CounterDeps {
  database: Database
  now: () => number
}

export interface Count {
  isOver: boolean
  remaining: number
  /** Until the window ends. */
  seconds: number
}

export interface Counter {
  count: (key: string) => Promise<Count>
  /** Undefined unless the next request would be too many. */
  findOver: (key: string) => Promise<Count | undefined>
}

export const secondsOf = (ms: number) => Math.max(1, Math.ceil(ms / 1_000))

/** In this process: each replica counts separately. */
export const createOwnCounter = ({ points, seconds, burst }: RateRule): Counter => {
  const windows = createWindows(seconds * 1_000)
  const reserve = burst === undefined ? undefined : { points: burst, windows: createWindows(seconds * 10_000) }
  return {
    count: async (key) => {
      const at = Date.now()
      const { used, endsAt } = windows.add(key, 1, at)
      const remaining = Math.max(0, points - used)
      if (used <= points || reserve === undefined)
        return { isOver: used > points, remaining, seconds: secondsOf(endsAt - at) }
      const extra = reserve.windows.add(key, 1, at)
      const isOver = extra.used > reserve.points
      return { isOver, remaining, seconds: secondsOf(Math.min(endsAt, extra.endsAt) - at) }
    },
    findOver: async (key) => {
      const at = Date.now()
      const window = windows.find(key, at)
      if (window === undefined || window.used < points) return undefined
      return { isOver: true, remaining: 0, seconds: secondsOf(window.endsAt - at) }
    },
  }
}

/** Rejected until then, without asking the database: a flood of rejected requests costs no writes. */
const createMemory = () => {
  const until = new Map<string, number>()
  return {
    find: (key: string, at: number) => {
      const end = until.get(key)
      if (end === undefined || end > at) return end
      until.delete(key)
      return undefined
    },
    keep: (key: string, end: number, at: number) => {
      if (until.size >= 10_000) for (const [known, over] of until) if (over <= at) until.delete(known)
      until.set(key, end)
    },
  }
}

/** Addresses are stored as hashes only. */
export const keyOf = (name: string, subject: string) => hash('sha256', `${name} ${subject}`, 'base64url')

/** In the database, for all replicas. */
export const createSharedCounter = ({ database, now }: CounterDeps, { name, points, seconds }: RateRule): Counter => {
  const refused = createMemory()
  const findOver = (key: string, at: number): Count | undefined => {
    const known = refused.find(key, at)
    return known === undefined ? undefined : { isOver: true, remaining: 0, seconds: secondsOf(known - at) }
  }
  return {
    findOver: async (subject) => findOver(keyOf(name, subject), now()),
    count: async (subject) => {
      const key = keyOf(name, subject)
      const at = now()
      const over = findOver(key, at)
      if (over) return over
      const row = await database.quickTransaction((tx) => count(tx, { key, at, expire: at + seconds * 1_000 }))
      const isOver = row.points > points
      if (isOver) refused.keep(key, row.expire, at)
      return { isOver, remaining: Math.max(0, points - row.points), seconds: secondsOf(row.expire - at) }
    },
  }
}

/** Counts the kilobytes of large bodies, in this process. */
export const createByteCounter = (kilobytes: number) => {
  const windows = createWindows(60_000)
  return async (key: string, bytes: number) => {
    const at = Date.now()
    const { used, endsAt } = windows.add(key, Math.ceil(bytes / 1_000), at)
    if (used > kilobytes) throw new TooMany('large requests', secondsOf(endsAt - at))
  }
}

export const count = async (tx: Tx, { key, at, expire }: { key: string; at: number; expire: number }) => {
  const row = await tx
    .insertInto('rate_limits')
    .values({ key, points: 1, expire })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((update) => ({
        points: update
          .case()
          .when('rate_limits.expire', '<=', at)
          .then(1)
          .else(update('rate_limits.points', '+', 1))
          .end(),
        expire: update
          .case()
          .when('rate_limits.expire', '<=', at)
          .then(expire)
          .else(update.ref('rate_limits.expire'))
          .end(),
      })),
    )
    .returning(['points', 'expire'])
    .executeTakeFirstOrThrow()
  return { points: row.points, expire: row.expire ?? expire }
}

/** How often something failed in the last hour, for all replicas. */
export const createFailures = ({ database, now }: CounterDeps, name: string) => {
  return {
    note: (subject: string) =>
      database.quickTransaction((tx) => count(tx, { key: keyOf(name, subject), at: now(), expire: now() + 3_600_000 })),
    read: async (subject: string) => {
      const row = await database.read
        .selectFrom('rate_limits')
        .select('points')
        .where('key', '=', keyOf(name, subject))
        .where('expire', '>', now())
        .executeTakeFirst()
      return row?.points ?? 0
    },
  }
}

/** Networks from which the owner of a mailbox signed in, for 30 days or until the password changes. */
export const createFamiliar = ({ database, now }: CounterDeps) => {
  const keyFor = (subject: string) => keyOf('familiar', subject)
  const endKeyFor = (mailbox: string) => keyOf('familiar until', mailbox)
  const put = (tx: Tx, key: string) => {
    const expire = now() + familiarSeconds * 1_000
    return tx
      .insertInto('rate_limits')
      .values({ key, points: 1, expire })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ expire }))
      .execute()
  }
  return {
    note: (tx: Tx, subject: string) => put(tx, keyFor(subject)),
    /** Earlier notes expire before this row, and no longer count. */
    end: (tx: Tx, mailbox: string) => put(tx, endKeyFor(mailbox)),
    isKnown: async (subject: string, mailbox: string) => {
      const rows = await database.read
        .selectFrom('rate_limits')
        .select(['key', 'expire'])
        .where('key', 'in', [keyFor(subject), endKeyFor(mailbox)])
        .where('expire', '>', now())
        .execute()
      const expiryOf = (wanted: string) => rows.find(({ key }) => key === wanted)?.expire ?? 0
      const noted = expiryOf(keyFor(subject))
      return noted > 0 && noted >= expiryOf(endKeyFor(mailbox))
    },
  }
}
