import { setTimeout as wait } from 'node:timers/promises'
import { type Endpoint, mailboxOf, type Refusal } from '@countersign/sdk/contract'
import type { Response } from 'express'
import type { Tx } from '../db/schema.ts'
import { networkOf } from '../networks.ts'
import { TooMany } from './problems.ts'
import {
  type Count,
  type Counter,
  type CounterDeps,
  count,
  createByteCounter,
  createFailures,
  createFamiliar,
  createOwnCounter,
  createSharedCounter,
  keyOf,
  secondsOf,
} from './rate-counters.ts'
import {
  type Call,
  delayAfterMs,
  familiarSubjectOf,
  general,
  isByNetwork,
  largeBodyKilobytes,
  phaseOf,
  type RateRule,
  reportsOfModel,
  rulesOf,
  slowedRulesOf,
  widerNetworks,
} from './rate-rules.ts'

/** Counts a request; rejects it if there were too many. */
export type CheckRate = (call: Call, response: Response) => Promise<void>

/** The limits of one endpoint. */
export interface EndpointLimits {
  /** Before a large body is read: rejects what is over a limit, and counts the bytes. */
  checkLargeBody: (call: Call, bytes: number) => Promise<void>
  /** Once the caller is known, before the body is parsed. */
  checkEarly: CheckRate
  /** Once the request is valid. */
  checkLate: CheckRate
  /** After a sign-in; undefined for other endpoints. */
  noteSuccess: ((call: Call) => Promise<void>) | undefined
  /** After an error. Throws another if that exceeded a limit as well. */
  noteRefusal: (call: Call, refusal: Refusal, progress: Progress, response: Response) => Promise<void>
}

/** How far a request got before it was rejected. */
export interface Progress {
  isEarlyCounted: boolean
  isLateCounted: boolean
  isLarge: boolean
}

/** Counts a report in the caller's transaction; rejects it if there were too many. */
export type CapReports = (tx: Tx, report: { address: string; model_id: string }) => Promise<void>

export interface RateLimits {
  /** For requests without a body. Undefined if limits are switched off. */
  of: (endpoint: Pick<Endpoint, 'method' | 'path'>) => CheckRate | undefined
  /** Undefined if limits are switched off. */
  ofEndpoint: (endpoint: Pick<Endpoint, 'method' | 'path'>) => EndpointLimits | undefined
  capReports: CapReports
  /** Whether someone signed in with this email address from this network in the last 30 days. */
  isFamiliar: IsFamiliar
  noteFamiliar: NoteFamiliar
}

export type IsFamiliar = (from: { address: string; email: string }) => Promise<boolean>

/** Notes a sign-in other than with a password. A new password first ends all networks noted for the mailbox. */
export type NoteFamiliar = (tx: Tx, from: { address: string; email: string; isNewPassword?: boolean }) => Promise<void>

interface Deps extends CounterDeps {
  /** Ends early if the client has disconnected. */
  delay?: (ms: number, response: Response) => Promise<unknown>
}

const delayWhileWanted = (ms: number, response: Response) => {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  return wait(ms, undefined, { signal: gone.signal, ref: false }).catch(() => {})
}

/** A rule with its counters. */
interface Counted extends RateRule, Counter {
  /** Per wider network: by how many times more it may send. */
  wider: (times: number) => Counter
}

/** Limits for every endpoint, with the headers of draft-ietf-httpapi-ratelimit-headers-10. */
export const createRateLimits = (deps: Deps): RateLimits => {
  const { now, delay = delayWhileWanted } = deps
  const counters = new Map<string, Counter>()
  const once = (name: string, create: () => Counter): Counter => {
    const known = counters.get(name) ?? create()
    counters.set(name, known)
    return known
  }

  const countedOf = (rule: RateRule): Counted => ({
    ...rule,
    ...once(rule.name, () => (rule.isShared ? createSharedCounter(deps, rule) : createOwnCounter(rule))),
    wider: (times) =>
      once(`${rule.name} ×${times}`, () =>
        createOwnCounter({
          ...rule,
          points: rule.points * times,
          ...(rule.burst && { burst: rule.burst * times }),
        }),
      ),
  })

  /** The subjects that a request counts for: its own, and the networks around it. */
  const subjectsOf = (rule: Counted, call: Call): { key: string; counter: Counter }[] => {
    const key = rule.by(call)
    if (key === undefined) return []
    const networks = isByNetwork(rule) && !call.caller ? widerNetworks(key) : []
    return [
      { key, counter: rule },
      ...networks.map(({ network, times }) => ({ key: network, counter: rule.wider(times) })),
    ]
  }

  const findFirstOver = async (subjects: ReturnType<typeof subjectsOf>): Promise<Count | undefined> => {
    for (const { key, counter } of subjects) {
      const over = await counter.findOver(key)
      if (over) return over
    }
    return undefined
  }

  const checkOf = (rules: readonly Counted[], isFirst: boolean): CheckRate => {
    const policies = rules.map(({ name, points, seconds }) => `"${name}";q=${points};w=${seconds}`).join(', ')
    const append = (response: Response, header: string, value: string) => {
      const before = isFirst ? undefined : response.getHeader(header)
      response.setHeader(header, before === undefined ? value : `${before}, ${value}`)
    }
    const describe = (response: Response, limits: string) => {
      append(response, 'RateLimit-Policy', policies)
      append(response, 'RateLimit', limits)
    }
    return async (call, response) => {
      let limits = ''
      for (const rule of rules) {
        const [own, ...wider] = subjectsOf(rule, call)
        if (!own) continue
        // Otherwise each of the many networks of one customer would cost a write.
        const around = rule.isShared && (await findFirstOver(wider))
        const count = around || (await own.counter.count(own.key))
        limits = `${limits}${limits && ', '}"${rule.name}";r=${count.remaining};t=${count.seconds}`
        let over = count.isOver ? count : undefined
        for (const { key, counter } of over ? [] : wider) {
          const counted = await counter.count(key)
          if (counted.isOver) over = counted
        }
        if (!over) continue
        describe(response, limits)
        throw new TooMany(rule.of ?? 'requests', over.seconds)
      }
      if (limits !== '') describe(response, limits)
    }
  }

  const rejectOver = (rules: readonly Counted[]) => async (call: Call) => {
    for (const rule of rules) {
      const over = await findFirstOver(subjectsOf(rule, call))
      if (over) throw new TooMany(rule.of ?? 'requests', over.seconds)
    }
  }

  const bytesOfNetwork = createByteCounter(largeBodyKilobytes.network)
  const bytesOfWiderNetwork = createByteCounter(largeBodyKilobytes.network * 8)
  const bytesOfProvider = createByteCounter(largeBodyKilobytes.provider)
  const chargeBytes = async (call: Call, bytes: number) => {
    if (call.caller) return bytesOfProvider(call.caller.provider_id, bytes)
    await bytesOfNetwork(call.network(), bytes)
    for (const { network } of widerNetworks(call.network())) await bytesOfWiderNetwork(network, bytes)
  }

  const familiar = createFamiliar(deps)
  const isOwners = async (call: Pick<Call, 'network' | 'body'>) => {
    const subject = familiarSubjectOf(call)
    return subject !== undefined && familiar.isKnown(subject, mailboxOf(String(call.body.email)))
  }

  const generalRules = general.map(countedOf)
  const checkGeneral = checkOf(generalRules, true)
  const rejectOverGeneral = rejectOver(generalRules)

  const ofEndpoint = (endpoint: Pick<Endpoint, 'method' | 'path'>): EndpointLimits => {
    const rules = rulesOf(endpoint).map(countedOf)
    const inPhase = (...phases: string[]) => rules.filter((rule) => phases.includes(phaseOf(rule)))
    const early = inPhase('early')
    const countEarly = checkOf(early, true)
    const rejectOverEarly = rejectOver(inPhase('checked early, counted late'))
    const late = inPhase('late', 'checked early, counted late')
    const countLate = checkOf(late, early.length === 0)
    const slowed = slowedRulesOf(endpoint).map((rule) => ({ ...rule, failures: createFailures(deps, rule.name) }))

    const slowDown = async (call: Call, response: Response) => {
      let ms = 0
      for (const { by, failures, longestMs, isForStrangers } of slowed) {
        const key = by(call)
        const ownMs = key === undefined ? 0 : delayAfterMs(await failures.read(key), longestMs)
        if (ownMs > ms && !(isForStrangers && (await isOwners(call)))) ms = ownMs
      }
      if (ms > 0) await delay(ms, response)
    }

    return {
      checkLargeBody: async (call, bytes) => {
        await rejectOverGeneral(call)
        await rejectOverEarly(call)
        await chargeBytes(call, bytes)
      },
      checkEarly: async (call, response) => {
        if (early.length === 0) await rejectOverGeneral(call)
        await rejectOverEarly(call)
        await countEarly(call, response)
      },
      checkLate: async (call, response) => {
        await countLate(call, response)
        if (slowed.length > 0) await slowDown(call, response)
      },
      noteSuccess:
        slowed.length === 0
          ? undefined
          : async (call) => {
              const subject = familiarSubjectOf(call)
              if (subject !== undefined) await deps.database.transaction((tx) => familiar.note(tx, subject))
            },
      noteRefusal: async (call, { code }, { isEarlyCounted, isLateCounted, isLarge }, response) => {
        if (!isEarlyCounted || (!isLateCounted && early.length === 0)) await checkGeneral(call, response)
        if (!isLateCounted) return isLarge ? countLate(call, response) : undefined
        if (code !== 'unauthorized') return
        for (const { by, failures } of slowed) {
          const key = by(call)
          if (key !== undefined) await failures.note(key)
        }
      },
    }
  }

  return {
    ofEndpoint,
    of: (endpoint) => {
      const { checkEarly, checkLate } = ofEndpoint(endpoint)
      return async (call, response) => {
        await checkEarly(call, response)
        await checkLate(call, response)
      }
    },

    isFamiliar: (from) => isOwners(callFrom(from)),
    noteFamiliar: async (tx, { isNewPassword = false, ...from }) => {
      if (isNewPassword) await familiar.end(tx, mailboxOf(from.email))
      const subject = familiarSubjectOf(callFrom(from))
      if (subject !== undefined) await familiar.note(tx, subject)
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

const callFrom = ({ address, email }: { address: string; email: string }) => ({
  network: () => networkOf(address),
  body: { email },
})

export const noRateLimits: RateLimits = {
  of: () => undefined,
  ofEndpoint: () => undefined,
  capReports: async () => {},
  isFamiliar: async () => false,
  noteFamiliar: async () => {},
}
