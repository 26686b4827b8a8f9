import type { IncomingMessage, ServerResponse } from 'node:http'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { type Endpoint, Refusal } from '@countersign/sdk/contract'
import type { Metrics } from './metrics.ts'

/** How busy this process was since the last call. */
export interface Load {
  /** Fraction of its time, 0–1. */
  utilization: number
  /** How long a request waits before it is handled. */
  delayMs: number
}

export type ShedKind = 'reads' | 'verify'
/** Fraction of requests rejected, per kind (0–1). */
export type Shares = Readonly<Record<ShedKind, number>>

const busy = 0.8
const tooLateMs = 1_000
const everyMs = 1_000
const retryAfterSeconds = '2'

const moveBy = (share: number, by: number) => Math.min(1, Math.max(0, Math.round((share + by) * 100) / 100))

/**
 * Above four fifths of a core, more public reads are rejected each second; below, fewer. Verifications continue: a part of them is
 * rejected only once all reads are, when waiting requests would time out anyway.
 */
export const nextShares = ({ reads, verify }: Shares, { utilization, delayMs }: Load): Shares => ({
  reads: moveBy(reads, utilization > busy ? 0.25 : -0.1),
  verify: moveBy(verify, reads === 1 && utilization > busy && delayMs > tooLateMs ? 0.1 : -0.25),
})

/** What people need to check a link, with or without us. */
const verifying = [
  'GET /api/v1/verify/:token',
  'GET /api/v1/jwt/verify/:token',
  'POST /api/v1/verify/:token/opened',
  'GET /.well-known/jwks.json',
]

export const kindOf = ({
  method,
  path,
  caller,
}: Pick<Endpoint, 'method' | 'path' | 'caller'>): ShedKind | undefined => {
  if (verifying.includes(`${method} ${path}`)) return 'verify'
  return method === 'GET' && caller !== 'provider' ? 'reads' : undefined
}

const createReadLoad = () => {
  const delays = monitorEventLoopDelay({ resolution: 20 })
  delays.enable()
  let last = performance.eventLoopUtilization()
  return (): Load => {
    const current = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(current, last)
    last = current
    const delayMs = delays.percentile(90) / 1e6
    delays.reset()
    return { utilization, delayMs }
  }
}

interface Deps {
  metrics: Pick<Metrics, 'observeLoad' | 'countShed'>
  readLoad?: (() => Load) | undefined
}

/** Rejects anonymous requests when the process is too busy, evenly, verifications last. Owners are served. */
export const createShedding = ({ metrics, readLoad }: Deps) => {
  let read = readLoad
  let shares: Shares = { reads: 0, verify: 0 }
  const owed = { reads: 0, verify: 0 }
  let timer: NodeJS.Timeout | undefined

  const isTurn = (kind: ShedKind): boolean => {
    owed[kind] += shares[kind]
    if (owed[kind] < 1) return false
    owed[kind] -= 1
    return true
  }

  const look = () => {
    read ??= createReadLoad()
    const load = read()
    shares = nextShares(shares, load)
    metrics.observeLoad(load, shares)
  }

  return {
    /** Measures the load once. */
    look,

    start: () => {
      timer = setInterval(look, everyMs)
      timer.unref()
    },

    stop: () => clearInterval(timer),

    /** Throws if a request to that endpoint must be rejected. Undefined for endpoints that are never shed. */
    of: (endpoint: Endpoint): ((request: IncomingMessage, response: ServerResponse) => void) | undefined => {
      const kind = kindOf(endpoint)
      if (!kind) return undefined
      return ({ headers }, response) => {
        if (shares[kind] === 0) return
        if (
          endpoint.caller === 'optional' &&
          (headers['x-api-key'] !== undefined || headers.authorization !== undefined)
        )
          return
        if (!isTurn(kind)) return
        metrics.countShed(kind)
        response.setHeader('Retry-After', retryAfterSeconds)
        throw new Refusal('unavailable', 'The registry is very busy. Try again in a moment.')
      }
    },
  }
}

export type Shedding = ReturnType<typeof createShedding>
