import type { Db } from '../db/schema.ts'
import type { Protection } from '../names/rules.ts'
import { findProvider } from './store.ts'

interface Company {
  id: string
  company_name: string | null
  domain: string | null
}

/** A company as people see it before they belong to it: with a name only if it may be listed with it, and a domain only if it is proven. */
export const findCompany = async (
  db: Db,
  protection: Protection,
  { provider_id, at }: { provider_id: string; at: number },
) => {
  const row = await findProvider(db, provider_id, at)
  if (!row) return undefined
  const { id, similar_name_domain } = row
  const domain = row.proven_at === null ? null : row.domain
  const company_name = protection.problemOf(row, domain) === null ? row.company_name : null
  return { id, company_name, domain, similar_name_domain }
}

/** Which company an email is about. */
export const companyLine = ({ id, company_name, domain }: Company) => {
  if (company_name !== null) return { quote: company_name }
  return domain === null ? `A company without a name (${id}).` : { domain }
}
