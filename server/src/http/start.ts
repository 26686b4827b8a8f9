import type { IncomingMessage, RequestListener } from 'node:http'
import { problemOf, Refusal } from '@countersign/sdk/contract'
import type { Request, Response } from 'express'
import type { RequestLog } from './request-log.ts'

interface Deps {
  newRequestId: () => string
  requestLog: RequestLog
  isDraining: () => boolean
  /** Under https, sends HSTS, so that browsers never return without TLS. */
  isHttps: boolean
}

export const strictTransport = { maxAge: 31_536_000, includeSubDomains: true }

/** For every response of the API; pages set their own. */
const apiHeaders = new Map([
  ['Cache-Control', 'no-store'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
])

const requestIdOf = (request: IncomingMessage, newRequestId: () => string): string => {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : newRequestId()
}

/** Starts every response the same way: a request ID, and headers that also apply to errors. */
export const startAnswer = ({ newRequestId, requestLog, isDraining, isHttps }: Deps) => {
  const headers = new Map(apiHeaders)
  if (isHttps) headers.set('Strict-Transport-Security', `max-age=${strictTransport.maxAge}; includeSubDomains`)
  return (request: Request, response: Response) => {
    const requestId = requestIdOf(request, newRequestId)
    response.locals = { requestId, route: undefined, refusal: undefined }
    response.setHeader('X-Request-Id', requestId)
    response.setHeaders(headers)
    if (isDraining()) response.setHeader('Connection', 'close')
    requestLog(response)
  }
}

/** Rejects request targets that are not paths, which Express would answer in HTML. */
export const refusingOtherThanPaths = (listener: RequestListener, newRequestId: () => string): RequestListener => {
  return (request, response) => {
    if (request.url?.startsWith('/')) return listener(request, response)
    const refusal = new Refusal('bad_request', 'The address must be a path.')
    response.writeHead(400, { 'Content-Type': 'application/problem+json', Connection: 'close' })
    response.end(JSON.stringify(problemOf(refusal, newRequestId())))
  }
}
