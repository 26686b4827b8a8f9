import { quote } from './quotation.ts'

/**
 * Names the company that someone acts for. Its proven domain comes first. Anyone can choose a name, so a name alone is quoted, and never
 * looks like a proven domain.
 */
export const describeCompany = ({
  id,
  company_name: name,
  domain,
}: {
  id: string
  company_name: string | null
  /** Only if it is proven. */
  domain: string | null
}): string => {
  if (domain === null) return `${name === null ? id : quote(name)} (domain not verified)`
  return name === null ? domain : `${domain} (${quote(name)})`
}

/** The same for a provider’s own record, whose domain may be unproven. */
export const describeProvider = ({
  domain,
  domain_verified,
  ...provider
}: {
  id: string
  company_name: string | null
  domain: string | null
  domain_verified: boolean
}): string => describeCompany({ ...provider, domain: domain_verified ? domain : null })
