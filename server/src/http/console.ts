import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Express } from 'express'
import helmet from 'helmet'
import { findPage, headOf } from './pages.ts'

interface Needs {
  /** The built console. */
  webDir: string
  /** Under https, browsers are told never to come back without it. */
  isHttps: boolean
  isDevelopment: boolean
}

const headSpan = /<!--head-->[\s\S]*?<!--\/head-->/

const policyFor = (nonce: string, isHttps: boolean) =>
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", `'nonce-${nonce}'`],
        styleSrc: ["'self'", `'nonce-${nonce}'`],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        ...(isHttps && { upgradeInsecureRequests: [] }),
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: isHttps && { maxAge: 31_536_000, includeSubDomains: true },
    xFrameOptions: { action: 'deny' },
  })

const listFiles = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))

/** Serves the console: files by their hashed names for ever, pages fresh each time and under a strict policy. */
export const mountConsole = (app: Express, { webDir, isHttps, isDevelopment }: Needs) => {
  const indexFile = join(webDir, 'index.html')
  if (!existsSync(indexFile)) return
  const template = readFileSync(indexFile, 'utf8')

  // By exact name, listed once: any other spelling of a path is a page, and pages come with their policy.
  const names = new Set(listFiles(webDir).filter((name) => name !== 'index.html' && !name.startsWith('.')))
  app.use((request, response, next) => {
    const name = request.path.slice(1)
    if (!names.has(name) || !['GET', 'HEAD'].includes(request.method)) return next()
    response.locals.route = 'GET (file)'
    response.setHeader('Cache-Control', name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
    response.sendFile(name, { root: webDir, cacheControl: false })
  })

  app.get(/.*/, (request, response, next) => {
    const nonce = randomBytes(16).toString('base64')
    policyFor(nonce, isHttps)(request, response, (error) => {
      if (error) return next(error)
      const { head, status } = findPage(request.path)
      response.locals.route = head.isAboutLink ? 'GET (link page)' : 'GET (page)'
      if (head.isAboutLink) response.setHeader('X-Robots-Tag', 'noindex, nofollow')
      response.setHeader('Cache-Control', head.isAboutLink ? 'no-store' : 'no-cache')
      response.setHeader('Content-Type', 'text/html; charset=utf-8')
      response.statusCode = status
      response.end(template.replaceAll('__CSP_NONCE__', nonce).replace(headSpan, () => headOf(head, isDevelopment)))
    })
  })
}
