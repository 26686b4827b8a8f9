import { notFound } from '@countersign/sdk/contract'
import { parseTilePath, tileWidth } from '@countersign/sdk/log/tiles'
import type { Express, Response } from 'express'
import type { Admit } from '../http/admission.ts'
import type { LogFeeds } from './feeds.ts'
import type { TransparencyService } from './service.ts'

const immutable = 'public, max-age=31536000, immutable'

const open = (response: Response, route: string) => {
  response.locals.route = route
  response.setHeader('Access-Control-Allow-Origin', '*')
  response.setHeader('Access-Control-Expose-Headers', 'Countersign-Log-Quorum')
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
}

/** The log as files (c2sp.org/tlog-tiles), for any client, without credentials. */
export const mountLog = (
  app: Express,
  transparency: Pick<TransparencyService, 'checkpoint' | 'tile' | 'proofFile' | 'revealed' | 'describe'>,
  feeds: LogFeeds,
  admit: { tile: Admit; feed: Admit },
) => {
  app.get('/log/checkpoint', async (request, response) => {
    open(response, 'GET /log/checkpoint')
    await admit.tile(request, response)
    const found = await transparency.checkpoint()
    if (!found) throw notFound()
    response.setHeader('Content-Type', 'text/plain; charset=utf-8')
    response.setHeader('Cache-Control', 'public, max-age=1')
    response.setHeader('Countersign-Log-Quorum', found.isWitnessed ? 'met' : 'missing')
    response.end(found.note)
  })

  app.get('/log/tile/*path', async (request, response) => {
    open(response, 'GET /log/tile/*path')
    await admit.tile(request, response)
    const tile = parseTilePath(request.path.slice('/log/'.length))
    const bytes = tile && (await transparency.tile(tile))
    if (!tile || !bytes) throw notFound()
    response.setHeader('Content-Type', 'application/octet-stream')
    // A partial tile never changes either, but clients ask for the full one as soon as there is one.
    response.setHeader('Cache-Control', tile.width === tileWidth ? immutable : 'public, max-age=3600')
    response.setHeader('Content-Length', bytes.length)
    response.end(request.method === 'HEAD' ? undefined : Buffer.from(bytes))
  })

  app.get('/log/proof/:index', async (request, response) => {
    open(response, 'GET /log/proof/:index')
    await admit.tile(request, response)
    const { index } = request.params
    const proof = /^(0|[1-9]\d{0,14})$/.test(index) ? await transparency.proofFile(Number(index)) : undefined
    if (proof === undefined) throw notFound()
    response.setHeader('Content-Type', 'text/plain; charset=utf-8')
    // A later proof has a newer checkpoint; this one stays valid.
    response.setHeader('Cache-Control', 'public, max-age=60')
    response.end(proof)
  })

  app.get('/log/revealed/*path', async (request, response) => {
    open(response, 'GET /log/revealed/*path')
    await admit.tile(request, response)
    const bundle = parseTilePath(`tile/entries/${request.path.slice('/log/revealed/'.length)}`)
    const entries = bundle?.width === tileWidth ? await transparency.revealed(bundle.index) : undefined
    if (!entries) throw notFound()
    response.setHeader('Content-Type', 'application/json')
    // Texts can be erased at any time.
    response.setHeader('Cache-Control', 'no-store')
    response.end(JSON.stringify({ entries }))
  })

  app.get('/log/feed/:kind/:file', async (request, response) => {
    open(response, 'GET /log/feed/:kind/:file')
    await admit.feed(request, response)
    const { kind, file } = request.params
    const { before } = request.query
    const isPage = typeof before === 'string' && /^[1-9]\d{0,14}$/.test(before)
    if (!file.endsWith('.atom') || (before !== undefined && !isPage)) throw notFound()
    const found = await feeds.find(kind, file.slice(0, -'.atom'.length), isPage ? Number(before) : null)
    if (!found) throw notFound()
    response.setHeader('ETag', found.tag)
    // Texts can be erased at any time.
    response.setHeader('Cache-Control', 'public, max-age=60')
    if (request.get('If-None-Match')?.includes(found.tag)) {
      response.statusCode = 304
      response.end()
      return
    }
    response.setHeader('Content-Type', 'application/atom+xml; charset=utf-8')
    response.end(found.text)
  })

  app.get('/.well-known/countersign-log', async (request, response) => {
    open(response, 'GET /.well-known/countersign-log')
    await admit.tile(request, response)
    const found = await transparency.describe()
    if (!found) throw notFound()
    response.setHeader('Content-Type', 'application/json')
    response.setHeader('Cache-Control', 'public, max-age=300')
    response.end(JSON.stringify(found))
  })
}
