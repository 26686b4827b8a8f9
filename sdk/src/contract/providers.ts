import { z } from 'zod'
import { type Aliases, unifyAliases } from './aliases.ts'
import { type Endpoints, endpoint } from './endpoint.ts'
import { Email, flag, KeyId, limits, line, ProviderId, paging, requiredLine, Time, Website } from './fields.ts'
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

const text = z.string().nullable()

export const PublicProvider = z.strictObject({
  id: ProviderId,
  company_name: text,
  description: text,
  company_description: text,
  logo_url: text,
  website: text,
  website_url: text,
  /** The registrable domain of the website: the identity, once verified. */
  domain: text,
  domain_verified: z.boolean(),
  domain_verified_at: Time.nullable(),
  domain_verification_method: DomainMethod.nullable(),
  verification_level: VerificationLevel,
  ...trustFields,
  founded_year: z.number().int().nullable(),
  employee_count: text,
  headquarters: text,
  github_url: text,
  linkedin_url: text,
  twitter_url: text,
  /** The support address; never the account's. */
  contact_email: text,
  industry: text,
  specialties: z.array(z.string()),
  funding_status: text,
  /** How many public models have a verified bundle. */
  verified_models: z.number().int(),
  /** How many public, active models there are. */
  public_models: z.number().int(),
  api_documentation_url: text,
  support_url: text,
  trust_center_url: text,
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
  email: text,
  email_verified: z.boolean(),
  is_listed: z.boolean(),
  is_public: z.boolean(),
  is_active: z.boolean(),
  phone_number: text,
  support_email: text,
  hq_city: text,
  hq_state: text,
  hq_country: text,
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
  .transform(unifyAliases(providerAliases))
  .transform((input, context) => {
    if (input.website !== undefined) return { ...input, website: input.website }
    context.addIssue({ code: 'custom', path: ['website'], message: 'Website is required' })
    return z.NEVER
  })
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
    response: z.strictObject({ providers: z.array(PublicProvider), next_cursor: text }),
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
    response: z.strictObject({ models: z.array(Model), next_cursor: text }),
    errors: ['forbidden'],
  }),
} satisfies Endpoints<typeof routes.providers>
