import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, RequestListener } from 'node:http'
import type { Context, Span } from '@opentelemetry/api'

interface Options {
  /** Base address of a collector that speaks OTLP over HTTP. */
  endpoint: string
  version: string
}

interface Timed {
  startedAt: number
  seconds: number
}

export interface Tracing {
  /** Handles requests within their spans, so that those of transactions belong to them. */
  aroundRequests: (listener: RequestListener) => RequestListener
  traceRequest: (ended: { request: IncomingMessage; route: string; status: number; requestId: string } & Timed) => void
  /** Does the work of a job within its span. */
  aroundJob: (name: string, work: () => Promise<void>) => Promise<void>
  traceJob: (job: { name: string; outcome: string } & Timed) => void
  /** Called when a transaction of a database begins; what it returns, when the transaction has ended. */
  traceTransaction: (
    engine: string,
  ) => (ended: { statements: readonly string[]; rows?: number; isFailed: boolean }) => void
  /** Sends what is left. Never throws. */
  close: () => Promise<void>
}

/** The caller's span, by W3C Trace Context. */
const readTraceparent = (text: string) => {
  const [, traceId = '', spanId = '', flags = ''] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(text) ?? []
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
}

/** What a transaction does, such as `insert models, update providers`. */
const summaryOf = (statements: readonly string[]): string => {
  const parts = statements.flatMap((text) => {
    const [, verb = '', table = ''] = /^\s*(insert into|update|delete from)\s+"?(\w+)/i.exec(text) ?? []
    return verb === '' ? [] : [`${verb.split(' ')[0]?.toLowerCase()} ${table}`]
  })
  return [...new Set(parts)].join(', ').slice(0, 200) || 'read'
}

/** Longer texts are cut: a transaction may have thousands of statements. */
const maxText = 8_000

/** Sends a span for each request, job and transaction to a collector. OpenTelemetry is loaded here, so without a collector it costs nothing. */
export const openTracing = async ({ endpoint, version }: Options): Promise<Tracing> => {
  const [api, { BatchSpanProcessor, TracerProvider }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ])
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: 5_000 })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'countersign-server', 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer('countersign-server', version)

  const parentOf = (traceparent: string | undefined) => {
    const span = readTraceparent(traceparent ?? '')
    return api.isSpanContextValid(span) ? api.trace.setSpanContext(api.ROOT_CONTEXT, span) : api.ROOT_CONTEXT
  }

  /** The trace context of the request or job that the current work belongs to. */
  const contexts = new AsyncLocalStorage<Context>()
  const requests = new WeakMap<IncomingMessage, Span>()
  const jobs = new Map<string, Span>()

  return {
    aroundRequests: (listener) => (request, response) => {
      const parent = parentOf(request.headers.traceparent as string | undefined)
      const span = tracer.startSpan('request', { kind: api.SpanKind.SERVER }, parent)
      requests.set(request, span)
      contexts.run(api.trace.setSpan(parent, span), () => listener(request, response))
    },
    traceRequest: ({ request, route, status, requestId, startedAt, seconds }) => {
      const span = requests.get(request)
      span?.updateName(route)
      span?.setAttributes({
        'http.request.method': route.slice(0, route.indexOf(' ')),
        'http.route': route.slice(route.indexOf(' ') + 1),
        'http.response.status_code': status,
        'countersign.request_id': requestId,
      })
      if (status >= 500) span?.setStatus({ code: api.SpanStatusCode.ERROR })
      span?.end(startedAt + seconds * 1_000)
    },
    aroundJob: (name, work) => {
      const span = tracer.startSpan(`job ${name}`, {}, api.ROOT_CONTEXT)
      jobs.set(name, span)
      return contexts.run(api.trace.setSpan(api.ROOT_CONTEXT, span), work)
    },
    traceJob: ({ name, outcome, startedAt, seconds }) => {
      const span = jobs.get(name)
      jobs.delete(name)
      span?.setAttributes({ 'countersign.job': name, 'countersign.outcome': outcome })
      if (outcome === 'failed') span?.setStatus({ code: api.SpanStatusCode.ERROR })
      span?.end(startedAt + seconds * 1_000)
    },
    traceTransaction: (engine) => {
      const kind = api.SpanKind.CLIENT
      const attributes = { 'db.system.name': engine === 'postgres' ? 'postgresql' : engine }
      const span = tracer.startSpan('transaction', { kind, attributes }, contexts.getStore() ?? api.ROOT_CONTEXT)
      return ({ statements, rows, isFailed }) => {
        const summary = summaryOf(statements)
        span.updateName(summary)
        span.setAttributes({
          'db.query.summary': summary,
          'db.query.text': statements.join(';\n').slice(0, maxText),
          'db.operation.batch.size': rows ?? statements.length,
        })
        if (isFailed) span.setStatus({ code: api.SpanStatusCode.ERROR })
        span.end()
      }
    },
    close: () => provider.shutdown().catch(() => {}),
  }
}
