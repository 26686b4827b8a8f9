import { type ProviderUpdate, providerFieldRows } from '@countersign/sdk/contract'
import { decodeField, encodeField, type ProviderFieldColumns } from '../db/provider-fields.ts'

interface Details {
  company_name: string | null
  email: string | null
  website: string | null
}

export const isRegistered = (row: Details) => row.company_name !== null && row.email !== null && row.website !== null

export const verificationLevelOf = (
  row: Details & { email_verified_at: number | null; domain_verified_at: number | null },
) => {
  if (!isRegistered(row)) return 'unregistered' as const
  if (row.domain_verified_at !== null) return 'verified' as const
  return row.email_verified_at !== null ? ('partially_verified' as const) : ('unverified' as const)
}

/* ---- changes ---- */

/** The columns that a change writes; the website is moved with its domain. */
export type Fields = Omit<ProviderFieldColumns, 'website'>

export interface Changes {
  set: Partial<Fields>
  before: Record<string, unknown>
  after: Record<string, unknown>
}

/** What an input changes of a provider, and what the trail records. A missing field stays; an empty text removes a field. */
export const changesOf = (row: Fields, input: Partial<ProviderUpdate>): Changes => {
  const set: Record<string, unknown> = {}
  const changes: Changes = { set, before: {}, after: {} }
  const personal: string[] = []
  for (const [name, { kind, isPersonal }] of providerFieldRows) {
    if (name === 'website' || input[name] === undefined) continue
    const value = encodeField(kind, input[name])
    if (value === row[name]) continue
    set[name] = value
    if (isPersonal) {
      personal.push(name)
      continue
    }
    changes.before[name] = decodeField(kind, row[name])
    changes.after[name] = decodeField(kind, value)
  }
  if (personal.length > 0) changes.after.undisclosed = personal
  return changes
}

export const listingWords = {
  unregistered: 'Complete provider registration to enable public listing',
  name_not_allowed: 'Not listed: the company name breaks the rules for names. Change it.',
  name_protected: 'Not listed: the company name is protected. Prove the domain that it belongs to.',
  name_looks_alike:
    'Not listed: the company name looks like that of a provider with a proven domain. Prove your domain.',
  listed: 'Provider listed',
  unlisted: 'Provider unlisted',
} as const

export const movesLaterWords = (at: string) =>
  `Your website and your primary domain change at ${at}. Until then any owner can cancel it.`
