import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { portOf } from '../../server/src/http/listen.ts'
import { openTracing } from '../../server/src/outbound/tracing.ts'
import { ask } from '../support/ask.ts'
import { itInFull } from '../support/full.ts'
import { type Environment, startServer } from '../support/server-process.ts'
import { createWorld } from '../support/world.ts'

interface Span {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
}

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`
const system = { key: 'db.system.name', value: { stringValue: 'sqlite' } }

/** A collector for OTLP over HTTP with JSON. */
const startCollector = async () => {
  const spans: Span[] = []
  const server = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString())
    if (request.url === '/v1/traces')
      for (const { scopeSpans } of body.resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans)
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { spans, endpoint: `http://127.0.0.1:${portOf(server)}` }
}

it('sends a span for each request and job, and continues the caller’s trace', async () => {
  const { spans, endpoint } = await startCollector()
  const tracing = await openTracing({ endpoint, version: '0.1.0' })
  const world = await createWorld({ tracing })
  const { headers } = await ask(`${world.address}/api/v1/providers/me?secret=1`, { headers: { traceparent } })
  await ask(`${world.address}/livez`, { headers: { traceparent: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01` } })
  await world.jobs.run('mails')
  await tracing.close()

  const spanOf = (name: string) => {
    const span = spans.find((one) => one.name === name)
    const values = span?.attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue] as const)
    return { ...span, attributes: Object.fromEntries(values ?? []) }
  }
  expect(spanOf('GET /api/v1/providers/me')).toMatchObject({
    traceId,
    parentSpanId: '00f067aa0ba902b7',
    attributes: {
      'http.request.method': 'GET',
      'http.route': '/api/v1/providers/me',
      'http.response.status_code': 401,
      'countersign.request_id': headers['x-request-id'],
    },
  })
  expect(spanOf('GET /livez').traceId).toMatch(/^(?!0+$)[0-9a-f]{32}$/)
  expect(spanOf('job mails').attributes).toEqual({ 'countersign.job': 'mails', 'countersign.outcome': 'done' })
  expect(JSON.stringify(spans)).not.toContain('secret')
})

it('keeps answering when the collector is away', async () => {
  const tracing = await openTracing({ endpoint: 'http://127.0.0.1:9', version: '0.1.0' })
  const world = await createWorld({ tracing })
  expect((await ask(`${world.address}/livez`)).status).toBe(200)
  await tracing.close()
})

itInFull('loads OpenTelemetry only with its setting, and then traces transactions without their values', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-tracing-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const hook = join(folder, 'hook.mjs')
  await writeFile(
    hook,
    `import { registerHooks } from 'node:module'
    registerHooks({ resolve: (name, context, next) => {
      // prom-client needs the small package with its interfaces.
      if (/^@opentelemetry\\/(?!api$)/.test(name)) console.error('resolves ' + name)
      return next(name, context)
    } })`,
  )
  const start = async (name: string, more: Environment = {}) => {
    const server = await startServer({ DATA_DIR: join(folder, name), NODE_OPTIONS: `--import ${hook}`, ...more })
    const registered = await ask(`${server.url}/api/v1/providers/register`, {
      method: 'POST',
      headers: { traceparent },
      body: { company_name: 'Acme Labs', email: 'ops@acme.example', website: 'https://acme.example' },
    })
    expect(registered.status).toBe(201)
    await server.end('SIGTERM')
    return server.log()
  }
  expect(await start('without')).not.toContain('resolves @opentelemetry')
  const { spans, endpoint } = await startCollector()
  expect(await start('with', { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })).toContain('resolves @opentelemetry')

  const request = spans.find(({ name }) => name === 'POST /api/v1/providers/register')
  const transactions = spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId)
  expect(request).toMatchObject({ traceId, parentSpanId: '00f067aa0ba902b7' })
  const registering = transactions.find(({ name }) => name.includes('insert providers'))
  expect(registering).toMatchObject({ traceId, attributes: expect.arrayContaining([system]) })
  const [text = ''] = (registering?.attributes ?? [])
    .filter(({ key }) => key === 'db.query.text')
    .map(({ value }) => value.stringValue)
  expect(text).toMatch(/insert into "providers" \(.*values \(\?/)
  expect(JSON.stringify(spans)).not.toMatch(/acme/i)
})
