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
  traceRequest: (
    request: Timed & { route: string; status: number; requestId: string; traceparent: string | undefined },
  ) => void
  traceJob: (job: Timed & { name: string; outcome: string }) => void
  /** Sends what is left. Never throws. */
  close: () => Promise<void>
}

/** The caller's span, by W3C Trace Context. */
const readTraceparent = (text: string) => {
  const [, traceId = '', spanId = '', flags = ''] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(text) ?? []
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
}

/** Sends a span for each request and job to a collector. OpenTelemetry is loaded here, so without a collector it costs nothing. */
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

  return {
    traceRequest: ({ route, status, requestId, traceparent, startedAt, seconds }) => {
      const span = tracer.startSpan(
        route,
        {
          kind: api.SpanKind.SERVER,
          startTime: startedAt,
          attributes: {
            'http.request.method': route.slice(0, route.indexOf(' ')),
            'http.route': route.slice(route.indexOf(' ') + 1),
            'http.response.status_code': status,
            'countersign.request_id': requestId,
          },
        },
        parentOf(traceparent),
      )
      if (status >= 500) span.setStatus({ code: api.SpanStatusCode.ERROR })
      span.end(startedAt + seconds * 1_000)
    },
    traceJob: ({ name, outcome, startedAt, seconds }) => {
      const attributes = { 'countersign.job': name, 'countersign.outcome': outcome }
      const span = tracer.startSpan(`job ${name}`, { startTime: startedAt, attributes }, api.ROOT_CONTEXT)
      if (outcome === 'failed') span.setStatus({ code: api.SpanStatusCode.ERROR })
      span.end(startedAt + seconds * 1_000)
    },
    close: () => provider.shutdown().catch(() => {}),
  }
}
