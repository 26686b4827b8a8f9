import { hash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Endpoint, Refusal } from '@countersign/sdk/contract'
import type { Response } from 'express'
import { BurstyRateLimiter, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Database } from '../db/engine.ts'
import type { Tx } from '../db/schema.ts'
import { TooMany } from './problems.ts'
import {
  type Asked,
  delayAfterMs,
  general,
  networkOf,
  type RateRule,
  reportsOfModel,
  rulesOf,
  slowedRulesOf,
} from './rate-rules.ts'

/** Counts a request; rejects it if there were too many. */
export type CheckRate = (asked: Asked, response: Response) => Promise<void>

/** After an error. Throws another if that exceeded the limit as well. */
export type NoteRefusal = (asked: Asked, refusal: Refusal, isCounted: boolean, response: Response) => Promise<void>

/** Counts a report in the caller's transaction; rejects it if there were too many. */
export type CapReports = (tx: Tx, report: { address: string; model_id: string }) => Promise<void>

export interface RateLimits {
  /** Undefined if limits are switched off. */
  of: (endpoint: Pick<Endpoint, 'method' | 'path'>) => CheckRate | undefined
  /** Counts what was rejected before it could be counted, such as unknown credentials and wrong passwords. */
  noteRefusal: (endpoint: Pick<Endpoint, 'method' | 'path'>) => NoteRefusal | undefined
  capReports: CapReports
}

interface Count {
  isOver: boolean
  remaining: number
  /** Until the window ends. */
  seconds: number
}

type Counter = (key: string) => Promise<Count>

const secondsOf = (ms: number) => Math.max(1, Math.ceil(ms / 1_000))

/** In this process: each replica counts separately. */
const createOwnCounter = ({ name, points, seconds, burst }: RateRule): Counter => {
  const window = new RateLimiterMemory({ keyPrefix: name, points, duration: seconds })
  const limiter = burst
    ? new BurstyRateLimiter(
        window,
        new RateLimiterMemory({ keyPrefix: `${name} burst`, points: burst, duration: seconds * 10 }),
      )
    : window
  return (key) =>
    limiter.consume(key).then(
      ({ remainingPoints, msBeforeNext }) => ({
        isOver: false,
        remaining: Math.max(0, remainingPoints),
        seconds: secondsOf(msBeforeNext),
      }),
      (rejection: unknown) => {
        if (!(rejection instanceof RateLimiterRes)) throw rejection
        return { isOver: true, remaining: 0, seconds: secondsOf(rejection.msBeforeNext) }
      },
    )
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
const keyOf = (name: string, subject: string) => hash('sha256', `${name} ${subject}`, 'base64url')

/** In the database, for all replicas. */
const createSharedCounter = ({ database, now }: Deps, { name, points, seconds }: RateRule): Counter => {
  const refused = createMemory()
  return async (subject) => {
    const key = keyOf(name, subject)
    const at = now()
    const known = refused.find(key, at)
    if (known !== undefined) return { isOver: true, remaining: 0, seconds: secondsOf(known - at) }
    const row = await database.transaction((tx) => count(tx, { key, at, expire: at + seconds * 1_000 }))
    const isOver = row.points > points
    if (isOver) refused.keep(key, row.expire, at)
    return { isOver, remaining: Math.max(0, points - row.points), seconds: secondsOf(row.expire - at) }
  }
}

const count = async (tx: Tx, { key, at, expire }: { key: string; at: number; expire: number }) => {
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
const createFailures = ({ database, now }: Deps, name: string) => {
  return {
    note: (subject: string) =>
      database.transaction((tx) => count(tx, { key: keyOf(name, subject), at: now(), expire: now() + 3_600_000 })),
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

interface Deps {
  database: Database
  now: () => number
  /** Ends early if the client has disconnected. */
  delay?: (ms: number, response: Response) => Promise<unknown>
}

const delayWhileWanted = (ms: number, response: Response) => {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  return wait(ms, undefined, { signal: gone.signal, ref: false }).catch(() => {})
}

/** Limits for every endpoint, with the headers of draft-ietf-httpapi-ratelimit-headers-10. */
export const createRateLimits = (needs: Deps): RateLimits => {
  const { now, delay = delayWhileWanted } = needs
  const counters = new Map<string, Counter>()
  const counterOf = (rule: RateRule) => {
    const known = counters.get(rule.name)
    if (known) return known
    const counter = rule.isShared ? createSharedCounter(needs, rule) : createOwnCounter(rule)
    counters.set(rule.name, counter)
    return counter
  }

  const checkOf = (given: readonly RateRule[]): CheckRate => {
    const rules = given.map((rule) => ({ ...rule, count: counterOf(rule) }))
    const policies = rules.map(({ name, points, seconds }) => `"${name}";q=${points};w=${seconds}`).join(', ')
    return async (asked, response) => {
      let told = ''
      for (const { name, by, count, of = 'requests' } of rules) {
        const key = by(asked)
        if (key === undefined) continue
        const { isOver, remaining, seconds } = await count(key)
        told = `${told}${told && ', '}"${name}";r=${remaining};t=${seconds}`
        if (!isOver) continue
        response.setHeader('RateLimit-Policy', policies)
        response.setHeader('RateLimit', told)
        throw new TooMany(of, seconds)
      }
      if (told === '') return
      response.setHeader('RateLimit-Policy', policies)
      response.setHeader('RateLimit', told)
    }
  }

  const checkAll = checkOf(general)

  return {
    of: (endpoint) => {
      const check = checkOf(rulesOf(endpoint))
      const slowed = slowedRulesOf(endpoint).map((rule) => ({ ...rule, failures: createFailures(needs, rule.name) }))
      if (slowed.length === 0) return check
      return async (asked, response) => {
        await check(asked, response)
        let ms = 0
        for (const { by, failures, longestMs } of slowed) {
          const key = by(asked)
          if (key !== undefined) ms = Math.max(ms, delayAfterMs(await failures.read(key), longestMs))
        }
        if (ms > 0) await delay(ms, response)
      }
    },

    noteRefusal: (endpoint) => {
      const slowed = slowedRulesOf(endpoint).map(({ name, by }) => ({ by, failures: createFailures(needs, name) }))
      return async (asked, { code }, isCounted, response) => {
        if (!isCounted) return checkAll(asked, response)
        if (code !== 'unauthorized') return
        for (const { by, failures } of slowed) {
          const key = by(asked)
          if (key !== undefined) await failures.note(key)
        }
      }
    },

    capReports: async (tx, { address, model_id }) => {
      const { name, by, points, seconds, of = 'reports' } = reportsOfModel
      const key = by({ network: () => networkOf(address), model_id, caller: undefined, params: {}, body: {} })
      const at = now()
      const row = await count(tx, { key: keyOf(name, key ?? ''), at, expire: at + seconds * 1_000 })
      if (row.points > points) throw new TooMany(of, secondsOf(row.expire - at))
    },
  }
}

export const noRateLimits: RateLimits = {
  of: () => undefined,
  noteRefusal: () => undefined,
  capReports: async () => {},
}
