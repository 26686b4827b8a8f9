import { countCertifications } from '@countersign/sdk/contract'
import { sql } from 'kysely'
import { isMailboxLost } from '../db/bundle-verdicts.ts'
import { type Moment, primaryProof } from '../db/proofs.ts'
import type { ProviderTable } from '../db/schema.ts'
import { type ProfileField, profileFields, type Trust, type TrustFacts, trustBreakdownOf, trustOf } from './rules.ts'

/** What trust reads besides the provider's own row, as columns of a query in which that row is called `p`. */
export const trustColumns = (at: Moment) =>
  [
    sql<number>`(select count(*) from (select 1 from models tm where tm.provider_id = p.id and tm.is_latest = 1 and tm.is_active = 1 and tm.is_public = 1 and tm.deleted_at is null limit 2) active)`.as(
      'active_identifiers',
    ),
    sql<number>`case when exists (select 1 from models tb where tb.provider_id = p.id and tb.bundle_status = 'verified' and not ${isMailboxLost('tb', at)} and tb.is_public = 1 and tb.archived_at is null and tb.deleted_at is null) then 1 else 0 end`.as(
      'verified_bundles',
    ),
  ] as const

/** The provider's columns that trust reads besides the state of its domain. */
const profileColumns = [
  'description',
  'logo_url',
  'founded_year',
  'employee_count',
  'hq_city',
  'hq_country',
  'phone_number',
  'support_email',
  'github_url',
  'linkedin_url',
  'trust_center_url',
  'domain',
  'email_verified_at',
  'compliance_certifications',
  'ai_specific_certifications',
  'opened_count',
] as const satisfies (keyof ProviderTable)[]

export type TrustRow = Pick<ProviderTable, (typeof profileColumns)[number] | 'domain_verified_at'> & {
  active_identifiers: number
  verified_bundles: number
}

/** All that trust reads, at a moment, in a query whose provider row is called `p`. */
export const selectTrust = (at: Moment) =>
  [
    ...profileColumns.map((column) => `p.${column}` as const),
    primaryProof('p', at).proven_at.as('domain_verified_at'),
    ...trustColumns(at),
  ] as const

const countKnown = (kind: 'compliance' | 'ai', json: string): number =>
  json === '[]' ? 0 : countCertifications(kind, JSON.parse(json) as string[])

/** A domain, and since when it is proven. */
type ProvenDomain = Pick<TrustRow, 'domain' | 'domain_verified_at'>

const factsOf = (row: TrustRow, { domain, domain_verified_at }: ProvenDomain): TrustFacts => {
  const profile: Record<ProfileField, string | number | null> = {
    description: row.description,
    logo: row.logo_url,
    founded_year: row.founded_year,
    employee_count: row.employee_count,
    hq_city: row.hq_city,
    hq_country: row.hq_country,
    phone_number: row.phone_number,
    support_email: row.support_email,
    presence: row.github_url ?? row.linkedin_url,
    trust_center_url: row.trust_center_url,
  }
  const isVerified = domain_verified_at !== null
  return {
    email_verified: row.email_verified_at !== null,
    domain_verified: isVerified,
    empty_profile_fields: profileFields.filter((field) => profile[field] === null),
    compliance_certifications: countKnown('compliance', row.compliance_certifications),
    ai_certifications: countKnown('ai', row.ai_specific_certifications),
    // Without a proven domain, nothing shows whose signer an account declared.
    has_verified_bundle: isVerified && row.verified_bundles > 0,
    opened_verifications: row.opened_count,
    active_identifiers: row.active_identifiers,
    has_presence: row.github_url !== null || row.linkedin_url !== null,
    has_support_at_domain:
      isVerified && domain !== null && (row.support_email ?? '').toLowerCase().endsWith(`@${domain}`),
  }
}

/** For the primary domain, or for another one. */
export const trustOfRow = (row: TrustRow, domain: ProvenDomain = row): Trust => trustOf(factsOf(row, domain))

export const trustBreakdownOfRow = (row: TrustRow) => trustBreakdownOf(factsOf(row, row))
