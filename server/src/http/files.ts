import { readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import { notFound } from '@countersign/sdk/contract'
import type { Express, Request, Response } from 'express'

// Not `sirv`: names are compared with a list made at the start, so a path never reaches the file system, and errors stay ours.

/** Compressed variants that the build writes next to a file, best first. */
const encodings = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
] as const

/** Node's own recursive listing looks at every file, which takes five times as long. */
const listFiles = (folder: string, within = ''): string[] =>
  readdirSync(join(folder, within), { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return listFiles(folder, `${within}${entry.name}/`)
    return entry.isFile() ? [within + entry.name] : []
  })

const isPacked = (name: string) => encodings.some(({ ending }) => name.endsWith(ending))

/** Loaded by pages of other sites. */
const shared = new Set(['badge.js', 'preview.png'])

const setHeaders = (response: Response, name: string) => {
  response.setHeader('Vary', 'Accept-Encoding')
  if (name.startsWith('assets/')) return response.setHeader('Cache-Control', 'public, max-age=31536000, immutable')
  if (!shared.has(name)) return response.setHeader('Cache-Control', 'no-cache')
  response.setHeader('Cache-Control', 'public, max-age=300')
  response.setHeader('Access-Control-Allow-Origin', '*')
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
}

/**
 * Serves the built console: hashed names are cached forever, other files are revalidated, and both are compressed if the client accepts
 * it.
 */
export const mountFiles = (app: Express, webDir: string) => {
  // By exact name, listed once: any other spelling of a path is a page, and pages carry their own policy.
  const all = new Set(listFiles(webDir))
  const names = new Set([...all].filter((name) => name !== 'index.html' && !name.startsWith('.') && !isPacked(name)))

  const encodingFor = (request: Request, name: string) =>
    encodings.find(
      ({ name: encoding, ending }) => all.has(name + ending) && request.acceptsEncodings(encoding) !== false,
    )

  app.use((request, response, next) => {
    const name = request.path.slice(1)
    if (!names.has(name) || !['GET', 'HEAD'].includes(request.method)) return next()
    response.locals.route = 'GET (file)'
    setHeaders(response, name)
    const encoding = encodingFor(request, name)
    if (encoding) {
      response.setHeader('Content-Encoding', encoding.name)
      response.type(extname(name))
    }
    response.sendFile(name + (encoding?.ending ?? ''), { root: webDir, cacheControl: false }, (error) => {
      if (!error || response.headersSent) return
      for (const header of ['Content-Encoding', 'Content-Type', 'Access-Control-Allow-Origin'])
        response.removeHeader(header)
      response.setHeader('Cache-Control', 'no-store')
      // The file was deleted after the start.
      next('status' in error && error.status === 404 ? notFound() : error)
    })
  })
}
