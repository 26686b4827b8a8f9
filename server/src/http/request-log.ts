import type { IncomingMessage } from 'node:http'
import type { Refusal } from '@countersign/sdk/contract'
import type { Response } from 'express'
import type { Logger } from 'pino'
import type { Metrics } from './metrics.ts'

export type RequestLog = (response: Response) => void

/** Called for each request if traces are on. */
export type TraceRequest = (ended: {
  request: IncomingMessage
  route: string
  status: number
  requestId: string
  startedAt: number
  seconds: number
}) => void

/**
 * One line and one measurement for each request. Only the route's pattern is written, never the address, the body or a header: all three
 * can contain links, tokens and keys.
 */
export const createRequestLog = (log: Logger, metrics: Metrics, trace?: TraceRequest): RequestLog => {
  // Nothing in the line needs redaction, and looking for it takes longer than writing the line.
  const plain = log.child({}, { redact: [] })

  return (response) => {
    const started = performance.now()
    response.on('close', () => {
      const {
        route = '(no route)',
        requestId,
        refusal,
      } = response.locals as { route?: string; requestId: string; refusal?: Refusal }
      const seconds = (performance.now() - started) / 1_000
      const status = response.writableFinished ? response.statusCode : 499
      trace?.({
        request: response.req,
        route,
        status,
        requestId,
        seconds,
        startedAt: performance.timeOrigin + started,
      })
      metrics.observe(route, status, seconds)
      if (refusal) metrics.countRejection(route, refusal.code)
      const line = {
        request_id: requestId,
        route,
        status,
        ms: Math.round(seconds * 10_000) / 10,
        ...(refusal && { code: refusal.code }),
      }
      if (status >= 500) log.error({ ...line, err: refusal?.cause }, 'request failed')
      else plain.info(line, 'request')
    })
  }
}
