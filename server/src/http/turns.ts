import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Server } from 'node:net'
import { performance } from 'node:perf_hooks'
import { problemOf, Refusal } from '@countersign/sdk/contract'
import { createFairQueue } from './fair-queue.ts'
import type { Metrics } from './metrics.ts'

/** What people need to check a link, and what load balancers ask. */
const isFirst = ({ url = '' }: IncomingMessage) =>
  /^\/(v|api\/v1\/verify|api\/v1\/jwt\/verify|\.well-known\/jwks\.json|livez|readyz)([/?]|$)/.test(url)

interface Deps {
  newRequestId: () => string
  metrics: Pick<Metrics, 'countShed'>
  /** Whose requests take turns with those of others. */
  groupOf: (request: IncomingMessage) => string
  maxWaiting?: number
}

/** How long requests are handled as they are read, before new ones are read. */
const turnMs = 10
/** How many waiting requests are handled in one turn at most. */
const mostPerTurn = 32
/**
 * The same for a second after more than that waited: a verification takes three turns, as each of its reads of the database waits for the
 * next one. Longer turns run more reads back to back.
 */
const crowdedMs = 2
const crowdMs = 1_000
/** The same for verifications while connections arrive: Node accepts one per turn of its event loop. */
const acceptingMs = 1
/** While connections arrive, how long after one other request the next is handled. */
const pauseMs = 10

type Parameters = [request: IncomingMessage, response: ServerResponse<IncomingMessage> & { req: IncomingMessage }]

/**
 * Decides when a request is handled: at once, unless this turn of the event loop has lasted too long. Then it waits for a later turn,
 * verifications first, so that a flood of costly requests delays neither them nor new connections. Networks take turns, so that a flood
 * of verifications does not delay those of others.
 */
export const createTurns = ({ newRequestId, metrics, groupOf, maxWaiting = 1_000 }: Deps) => {
  const waiting = { first: createFairQueue<Parameters>(maxWaiting), others: createFairQueue<Parameters>(maxWaiting) }
  const length = () => waiting.first.length() + waiting.others.length()
  const isEmpty = () => length() === 0
  /** When this turn began to handle requests. */
  let since: number | undefined
  let lastOther = 0
  let crowdedAt = -crowdMs
  let planned = 0
  /** Connections that arrived in this turn and in the last. */
  let accepted = { now: 0, before: 0 }

  const beginTurn = () => {
    accepted = { now: 0, before: accepted.now }
    since = isEmpty() ? undefined : performance.now()
    if (since !== undefined) setImmediate(beginTurn)
  }

  const isAccepting = () => accepted.now + accepted.before > 0
  const spent = () => (since === undefined ? 0 : performance.now() - since)
  const mayHandleFirst = (ms: number) => spent() < (isAccepting() ? acceptingMs : ms)
  const mayHandleOther = (ms: number) => (isAccepting() ? performance.now() - lastOther >= pauseMs : spent() < ms)

  const refuse = (response: ServerResponse) => {
    metrics.countShed('waiting')
    const refusal = new Refusal('unavailable', 'The registry is very busy. Try again in a moment.')
    response.writeHead(503, { 'Content-Type': 'application/problem+json', 'Retry-After': '2', Connection: 'close' })
    response.end(JSON.stringify(problemOf(refusal, newRequestId())))
  }

  return {
    of: (listener: RequestListener): RequestListener => {
      const handle = (parameters: Parameters, isUrgent: boolean) => {
        if (!isUrgent && isAccepting()) lastOther = performance.now()
        if (!parameters[0].destroyed) listener(...parameters)
      }

      /** Node runs what a request awaits between two immediates, and looks for new requests after all. */
      const plan = () => {
        const wanted = Math.min(length(), mostPerTurn)
        for (; planned < wanted; planned++) setImmediate(handleNext)
      }

      const handleNext = () => {
        planned--
        const ms = performance.now() - crowdedAt < crowdMs ? crowdedMs : turnMs
        const first = mayHandleFirst(ms) ? waiting.first.next() : undefined
        const isOthersTurn = first === undefined && waiting.first.length() === 0 && mayHandleOther(ms)
        const other = isOthersTurn ? waiting.others.next() : undefined
        plan()
        if (first) handle(first, true)
        if (other) handle(other, false)
      }

      return (...parameters) => {
        const isUrgent = isFirst(parameters[0])
        if (since === undefined) {
          since = performance.now()
          setImmediate(beginTurn)
        }
        const isTurn = isUrgent
          ? waiting.first.length() === 0 && mayHandleFirst(turnMs)
          : isEmpty() && mayHandleOther(turnMs)
        if (isTurn) return handle(parameters, isUrgent)
        const queue = isUrgent ? waiting.first : waiting.others
        const displaced = queue.add(groupOf(parameters[0]), parameters)
        if (displaced) refuse(displaced[1])
        if (length() > mostPerTurn) crowdedAt = performance.now()
        plan()
      }
    },

    /** Shortens turns while connections arrive at the server. */
    watch: (server: Server) => {
      server.on('connection', () => {
        accepted.now++
      })
    },
  }
}
