import { type Domain, type DomainProof, type DomainVerdict, Refusal } from '@countersign/sdk/contract'
import type { ProofMethod } from '../db/schema.ts'

export type Reason = NonNullable<DomainVerdict['reason']>
/** What checking a proof finds. */
export type Finding = 'verified' | Exclude<Reason, 'waiting_period' | 'claim_blocked'>

const unknowns = new Set<string>(['dns_unavailable', 'resolvers_disagree', 'website_unavailable'])
export const isUnknown = (finding: string) => unknowns.has(finding)

export const domainTaken = (domain: string, cause?: unknown) =>
  new Refusal('domain_taken', `Another provider has proven ${domain}.`, {}, { cause })

/** The message of a website error, for a field of another name. */
export const refusedWords = ({ message }: Refusal) =>
  message.replace(/^website: /, '').replace('Please enter a valid URL', 'Enter a domain, such as acme.example')

export const blockedWords = {
  operator: "The registry's operator has blocked this claim. Ask them to allow it.",
  review:
    'A compromised key added this domain. Confirm or withdraw that change first, under API keys in your settings.',
} as const

export const lossWords = (why: Finding, method: ProofMethod | null): string => {
  if (why === 'policy_excludes') return 'A policy record at this domain says that your account may not claim it.'
  if (why === 'name_is_alias') return 'The name that proved this domain is now an alias (CNAME) for another name.'
  if (isUnknown(why)) return 'The proof of this domain could not be read for 72 hours.'
  return method === 'file'
    ? 'The file that proved this domain is gone or has different content.'
    : 'The DNS record that proved this domain is gone or has a different value.'
}

export const findingWords = {
  verified: ({ domain, record_name, file_url }, method) =>
    `${domain} is verified. Your ${method === 'dns' ? `TXT record was found at ${record_name}` : `file was found at ${file_url}`}.`,
  record_not_found: ({ record_name }) =>
    `There is no Countersign record at ${record_name}. A new record can take a few minutes to appear.`,
  record_differs: ({ record_name }) => `The record at ${record_name} belongs to another provider or has a wrong value.`,
  name_is_alias: ({ domain, record_name }, method) =>
    `${method === 'dns' ? record_name : domain} is an alias (CNAME) for another name, which proves nothing.`,
  policy_excludes: ({ domain, record_name }) =>
    `The owner of ${domain} published a policy at ${record_name} that does not allow this account.`,
  reserved_name: ({ domain }) => `${domain} is a reserved name that can’t be owned.`,
  claim_blocked: ({ domain }) =>
    `The claim to ${domain} is blocked, by the registry's operator or because a compromised key made it. It cannot be verified until they allow it or you confirm the change.`,
  waiting_period: ({ domain }) =>
    `Another provider has proven ${domain}, but we could not confirm that proof now. Keep yours published: we check again in an hour, and if yours is still the only one, the domain is yours.`,
  dns_unavailable: ({ record_name }) => `DNS did not answer for ${record_name}.`,
  resolvers_disagree: ({ record_name }) =>
    `The DNS resolvers we ask disagree about ${record_name}. A new record can take a few minutes to appear everywhere.`,
  file_not_found: ({ file_url }) => `There is no file at ${file_url}. Redirects are not followed.`,
  file_differs: ({ file_url }) => `The file at ${file_url} doesn’t contain this provider’s value.`,
  website_unavailable: ({ file_url }) => `${file_url} could not be read.`,
} as const satisfies Record<'verified' | Reason, (proof: DomainProof, method: ProofMethod) => string>

/** What visitors see of a company whose primary domain has this proof. */
export const primaryWords = {
  proven: 'Pages and new links show it.',
  stale: 'Its proof could not be confirmed recently: until it is, new links are not shown as verified.',
  unproven: 'It is not proven: until you prove it, pages and new links say that no one has checked who you are.',
} as const satisfies Record<Domain['status'], string>
