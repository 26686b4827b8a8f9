import { type Badge, badgeHeight, badgeWidth } from './badge.ts'
import { escapeMarkup } from './markup.ts'

interface Embedded {
  /** Address of the page that is embedded. */
  url: string
  badgeUrl: string
  badge: Badge
  title: string
  publicUrl: string
}

/** The oEmbed document of a page (oembed.com §2.3): a picture that is redrawn every minute, and leads to the page. */
export const oembedOf = ({ url, badgeUrl, badge, title, publicUrl }: Embedded) => {
  const width = badgeWidth(badge)
  const note = badge.note === undefined ? '' : ` title="${escapeMarkup(badge.note)}"`
  const picture = `<img src="${escapeMarkup(badgeUrl)}" width="${width}" height="${badgeHeight}" alt="${escapeMarkup(`${badge.label}: ${badge.says}`)}"${note}>`
  return {
    version: '1.0',
    type: 'rich',
    title,
    provider_name: 'Countersign',
    provider_url: publicUrl,
    cache_age: 60,
    html: `<a href="${escapeMarkup(url)}">${picture}</a>`,
    width,
    height: badgeHeight,
  } as const
}

export type Oembed = ReturnType<typeof oembedOf>

export const oembedXml = (document: Oembed): string =>
  `<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<oembed>${Object.entries(document)
    .map(([name, value]) => `<${name}>${escapeMarkup(String(value))}</${name}>`)
    .join('')}</oembed>`
