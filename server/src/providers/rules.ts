import type { ProfileUpdate, ProviderUpdate } from '@countersign/sdk/contract'

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

const openTexts = [
  'company_name',
  'description',
  'hq_city',
  'hq_state',
  'hq_country',
  'employee_count',
  'github_url',
  'linkedin_url',
  'twitter_url',
  'trust_center_url',
  'api_documentation_url',
  'support_url',
  'industry',
  'funding_status',
] as const
/** The trail only records that they changed: they are about people. */
const personalTexts = ['phone_number', 'support_email'] as const
const lists = ['specialties', 'compliance_certifications', 'ai_specific_certifications'] as const

type OpenText = (typeof openTexts)[number]
type PersonalText = (typeof personalTexts)[number]
type List = (typeof lists)[number]

/** A provider's own fields as they are stored. */
export type Fields = Record<OpenText | PersonalText, string | null> &
  Record<List, string> & { founded_year: number | null }

export interface Changes {
  set: Partial<Fields>
  before: Record<string, unknown>
  after: Record<string, unknown>
}

type Named = Partial<ProfileUpdate> &
  Pick<Partial<ProviderUpdate>, 'compliance_certifications' | 'ai_specific_certifications'>

/** What an input changes of a provider, and what the trail records. A missing field stays; an empty text removes a field. */
export const changesOf = (row: Fields, input: Named): Changes => {
  const changes: Changes = { set: {}, before: {}, after: {} }
  for (const name of openTexts) {
    const value = input[name]
    if (value === undefined || (value || null) === row[name]) continue
    changes.set[name] = value || null
    changes.before[name] = row[name]
    changes.after[name] = value || null
  }
  for (const name of lists) {
    const value = input[name]
    if (value === undefined || JSON.stringify(value) === row[name]) continue
    changes.set[name] = JSON.stringify(value)
    changes.before[name] = JSON.parse(row[name])
    changes.after[name] = value
  }
  if (input.founded_year !== undefined && input.founded_year !== row.founded_year) {
    changes.set.founded_year = input.founded_year
    changes.before.founded_year = row.founded_year
    changes.after.founded_year = input.founded_year
  }
  const personal = personalTexts.filter((name) => input[name] !== undefined && (input[name] || null) !== row[name])
  for (const name of personal) changes.set[name] = input[name] || null
  if (personal.length > 0) changes.after.undisclosed = personal
  return changes
}

/** A provider before it completes its profile. */
export const emptyProfile = {
  description: null,
  domain_verified_at: null,
  domain: null,
  domain_nonce: '',
  domain_verification_method: null,
  domain_checked_at: null,
  domain_stale_since: null,
  logo_url: null,
  logo_id: null,
  support_email: null,
  phone_number: null,
  founded_year: null,
  employee_count: null,
  hq_city: null,
  hq_state: null,
  hq_country: null,
  github_url: null,
  linkedin_url: null,
  twitter_url: null,
  trust_center_url: null,
  industry: null,
  specialties: '[]',
  funding_status: null,
  api_documentation_url: null,
  support_url: null,
  compliance_certifications: '[]',
  ai_specific_certifications: '[]',
  names_checked: 1,
  opened_count: 0,
  deactivated_at: null,
  deleted_at: null,
  erased_at: null,
} as const

export const listingWords = {
  unregistered: 'Complete provider registration to enable public listing',
  name_not_allowed: 'Not listed: the company name breaks the rules for names. Change it.',
  name_protected: 'Not listed: the company name is protected. Prove the domain that it belongs to.',
  name_looks_alike:
    'Not listed: the company name looks like that of a provider with a proven domain. Prove your domain.',
  listed: 'Provider listed',
  unlisted: 'Provider unlisted',
} as const
