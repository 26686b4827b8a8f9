import { idBody, notFound } from '@countersign/sdk/contract'
import type { Express } from 'express'

const headers = new Map([
  ['Content-Type', 'image/webp'],
  ['Cache-Control', 'public, max-age=31536000, immutable'],
  // If opened directly, it must not run anything, however a browser interprets it.
  ['Content-Security-Policy', "sandbox; default-src 'none'"],
  ['Content-Disposition', 'inline'],
  ['X-Content-Type-Options', 'nosniff'],
  ['Cross-Origin-Resource-Policy', 'cross-origin'],
])

const logoFile = new RegExp(`^(lgo_${idBody})\\.webp$`)

/** Serves logos at content-specific addresses: a new file has a new address. */
export const mountLogos = (app: Express, { find }: { find: (id: string) => Promise<Buffer | undefined> }) => {
  app.get('/logos/:file', async (request, response) => {
    response.locals.route = 'GET /logos/:file'
    const [, id] = logoFile.exec(request.params.file) ?? []
    const bytes = id === undefined ? undefined : await find(id)
    if (!bytes) throw notFound()
    response.setHeaders(headers)
    response.setHeader('Content-Length', bytes.length)
    response.end(request.method === 'HEAD' ? undefined : bytes)
  })
}
