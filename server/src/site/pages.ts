import { errors, Refusal } from '@countersign/sdk/contract'
import type { Request, Response } from 'express'
import type { Admit } from '../http/admission.ts'
import type { Page } from '../http/console.ts'
import { refusalOf, sayWhen } from '../http/problems.ts'
import { headOf, pathOf } from './entities.ts'
import { type Head, headMarkup } from './heads.ts'
import { type LinkAnswer, linkSummary, nothingKnown } from './link-summary.ts'
import { escapeMarkup, jsonForHtml } from './markup.ts'
import { untilOverdue } from './prerendered.ts'
import { type Destination, findDestination } from './rules.ts'
import { samplesPage } from './samples.ts'
import type { SiteService } from './service.ts'

interface Deps {
  site: SiteService
  publicUrl: string
  isDevelopment: boolean
  /** Default: an address at the host of `publicUrl`. */
  contactEmail: string | null
  repositoryUrl: string | null
  hubEndpoint: string
  /** Services that people can use to sign in here. */
  signInBy: readonly string[]
  /** A page counts as the endpoint that it reads. */
  admit: { record: Admit; link: Admit }
  onFailure: (error: unknown) => void
}

interface Said {
  head: Pick<Head, 'title' | 'description'> & Partial<Head>
  /** Whether search engines may index the page. */
  isIndexable: boolean
  /** Default: found, unless there is no such address. */
  status?: number
  isSecret?: boolean
  /** The content of the page before its scripts have run. */
  prerendered?: string | undefined
  /** As narrow as the page of a link. */
  isNarrow?: boolean
  /** For visitors without scripts, if nothing is prerendered. */
  plain?: string
  written?: string
  /** How long prerendered content is valid. */
  goodForMs?: number
}

const plainOf = ({ title, description }: Said['head']) =>
  `<h1>${escapeMarkup(title)}</h1>\n<p>${escapeMarkup(description)}</p>\n<p>This page needs JavaScript to show more.</p>`

const needsScripts = '<noscript><p>This page needs JavaScript to show more.</p></noscript>'

const developmentNote = '<p class="plain-note">Development registry: nothing here proves anything.</p>\n'

/** In the console's design, without what needs its scripts. */
const plainMarkupFor =
  (isDevelopment: boolean) =>
  (content: string, looks = '') =>
    `<div class="plain-page${looks}">\n${isDevelopment ? developmentNote : ''}<p class="plain-head"><a href="/">Countersign</a></p>\n<main>\n${content}\n</main>\n</div>`

/** The console's box for links, for visitors without scripts. */
const linkForm = `<h1>Check a link or code</h1>
<p>Paste the link that the AI gave you, or type its code.</p>
<form action="/v" method="get">
<p><label for="link">Link or code from your chat</label></p>
<p><input id="link" name="link" required autocomplete="off" autocapitalize="off" spellcheck="false"> <button>Check</button></p>
</form>`

/** The console reads it instead of fetching it. */
const scriptOf = (id: 'link-answer' | 'model-answer', answer: object) =>
  `<script type="application/json" id="${id}">${jsonForHtml(answer)}</script>\n`

/** Shown above what needs the page's scripts. */
const beginningOf = (heading: string, text: string) =>
  `<h1>${escapeMarkup(heading)}</h1>\n<p class="beginning">${escapeMarkup(text)}</p>${needsScripts}`

/** By the registry's own clock. */
const goodForMs = (answer: LinkAnswer) =>
  'record' in answer
    ? Math.max(0, Date.parse(answer.record.expires_at) - Date.parse(answer.record.checked_at))
    : undefined

/** How browsers, current and older, mark a request as a prefetch. */
const purposeHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz']

/** The content of a page before and without its scripts. */
export const createPages = ({
  site,
  publicUrl,
  isDevelopment,
  contactEmail,
  repositoryUrl,
  hubEndpoint,
  signInBy,
  admit,
  onFailure,
}: Deps) => {
  const plainMarkup = plainMarkupFor(isDevelopment)
  const imageUrl = `${publicUrl}/preview.png`

  const pageOf = ({ address, isUnknown }: Destination, said: Said): Page => {
    const {
      isIndexable,
      isSecret = address.keeping === 'secret',
      prerendered,
      isNarrow = address.about === 'link',
      plain = plainOf(said.head),
      written = '',
      goodForMs,
    } = said
    const isAboutLink = address.about === 'link'
    const head = { canonicalUrl: null, oembedUrl: null, dataUrl: null, feedUrl: null, ...said.head }
    return {
      status: said.status ?? (isUnknown ? 404 : 200),
      chunk: address.chunk,
      isSecret,
      isIndexable,
      isAboutLink,
      head: headMarkup({
        head,
        isIndexable,
        isAboutLink,
        isDevelopment,
        issuer: publicUrl,
        contactEmail,
        repositoryUrl,
        hubEndpoint,
        signInBy,
        imageUrl,
      }),
      prerendered: (nonce) =>
        prerendered === undefined
          ? ''
          : plainMarkup(prerendered, isNarrow ? '' : ' wide') +
            (goodForMs === undefined ? '' : untilOverdue({ goodForMs, nonce, instead: plainMarkup(nothingKnown) })),
      body: prerendered === undefined ? `<noscript>${plainMarkup(plain)}</noscript>` : written,
    }
  }

  /** A link is checked as the API checks it. If that fails, the console tries again and shows the result. */
  const readAnswer = async (token: string, request: Request, response: Response): Promise<LinkAnswer | undefined> => {
    try {
      await admit.link(request, response)
      return await site.verdictOf(token)
    } catch (error) {
      if (!(error instanceof Refusal)) onFailure(error)
      return undefined
    }
  }

  const linkPage = async (destination: Destination, request: Request, response: Response): Promise<Page> => {
    const typed = typeof request.query.link === 'string' ? request.query.link.trim() : ''
    const token = destination.params.token ?? (typed === '' ? undefined : typed)
    const { title, description } = destination.address
    // The head says the same about every link: a preview outlives the link.
    const said = { head: { title, description }, isIndexable: false, ...(token === undefined && { plain: linkForm }) }
    // A prefetched page is shown later, when its verdict may no longer hold.
    const isAhead = purposeHeaders.some((name) => /prefetch|prerender|preview/i.test(request.get(name) ?? ''))
    if (token === undefined || isAhead || request.method === 'HEAD') return pageOf(destination, said)
    const answer = await readAnswer(token, request, response)
    if (answer === undefined) return pageOf(destination, { ...said, plain: nothingKnown })
    return pageOf(destination, {
      ...said,
      prerendered: linkSummary(answer, publicUrl),
      written: scriptOf('link-answer', { token, ...answer }),
      goodForMs: goodForMs(answer),
    })
  }

  const thingPage = async (
    about: 'model' | 'provider',
    destination: Destination,
    request: Request,
    response: Response,
  ): Promise<Page> => {
    const { title, description } = destination.address
    const find = async () => {
      await admit.record(request, response)
      return site.find(about, destination.params.id ?? '')
    }
    const thing = await find().catch((error: unknown) => refusalOf(error))
    if (thing === undefined)
      return pageOf(destination, {
        head: { title: `${title} not found`, description },
        isIndexable: false,
        status: 404,
      })
    if (thing instanceof Refusal) {
      // The page exists and says so itself; crawlers come again.
      if (thing.code === 'internal') onFailure(thing.cause)
      sayWhen(response, thing)
      return pageOf(destination, {
        head: { title, description },
        isIndexable: false,
        status: errors[thing.code].status,
      })
    }
    const canonicalUrl = publicUrl + pathOf(thing)
    const oembedUrl = `${publicUrl}/oembed?${new URLSearchParams({ url: canonicalUrl, format: 'json' })}`
    const dataUrl = `${publicUrl}/api/v1${pathOf(thing)}/public`
    const feedUrl =
      thing.about === 'provider' && thing.provider.domain_verified
        ? `${publicUrl}/log/feed/providers/${thing.provider.id}.atom`
        : null
    // The result of a conversation is named in the query.
    const hasQuery = Object.keys(request.query).length > 0
    const head = headOf(thing)
    return pageOf(destination, {
      head: { ...head, canonicalUrl, oembedUrl, dataUrl, feedUrl },
      isIndexable: !hasQuery,
      isSecret: hasQuery,
      prerendered: beginningOf(head.title, head.description),
      ...(thing.about === 'model' && { written: scriptOf('model-answer', thing.card.model) }),
    })
  }

  const plainPage = (destination: Destination, request: Request): Page => {
    const { title, description, path, keeping, beginning, samples } = destination.address
    const isIndexable =
      keeping === 'indexed' || (keeping === 'indexed without query' && Object.keys(request.query).length === 0)
    return pageOf(destination, {
      head: { title, description, canonicalUrl: keeping === 'secret' ? null : publicUrl + path },
      isIndexable,
      prerendered: samples
        ? samplesPage(destination.params.name)
        : beginning && beginningOf(beginning.heading, beginning.text),
      isNarrow: samples !== undefined,
    })
  }

  return async (request: Request, response: Response): Promise<Page> => {
    const destination = findDestination(request.path)
    const { about } = destination.address
    if (about === 'link') return linkPage(destination, request, response)
    return about === undefined ? plainPage(destination, request) : thingPage(about, destination, request, response)
  }
}
