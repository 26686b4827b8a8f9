import { notFound, Refusal } from '@countersign/sdk/contract'
import type { Express, Request, Response } from 'express'
import type { Admit } from '../http/admission.ts'
import { badgeSvg, unknownBadge } from './badge.ts'
import { badgeOf, headOf, pathOf } from './entities.ts'
import { oembedOf, oembedXml } from './oembed.ts'
import { findDestination } from './rules.ts'
import type { SiteService } from './service.ts'
import { placeOf, robotsText, sitemapIndex, sitemapOf, sitemapPaths } from './sitemap.ts'

interface Deps {
  site: SiteService
  publicUrl: string
  admit: { record: Admit; list: Admit }
}

type Answer = (request: Request, response: Response) => Promise<string> | string

const types = {
  text: 'text/plain; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
  json: 'application/json',
} as const

/** The parts of the site for other programs: robots, sitemaps, badges and oEmbed. Readable from any page, without credentials. */
export const mountFeeds = (app: Express, { site, publicUrl, admit }: Deps) => {
  const on = (
    path: string,
    type: keyof typeof types,
    maxAgeSeconds: number,
    check: Admit | undefined,
    answer: Answer,
  ) =>
    app.get(path, async (request, response) => {
      response.locals.route = `GET ${path}`
      response.setHeader('Access-Control-Allow-Origin', '*')
      response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
      await check?.(request, response)
      const text = await answer(request, response)
      response.setHeader('Cache-Control', `public, max-age=${maxAgeSeconds}`)
      if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', types[type])
      response.end(text)
    })

  on('/robots.txt', 'text', 3_600, undefined, () => robotsText(publicUrl))
  on('/sitemap.xml', 'xml', 600, admit.list, async () => {
    const paths = sitemapPaths(await site.sitemapFiles())
    return sitemapIndex(paths.map((path) => publicUrl + path))
  })
  on('/sitemaps/:file', 'xml', 600, admit.list, async ({ params }) => {
    const place = placeOf(String(params.file))
    if (!place) throw notFound()
    const paths = await site.sitemapEntries(place)
    return sitemapOf(paths.map((path) => publicUrl + path))
  })

  const badge =
    (about: 'model' | 'provider'): Answer =>
    async ({ params }, response) => {
      const [, id] = /^(.+)\.svg$/.exec(String(params.file)) ?? []
      const thing = id === undefined ? undefined : await site.find(about, id)
      if (!thing) response.statusCode = 404
      // If opened directly, it must not run anything, however a browser interprets it.
      response.setHeader('Content-Security-Policy', "sandbox; default-src 'none'")
      return badgeSvg(thing ? badgeOf(thing) : unknownBadge)
    }
  on('/badge/models/:file', 'svg', 60, admit.record, badge('model'))
  on('/badge/providers/:file', 'svg', 60, admit.record, badge('provider'))

  const { origin } = new URL(publicUrl)
  const findByUrl = async (url: URL) => {
    const { address, params } = findDestination(url.pathname)
    const { about } = address
    if (url.origin !== origin || (about !== 'model' && about !== 'provider')) return undefined
    return site.find(about, params.id ?? '')
  }
  on('/oembed', 'json', 60, admit.record, async ({ query }, response) => {
    const { url, format = 'json' } = query
    if (typeof url !== 'string' || !URL.canParse(url))
      throw new Refusal('bad_request', 'url: give the address of a model’s or provider’s page.')
    if (format !== 'json' && format !== 'xml') throw new Refusal('bad_request', 'format: json or xml.')
    const thing = await findByUrl(new URL(url))
    if (!thing) throw notFound()
    const path = pathOf(thing)
    const document = oembedOf({
      url: publicUrl + path,
      badgeUrl: `${publicUrl}/badge${path}.svg`,
      badge: badgeOf(thing),
      title: headOf(thing).title,
      publicUrl,
    })
    if (format === 'json') return JSON.stringify(document)
    response.setHeader('Content-Type', 'text/xml; charset=utf-8')
    return oembedXml(document)
  })
}
