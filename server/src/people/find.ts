import type { Db } from '../db/schema.ts'
import type { Protection } from '../names/rules.ts'
import { type CompanyRow, findProvider } from './store.ts'

interface Company {
  id: string
  company_name: string | null
  domain: string | null
}

/** A company as people see it: with a name only if it may be listed with it, and a domain only if it is proven. */
export const shownCompany = (protection: Protection, row: CompanyRow): Company => {
  const domain = row.proven_at === null ? null : row.domain
  const company_name = protection.problemOf(row, domain) === null ? row.company_name : null
  return { id: row.id, company_name, domain }
}

export const findCompany = async (
  db: Db,
  protection: Protection,
  { provider_id, at }: { provider_id: string; at: number },
) => {
  const row = await findProvider(db, provider_id, at)
  return row && { ...shownCompany(protection, row), similar_name_domain: row.similar_name_domain }
}

/** Which company an email is about. */
export const companyLine = ({ id, company_name, domain }: Company) => {
  if (domain !== null) return { domain }
  return company_name === null ? `A company without a name (${id}).` : { quote: company_name }
}
