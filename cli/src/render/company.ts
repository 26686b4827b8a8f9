import { quote } from '@countersign/sdk/words'

/** The name that a profile saved at sign-in. Only the registry knows whether the company's domain is proven now. */
export const describeSaved = (company_name: string | null | undefined) =>
  company_name ? `${quote(company_name)} (domain not checked)` : undefined

/** The stated domain of the own company, and whether it is proven. */
export const describeDomain = ({ domain, domain_verified }: { domain: string | null; domain_verified: boolean }) =>
  domain === null ? null : `${domain} (${domain_verified ? 'verified' : 'not verified'})`
