import { z } from 'zod'
import { type Aliases, unifyAliases } from './aliases.ts'
import { type Endpoints, endpoint } from './endpoint.ts'
import { Email, flag, judgedAnyway, KeyId, line, ProviderId, paging, requiredLine, Time, textOrNull, Website } from './fields.ts'
import { limits } from './limits.ts'
import { Model } from './models.ts'
import { routes } from './routes.ts'
import { TrustComponent, trustFields } from './trust.ts'

export const providerAliases = {
  description: 'company_description',
  website: 'website_url',
  is_listed: 'is_public',
} as const satisfies Aliases

/** `unregistered` lacks name, e-mail or website; `partially_verified` has shown the mailbox; `verified` the domain. */
export const verificationLevels = ['unregistered', 'unverified', 'partially_verified', 'verified'] as const
export const VerificationLevel = z.enum(verificationLevels)

/** How a domain was proven. `dns` and `file` displace `email`. */
export const domainMethods = ['email', 'dns', 'file'] as const
export const DomainMethod = z.enum(domainMethods)
export type DomainMethod = z.infer<typeof DomainMethod>

export const companySizes = ['1-10', '11-50', '51-200', '201-500', '500+'] as const

export const PublicProvider = z.strictObject({
  id: ProviderId,
  company_name: textOrNull,
  description: textOrNull,
  company_description: textOrNull,
  logo_url: textOrNull,
  website: textOrNull,
  website_url: textOrNull,
  /** The registrable domain of the website: the identity, once verified. */
  domain: textOrNull,
  domain_verified: z.boolean(),
  domain_verified_at: Time.nullable(),
  domain_verification_method: DomainMethod.nullable(),
  verification_level: VerificationLevel,
  ...trustFields,
  founded_year: z.number().int().nullable(),
  employee_count: textOrNull,
  headquarters: textOrNull,
  github_url: textOrNull,
  linkedin_url: textOrNull,
  twitter_url: textOrNull,
  /** The support address; never the account's. */
  contact_email: textOrNull,
  industry: textOrNull,
  specialties: z.array(z.string()),
  funding_status: textOrNull,
  /** How many public models have a verified bundle. */
  verified_models: z.number().int(),
  /** How many public, active models there are. */
  public_models: z.number().int(),
  api_documentation_url: textOrNull,
  support_url: textOrNull,
  trust_center_url: textOrNull,
  compliance_certifications: z.array(z.string()),
  created_at: Time,
})
export type PublicProvider = z.infer<typeof PublicProvider>

/** How to prove a domain by DNS: publish this TXT record at the registrable domain. */
export const DomainProof = z.strictObject({
  domain: z.string(),
  record_name: z.string(),
  record_type: z.literal('TXT'),
  record_value: z.string(),
})
export type DomainProof = z.infer<typeof DomainProof>

export const Provider = PublicProvider.extend({
  /** The key that the caller presented, and no other. */
  api_key: z.string(),
  key_id: KeyId,
  email: textOrNull,
  email_verified: z.boolean(),
  is_listed: z.boolean(),
  is_public: z.boolean(),
  is_active: z.boolean(),
  phone_number: textOrNull,
  support_email: textOrNull,
  hq_city: textOrNull,
  hq_state: textOrNull,
  hq_country: textOrNull,
  ai_specific_certifications: z.array(z.string()),
  trust_breakdown: z.array(TrustComponent),
  domain_proof: DomainProof.nullable(),
})
export type Provider = z.infer<typeof Provider>

/** What a registering provider says of itself; all but the first three may follow later. */
export const NewProvider = z
  .strictObject({
    company_name: requiredLine(1, 120, 'Company name is required'),
    email: Email,
    website: Website.optional(),
    website_url: Website.optional(),
    is_listed: z.boolean().optional(),
    is_public: z.boolean().optional(),
    description: line(limits.companyDescription).optional(),
    company_description: line(limits.companyDescription).optional(),
  })
  .refine(({ website, website_url }) => (website ?? website_url) !== undefined, {
    ...judgedAnyway,
    path: ['website'],
    message: 'Website is required',
  })
  .transform(unifyAliases(providerAliases))
  .transform((input) => ({ ...input, website: input.website ?? '' }))
export type NewProvider = z.output<typeof NewProvider>

export const RegisteredProvider = z.strictObject({
  provider_id: ProviderId,
  /** Shown once; only its hash is kept. */
  api_key: z.string(),
  key_id: KeyId,
  message: z.string(),
  domain_proof: DomainProof,
})
export type RegisteredProvider = z.infer<typeof RegisteredProvider>

/** Three answers: the proof is there, it is not, or the question could not be asked. */
export const DomainVerdict = z.strictObject({
  result: z.enum(['verified', 'not_verified', 'unknown']),
  reason: z.enum(['record_not_found', 'record_differs', 'reserved_name', 'dns_unavailable']).nullable(),
  domain: z.string(),
  domain_verified: z.boolean(),
  domain_verification_method: DomainMethod.nullable(),
  domain_proof: DomainProof,
  detail: z.string(),
})
export type DomainVerdict = z.infer<typeof DomainVerdict>

export const ProviderQuery = z.strictObject({
  ...paging,
  search: line(limits.searchText).optional(),
  verification: z.enum(['all', 'verified', 'unverified']).default('all'),
  location: line(120).optional(),
  sort: z.enum(['name', 'location', 'verification', '-name', '-location', '-verification']).default('name'),
})
export type ProviderQuery = z.output<typeof ProviderQuery>

const params = z.strictObject({ id: ProviderId })

export const providers = {
  register: endpoint(routes.providers.register, {
    summary: 'Register a provider and receive its first API key',
    caller: 'optional',
    body: NewProvider,
    response: RegisteredProvider,
    status: 201,
    errors: ['already_registered'],
  }),
  me: endpoint(routes.providers.me, {
    summary: 'The provider that the credentials belong to',
    caller: 'provider',
    response: Provider,
  }),
  verifyDomain: endpoint(routes.providers.verifyDomain, {
    summary: 'Look for the proof of the provider’s domain now',
    caller: 'provider',
    body: z.strictObject({ method: z.enum(['dns']).default('dns') }),
    response: DomainVerdict,
    errors: ['domain_taken'],
  }),
  list: endpoint(routes.providers.list, {
    summary: 'Listed providers',
    caller: 'public',
    query: ProviderQuery,
    response: z.strictObject({ providers: z.array(PublicProvider), next_cursor: textOrNull }),
  }),
  get: endpoint(routes.providers.get, {
    summary: 'A provider’s public profile',
    caller: 'public',
    params,
    response: PublicProvider,
  }),
  getPrivate: endpoint(routes.providers.getPrivate, {
    summary: 'The caller’s own provider by id',
    caller: 'provider',
    params,
    response: Provider,
    errors: ['forbidden'],
  }),
  models: endpoint(routes.providers.models, {
    summary: 'All models of the caller, private ones too',
    caller: 'provider',
    params,
    query: z.strictObject({ ...paging, include_archived: flag.optional() }),
    response: z.strictObject({ models: z.array(Model), next_cursor: textOrNull }),
    errors: ['forbidden'],
  }),
} satisfies Endpoints<typeof routes.providers>
