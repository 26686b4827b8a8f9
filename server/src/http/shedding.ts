import type { IncomingMessage, ServerResponse } from 'node:http'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { type Endpoint, Refusal } from '@countersign/sdk/contract'
import type { Metrics } from './metrics.ts'

/** How busy this process was since it was last asked. */
export interface Load {
  /** Of its time, from 0 to 1. */
  utilization: number
  /** What a request waits before anyone looks at it. */
  delayMs: number
}

export type ShedKind = 'reads' | 'verify'
/** Of each kind the share that is turned away, from 0 to 1. */
export type Shares = Readonly<Record<ShedKind, number>>

const busy = 0.8
const tooLateMs = 1_000
const everyMs = 1_000
const retryAfterSeconds = '2'

const moveBy = (share: number, by: number) => Math.min(1, Math.max(0, Math.round((share + by) * 100) / 100))

/**
 * Above four fifths of a core more of what strangers read is turned away each second, below less. Verifying goes on: a part
 * of it is turned away only once nothing else is left to turn away, and those who ask wait too long to be helped anyway.
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

export const kindOf = ({ method, path, caller }: Pick<Endpoint, 'method' | 'path' | 'caller'>): ShedKind | undefined => {
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

interface Needs {
  metrics: Pick<Metrics, 'observeLoad' | 'countShed'>
  readLoad?: (() => Load) | undefined
}

/** Turns strangers away from a process that is too busy, evenly, those who verify last. Owners are served. */
export const createShedding = ({ metrics, readLoad }: Needs) => {
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
    /** Looks at the load once. */
    look,

    start: () => {
      timer = setInterval(look, everyMs)
      timer.unref()
    },

    stop: () => clearInterval(timer),

    /** Throws where a request to that endpoint is one too many. Nothing for endpoints that are never shed. */
    of: (endpoint: Endpoint): ((request: IncomingMessage, response: ServerResponse) => void) | undefined => {
      const kind = kindOf(endpoint)
      if (!kind) return undefined
      return ({ headers }, response) => {
        if (shares[kind] === 0) return
        if (endpoint.caller === 'optional' && (headers['x-api-key'] !== undefined || headers.authorization !== undefined)) return
        if (!isTurn(kind)) return
        metrics.countShed(kind)
        response.setHeader('Retry-After', retryAfterSeconds)
        throw new Refusal('unavailable', 'The registry is very busy. Try again in a moment.')
      }
    },
  }
}

export type Shedding = ReturnType<typeof createShedding>
