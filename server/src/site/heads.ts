import type { Model, PublicProvider } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import { shortenedFit } from '../names/rules.ts'
import { escapeMarkup } from './markup.ts'

/** The head of a page as the server writes it, for clients without scripts: previews and search engines. */
export interface Head {
  title: string
  description: string
  /** The canonical address of the page. Undefined: not found. */
  canonicalUrl: string | null
  /** The address of its oEmbed document. */
  oembedUrl: string | null
  /** Where programs read the same data. */
  dataUrl: string | null
  /** The Atom feed of what the public log says about it. */
  feedUrl: string | null
}

export interface ModelCard {
  model: Model
  provider: PublicProvider
}

const longestTitle = 120

/** Which company vouches for something, as far as it is known. */
const standingOf = ({ domain, domain_verified, company_name }: PublicProvider): string => {
  if (domain_verified && domain !== null) return `${domain} has proven control of its domain.`
  return company_name === null
    ? 'The provider’s identity has not been checked.'
    : `The provider calls itself ${quote(company_name)}; its identity has not been checked.`
}

const quotedShort = (text: string, of: 'model' | 'company'): string => {
  const short = shortenedFit(text, longestTitle, of)
  return short === '' ? 'a name that is not shown here' : quote(short)
}

/** What a page says of a version before its name. */
const stateOf = ({ archived_at, bundle_status }: Model) =>
  archived_at !== null ? 'withdrew ' : bundle_status === 'invalid' ? 'invalid signature of ' : ''

/** The domain first; if it is not proven, that fact first. */
export const headOfModel = ({ model, provider }: ModelCard): Pick<Head, 'title' | 'description'> => ({
  title: `${provider.domain_verified && provider.domain !== null ? provider.domain : 'Provider not checked'}: ${stateOf(model)}${quotedShort(`${model.display_name ?? model.model_name} ${model.version}`, 'model')}`,
  description: [
    model.bundle_status === 'invalid' && 'The signature of its model file is invalid. Do not trust the file.',
    model.archived_at !== null && 'Withdrawn by its provider.',
    model.archived_at === null && model.superseded_at !== null && 'A newer version has been registered.',
    standingOf(provider),
    `API identifier ${quote(model.api_model_identifier)}, version ${quote(model.version)}.`,
    'This page does not show that a chat is this model. A link from the chat shows who vouches for it.',
  ]
    .filter(Boolean)
    .join(' '),
})

export const headOfProvider = (provider: PublicProvider): Pick<Head, 'title' | 'description'> => {
  const { company_name, domain, domain_verified, public_models } = provider
  const name = company_name === null ? null : quotedShort(company_name, 'company')
  const proven = domain_verified ? domain : null
  return {
    title:
      proven === null
        ? `Provider not checked${name === null ? '' : `: ${name}`}`
        : `${proven}${name === null ? '' : `: ${name}`}`,
    description: [
      standingOf(provider),
      public_models === 1 ? 'One public model is registered.' : `${public_models} public models are registered.`,
    ].join(' '),
  }
}

interface Markup {
  head: Head
  /** Whether search engines may index the page. */
  isIndexable: boolean
  isAboutLink: boolean
  isDevelopment: boolean
  /** The public address of this registry; the console compares it with the address in link responses. */
  issuer: string
  /** The contact address; the console reads it. */
  contactEmail: string | null
  /** The repository of the SDK; the pages link to it. */
  repositoryUrl: string | null
  /** Origin of the model hub; the console reads it when a model is registered. */
  hubEndpoint: string
  /** Services that people can use to sign in here. */
  signInBy: readonly string[]
  /** An image for previews, the same on every page. */
  imageUrl: string | null
}

const meta = (name: string, content: string) => `<meta name="${name}" content="${escapeMarkup(content)}">`
const property = (name: string, content: string) => `<meta property="${name}" content="${escapeMarkup(content)}">`

/** All links share one head, so it reveals nothing about the owner; previews show the site name beside the title. */
const withSite = (title: string, isAboutLink: boolean) =>
  isAboutLink || title.startsWith('Countersign') ? title : `${title} · Countersign`

export const headMarkup = (markup: Markup): string => {
  const { head, isIndexable, isAboutLink, isDevelopment, issuer, imageUrl } = markup
  const { contactEmail, repositoryUrl, hubEndpoint, signInBy } = markup
  const { title, description, canonicalUrl, oembedUrl, dataUrl, feedUrl } = head
  return [
    `<title>${escapeMarkup(withSite(title, isAboutLink))}</title>`,
    meta('description', description),
    property('og:title', title),
    property('og:description', description),
    property('og:type', 'website'),
    property('og:site_name', 'Countersign'),
    canonicalUrl !== null && property('og:url', canonicalUrl),
    imageUrl !== null && property('og:image', imageUrl),
    imageUrl !== null && property('og:image:alt', 'Countersign: AI models, and the domains that answer for them'),
    meta('twitter:card', imageUrl === null ? 'summary' : 'summary_large_image'),
    canonicalUrl !== null && `<link rel="canonical" href="${escapeMarkup(canonicalUrl)}">`,
    oembedUrl !== null && `<link rel="alternate" type="application/json+oembed" href="${escapeMarkup(oembedUrl)}">`,
    dataUrl !== null && `<link rel="alternate" type="application/json" href="${escapeMarkup(dataUrl)}">`,
    feedUrl !== null &&
      `<link rel="alternate" type="application/atom+xml" title="Public log" href="${escapeMarkup(feedUrl)}">`,
    !isIndexable && meta('robots', 'noindex, nofollow'),
    isDevelopment && meta('countersign-registry', 'development'),
    meta('countersign-issuer', issuer),
    contactEmail !== null && meta('countersign-contact', contactEmail),
    repositoryUrl !== null && meta('countersign-repository', repositoryUrl),
    meta('countersign-hub', hubEndpoint),
    meta('countersign-sign-in', signInBy.join(' ')),
  ]
    .filter((tag) => tag !== false)
    .join('\n    ')
}
