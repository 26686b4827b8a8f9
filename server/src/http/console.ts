import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Express, Request, Response } from 'express'
import helmet from 'helmet'
import { mountFiles } from './files.ts'
import { readPreloads } from './preloads.ts'
import { strictTransport } from './start.ts'

/** Placeholder for the nonce in the built console. Text from others may contain it, so it is replaced before any is inserted. */
const nonceMark = '__CSP_NONCE__'

/** Values that the server inserts into a page. */
export interface Page {
  status: number
  /** A file of the console's sources: the code that the page needs. */
  chunk: string
  /** Not cached: its address or its content is for one person, or for one moment. */
  isSecret: boolean
  /** Whether search engines may index it. */
  isIndexable: boolean
  isAboutLink: boolean
  head: string
  /** Shown until the console takes over, and to visitors without scripts. */
  prerendered: (nonce: string) => string
  body: string
}

interface Deps {
  /** The built console. */
  webDir: string
  isHttps: boolean
  /** Origin of the model hub, which the console reads when a model is registered. */
  hubOrigin: string
  describe: (request: Request, response: Response) => Promise<Page>
}

const headSpan = /<!--head-->[\s\S]*?<!--\/head-->/
/** A page's additional files are loaded after that. */
const headEnd = '</head>'
/** If the page is prerendered, load its stylesheet first. */
const scriptStart = /<script type="module"|<link rel="modulepreload"/g
const rootSpan = /<!--root-->[\s\S]*?<!--\/root-->/
const bodySpan = /<!--body-->[\s\S]*?<!--\/body-->/

const policyFor = (nonce: string, { isHttps, hubOrigin }: Pick<Deps, 'isHttps' | 'hubOrigin'>) =>
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", `'nonce-${nonce}'`],
        styleSrc: ["'self'", `'nonce-${nonce}'`],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", hubOrigin],
        workerSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        ...(isHttps && { upgradeInsecureRequests: [] }),
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: isHttps && strictTransport,
    xFrameOptions: { action: 'deny' },
  })

/** Serves the console: its files, and pages, generated each time and under a strict policy. */
export const mountConsole = (app: Express, { webDir, isHttps, hubOrigin, describe }: Deps) => {
  const indexFile = join(webDir, 'index.html')
  if (!existsSync(indexFile)) return
  const template = readFileSync(indexFile, 'utf8')
  const preloadsOf = readPreloads(webDir)

  mountFiles(app, webDir)

  const write = (page: Page, nonce: string) => {
    const { head, body, chunk } = page
    const prerendered = page.prerendered(nonce)
    return template
      .replaceAll(nonceMark, nonce)
      .replace(headSpan, () => head)
      .replace(headEnd, () => `  ${preloadsOf(chunk)}\n  ${headEnd}`)
      .replaceAll(scriptStart, prerendered === '' ? '$&' : '$& fetchpriority="low"')
      .replace(rootSpan, () => prerendered)
      .replace(bodySpan, () => body)
  }

  app.get(/.*/, (request, response, next) => {
    const nonce = randomBytes(16).toString('base64')
    const answer = async () => {
      const page = await describe(request, response)
      response.locals.route = page.isAboutLink ? 'GET (link page)' : 'GET (page)'
      if (!page.isIndexable) response.setHeader('X-Robots-Tag', 'noindex, nofollow')
      response.setHeader('Cache-Control', page.isSecret ? 'no-store' : 'no-cache')
      response.setHeader('Content-Type', 'text/html; charset=utf-8')
      response.statusCode = page.status
      response.end(write(page, nonce))
    }
    policyFor(nonce, { isHttps, hubOrigin })(request, response, (error) =>
      error ? next(error) : void answer().catch(next),
    )
  })
}
