import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import express, { type Express } from 'express'
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

/** Serves the console: files by their hashed names for ever, pages fresh each time and under a strict policy. */
export const mountConsole = (app: Express, { webDir, isHttps, isDevelopment }: Needs) => {
  const indexFile = join(webDir, 'index.html')
  if (!existsSync(indexFile)) return
  const template = readFileSync(indexFile, 'utf8')

  const files = express.static(webDir, {
    index: false,
    redirect: false,
    setHeaders: (response, path) => {
      const isHashed = path.startsWith(join(webDir, 'assets'))
      response.setHeader('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      response.removeHeader('Content-Security-Policy')
    },
  })
  app.use((request, response, next) => {
    // The template is not a page: it has placeholders where the policy's nonce belongs.
    if (request.path === '/index.html' || request.path.startsWith('/.vite')) next()
    else files(request, response, next)
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
