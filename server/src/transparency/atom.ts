import { escapeMarkup } from '../markup.ts'

/** One entry of a feed. */
export interface FeedEntry {
  index: number
  at: string
  type: string
  /** What it says, in one sentence. May contain text by other people. */
  says: string
}

/** A page of a feed. */
export interface Feed {
  /** The log’s origin, which never changes. IDs are made of it and `https:`, also without TLS: they are names, not addresses. */
  origin: string
  publicUrl: string
  /** Below `/log/feed/`. */
  path: string
  title: string
  /** A page of the console about the subject. */
  about: string | null
  /** The time of the newest entry, or of the log’s beginning if there is none. */
  updated: string
  entries: readonly FeedEntry[]
  /** The page begins before this entry; null on the first page. */
  before: number | null
  /** Whether there are older entries. */
  hasMore: boolean
}

/** One line, without characters that are invisible or turn the direction of writing. */
const plain = (text: string) => escapeMarkup(text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' '))

const link = (rel: string, href: string, type: string) =>
  `<link rel="${rel}" type="${type}" href="${escapeMarkup(href)}"/>`

/** Atom (RFC 4287), in pages (RFC 5005 §3). */
export const formatFeed = ({ origin, publicUrl, path, title, about, updated, entries, before, hasMore }: Feed) => {
  const url = `${publicUrl}/log/feed/${path}`
  const atom = 'application/atom+xml'
  const oldest = entries.at(-1)?.index
  const lines = [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>${escapeMarkup(`https://${origin}/feed/${path}`)}</id>`,
    `<title>${plain(title)}</title>`,
    `<updated>${updated}</updated>`,
    `<author><name>${escapeMarkup(new URL(publicUrl).host)}</name></author>`,
    link('self', before === null ? url : `${url}?before=${before}`, atom),
    before !== null && link('first', url, atom),
    hasMore && oldest !== undefined && link('next', `${url}?before=${oldest}`, atom),
    about !== null && link('alternate', publicUrl + about, 'text/html'),
    ...entries.flatMap(({ index, at, type, says }) => [
      '<entry>',
      `<id>${escapeMarkup(`https://${origin}/entry/${index}`)}</id>`,
      `<title>${plain(says)}</title>`,
      `<updated>${at}</updated>`,
      `<category term="${escapeMarkup(type)}"/>`,
      link('alternate', `${publicUrl}/log/proof/${index}`, 'text/plain'),
      `<content type="text">${plain(says)}. Entry ${index} of the public log, ${escapeMarkup(type)}.</content>`,
      '</entry>',
    ]),
    '</feed>',
    '',
  ]
  return lines.filter((line) => line !== false).join('\n')
}
