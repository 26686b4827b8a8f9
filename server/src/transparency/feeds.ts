import { createHash } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { certifiedPrefix, ProviderId } from '@countersign/sdk/contract'
import type { Disclosure, OpenEntry } from '@countersign/sdk/log/entries'
import type { Database } from '../db/engine.ts'
import { fitLogged } from '../names/bundle-rules.ts'
import {
  fitSubject,
  isFitQuotation,
  isFitSigner,
  namesOthersDomain,
  type Protection,
  skeletonOf,
} from '../names/rules.ts'
import { type Feed, type FeedEntry, formatFeed } from './atom.ts'
import { certifiedName, describeEntry, readDeclared } from './entry-words.ts'
import { type FeedOwner, listOwners, listPublicEntries, listSpans, type PublicEntry, type Span } from './feed-store.ts'
import { readOwn, withFitIssuer } from './own-entries.ts'
import { findState } from './tree-store.ts'

interface Deps {
  database: Database
  protection: Protection
  publicUrl: string
  now: () => number
}

const pageSize = 50

/** The domain as the log has it; undefined if it can't be one. */
const domainOf = (text: string): string | undefined => {
  const domain = domainToASCII(text)
  return /^(?=.{1,253}$)[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain) ? domain : undefined
}

/** A version’s current name may be private: entries name it by its ID. */
const noNames = new Map<string, string>()

/** Names as the company’s pages show them. The entry keeps what it says. */
const isShown = (
  { field, value }: Disclosure,
  type: string,
  { provenDomain, keptDomains, isSuspended }: FeedOwner,
  protection: Protection,
): boolean => {
  if (isSuspended) return false
  if (field === 'company_name')
    return protection.shown({ name: value, skeleton: skeletonOf(value), provenDomain }) !== null
  if (field === 'subject') return fitSubject(value, provenDomain) !== null
  // That of a signature is the certificate’s: see `shownText`.
  if (field === 'identity') return type !== 'signer.declared' || isFitSigner(readDeclared(value).signer, keptDomains)
  return namesOthersDomain({ [field]: value }, keptDomains) === undefined
}

/** As the pages show it: a declared authority wrote any name into its certificate, and customers chose names of jobs that Sigstore certified. */
const shownText = (each: Disclosure, entry: OpenEntry | undefined, { keptDomains }: FeedOwner): string | null => {
  if (entry?.type !== 'bundle.verified' && entry?.type !== 'bundle.third_party') return each.value
  if (each.field !== 'identity' || each.value === '') return each.value
  if (entry.spki === null) return fitLogged(each.value, keptDomains)
  const name = certifiedName(entry, each.value)
  return name === undefined || isFitQuotation(name, keptDomains) ? each.value : certifiedPrefix
}

const wordsOf = (row: PublicEntry, owner: FeedOwner | undefined, protection: Protection): FeedEntry => {
  const { entry, names } = readOwn(row)
  const texts = Object.fromEntries(
    names.map((each) => [
      each.field,
      owner && isShown(each, row.type, owner, protection) ? shownText(each, entry, owner) : null,
    ]),
  )
  return {
    index: row.position,
    at: new Date(row.at).toISOString(),
    type: row.type,
    says: entry ? describeEntry(withFitIssuer(entry, owner), { texts, ofId: noNames }) : row.type,
  }
}

/** What a feed is about, and which entries it has. */
interface Subject extends Pick<Feed, 'path' | 'title' | 'about'> {
  spans: (before: number | null) => Promise<Span[]>
  /** A domain has a feed before anyone proves it, so that its owner can wait for that. */
  mayBeEmpty: boolean
}

/** Atom feeds of the public entries about a domain or a company. */
export const createLogFeeds = ({ database, protection, publicUrl, now }: Deps) => {
  const ofDomain = (text: string): Subject | undefined => {
    const domain = domainOf(text)
    return domain === undefined
      ? undefined
      : {
          path: `domains/${domain}.atom`,
          title: `Public log: ${domain}`,
          about: null,
          spans: (before) => listSpans(database.read, domain, before),
          mayBeEmpty: true,
        }
  }

  const ofProvider = (text: string): Subject | undefined => {
    const owner = ProviderId.safeParse(text).data
    return owner === undefined
      ? undefined
      : {
          path: `providers/${owner}.atom`,
          title: `Public log: ${owner}`,
          about: `/providers/${owner}`,
          spans: async () => [{ owner, first: 0, last: Number.MAX_SAFE_INTEGER }],
          mayBeEmpty: false,
        }
  }

  const subjectOf = (kind: string, name: string) =>
    kind === 'domains' ? ofDomain(name) : kind === 'providers' ? ofProvider(name) : undefined

  return {
    /** The feed of `domains` or `providers` with this name, and its tag; undefined if it does not exist. */
    async find(kind: string, name: string, before: number | null): Promise<{ text: string; tag: string } | undefined> {
      const subject = subjectOf(kind, name)
      const state = subject && (await findState(database.read))
      if (!subject || !state) return undefined
      const { spans, mayBeEmpty, ...about } = subject
      const rows = await listPublicEntries(database.read, await spans(before), { before, limit: pageSize + 1 })
      if (rows.length === 0 && before === null && !mayBeEmpty) return undefined
      const owners = await listOwners(database.read, [...new Set(rows.map(({ owner }) => owner))], now())
      const entries = rows.slice(0, pageSize).map((row) => wordsOf(row, owners.get(row.owner), protection))
      const text = formatFeed({
        ...about,
        origin: state.origin,
        publicUrl,
        updated: entries[0]?.at ?? new Date(state.created_at).toISOString(),
        entries,
        before,
        hasMore: rows.length > pageSize,
      })
      return { text, tag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` }
    },
  }
}

export type LogFeeds = ReturnType<typeof createLogFeeds>
