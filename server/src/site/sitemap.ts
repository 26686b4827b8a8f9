import { escapeMarkup } from './markup.ts'

/** What crawlers may fetch. Pages with noindex must stay readable, or crawlers never see it. */
export const robotsText = (publicUrl: string): string =>
  [
    'User-agent: *',
    ...[
      '/api/v1/verify/',
      '/api/v1/jwt/',
      '/api/v1/auth/',
      '/verify-email/',
      '/auth-setup',
      '/setup-password',
      '/invitation',
      '/restore-address',
      '/undo-change',
      '/device',
      '/recover',
      '/auth/',
      '/dashboard',
    ].map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${publicUrl}/sitemap.xml`,
    '',
  ].join('\n')

const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
const declaration = '<?xml version="1.0" encoding="utf-8"?>\n'
const locations = (element: string, urls: readonly string[]) =>
  urls.map((url) => `<${element}><loc>${escapeMarkup(url)}</loc></${element}>\n`).join('')

export const sitemapIndex = (urls: readonly string[]): string =>
  `${declaration}<sitemapindex ${namespace}>\n${locations('sitemap', urls)}</sitemapindex>\n`

export const sitemapOf = (urls: readonly string[]): string =>
  `${declaration}<urlset ${namespace}>\n${locations('url', urls)}</urlset>\n`

/** Where a file of the sitemap begins: after the last entry of the previous one. */
export type SitemapPlace =
  | { of: 'site' }
  | { of: 'providers'; after: string | undefined }
  | { of: 'models'; after: { created_at: number; id: string } | undefined }

/** The files of the sitemap, each named by the last entry of the previous one. */
export interface SitemapFiles {
  providers: readonly (string | undefined)[]
  models: readonly ({ created_at: number; id: string } | undefined)[]
}

export const sitemapPaths = ({ providers, models }: SitemapFiles): string[] => [
  '/sitemaps/site.xml',
  ...providers.map((after) => `/sitemaps/providers${after === undefined ? '' : `-${after}`}.xml`),
  ...models.map((after) => `/sitemaps/models${after === undefined ? '' : `-${after.created_at}-${after.id}`}.xml`),
]

/** What a file of the sitemap begins after; undefined for any other name. */
export const placeOf = (file: string): SitemapPlace | undefined => {
  if (file === 'site.xml') return { of: 'site' }
  const [isProviders, provider] = /^providers(?:-(\w{1,64}))?\.xml$/.exec(file) ?? []
  if (isProviders !== undefined) return { of: 'providers', after: provider }
  const [isModels, created_at, id] = /^models(?:-(\d{1,15})-(\w{1,64}))?\.xml$/.exec(file) ?? []
  if (isModels === undefined) return undefined
  return {
    of: 'models',
    after: created_at === undefined || id === undefined ? undefined : { created_at: Number(created_at), id },
  }
}
