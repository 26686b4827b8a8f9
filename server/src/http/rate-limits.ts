import { hash } from 'node:crypto'
import { type Endpoint, Refusal } from '@countersign/sdk/contract'
import type { Response } from 'express'
import { BurstyRateLimiter, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Database } from '../db/engine.ts'
import { type Asked, type RateRule, rulesOf } from './rate-rules.ts'

/** Counts a request; refuses it where there were too many. */
export type CheckRate = (asked: Asked, response: Response) => Promise<void>

export interface RateLimits {
  /** Nothing where limits are switched off. */
  of: (row: Pick<Endpoint, 'method' | 'path'>) => CheckRate | undefined
}

interface Count {
  isOver: boolean
  remaining: number
  /** Until the window ends. */
  seconds: number
}

type Counter = (key: string) => Promise<Count>

const secondsOf = (ms: number) => Math.max(1, Math.ceil(ms / 1_000))

/** In this process: what is counted here may be as much on each replica. */
const createOwnCounter = ({ name, points, seconds, burst }: RateRule): Counter => {
  const window = new RateLimiterMemory({ keyPrefix: name, points, duration: seconds })
  const limiter = burst
    ? new BurstyRateLimiter(window, new RateLimiterMemory({ keyPrefix: `${name} burst`, points: burst, duration: seconds * 10 }))
    : window
  return (key) =>
    limiter.consume(key).then(
      ({ remainingPoints, msBeforeNext }) => ({ isOver: false, remaining: Math.max(0, remainingPoints), seconds: secondsOf(msBeforeNext) }),
      (rejection: unknown) => {
        if (!(rejection instanceof RateLimiterRes)) throw rejection
        return { isOver: true, remaining: 0, seconds: secondsOf(rejection.msBeforeNext) }
      },
    )
}

/** In the database, for all replicas. Addresses are kept as hashes only. */
const createSharedCounter =
  (database: Database, now: () => number, { name, points, seconds }: RateRule): Counter =>
  async (subject) => {
    const key = hash('sha256', `${name} ${subject}`, 'base64url')
    const at = now()
    const expire = at + seconds * 1_000
    const row = await database.transaction((tx) =>
      tx
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
            expire: update.case().when('rate_limits.expire', '<=', at).then(expire).else(update.ref('rate_limits.expire')).end(),
          })),
        )
        .returning(['points', 'expire'])
        .executeTakeFirstOrThrow(),
    )
    return { isOver: row.points > points, remaining: Math.max(0, points - row.points), seconds: secondsOf((row.expire ?? expire) - at) }
  }

/** Limits for every row, with the headers of draft-ietf-httpapi-ratelimit-headers-10. */
export const createRateLimits = ({ database, now }: { database: Database; now: () => number }): RateLimits => {
  const counters = new Map<string, Counter>()
  const counterOf = (rule: RateRule) => {
    const known = counters.get(rule.name)
    if (known) return known
    const counter = rule.isShared ? createSharedCounter(database, now, rule) : createOwnCounter(rule)
    counters.set(rule.name, counter)
    return counter
  }

  return {
    of: (row) => {
      const rules = rulesOf(row).map((rule) => ({
        ...rule,
        count: counterOf(rule),
        policy: `"${rule.name}";q=${rule.points};w=${rule.seconds}`,
      }))
      return async (asked, response) => {
        for (const { name, by, count, policy } of rules) {
          const key = by(asked)
          if (key === undefined) continue
          const { isOver, remaining, seconds } = await count(key)
          response.setHeader('RateLimit-Policy', policy)
          response.setHeader('RateLimit', `"${name}";r=${remaining};t=${seconds}`)
          if (!isOver) continue
          response.setHeader('Retry-After', String(seconds))
          throw new Refusal('rate_limited', `Too many requests. Try again in ${seconds} second${seconds === 1 ? '' : 's'}.`)
        }
      }
    },
  }
}

export const noRateLimits: RateLimits = { of: () => undefined }
