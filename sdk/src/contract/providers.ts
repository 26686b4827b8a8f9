import { z } from 'zod'
import { type Aliases, unifyAliases } from './aliases.ts'
import { type Endpoints, endpoint, ifMatchHeader } from './endpoint.ts'
import {
  alwaysChecked,
  ChangeId,
  clearable,
  Email,
  flag,
  KeyId,
  line,
  nameLine,
  ProviderId,
  paging,
  Time,
  text,
  textOrNull,
  Website,
  WebUrl,
  wordList,
} from './fields.ts'
import { limits } from './limits.ts'
import { Model } from './models.ts'
import {
  companySizes,
  type ProviderField,
  type ProviderFieldKind,
  type ProviderFieldRow,
  type ProviderFields,
  type ProviderFieldWith,
  providerFieldRows,
} from './provider-fields.ts'
import { routes } from './routes.ts'
import { TrustComponent, trustFields } from './trust.ts'

/** Fields of providers with two names. */
export const providerAliases = {
  description: 'company_description',
  website: 'website_url',
  is_listed: 'is_public',
} as const satisfies Aliases

/** `unregistered` lacks name, email or website; `partially_verified` has proven the mailbox; `verified` the domain. */
export const verificationLevels = ['unregistered', 'unverified', 'partially_verified', 'verified'] as const
/** How far an account is verified. */
export const VerificationLevel = z.enum(verificationLevels)

/** A domain is proven by a DNS record or by a file on its website. */
export const domainMethods = ['dns', 'file'] as const
/** How a domain is proven. */
export const DomainMethod = z.enum(domainMethods)
export type DomainMethod = z.infer<typeof DomainMethod>

/** `stale`: the proof could not be checked, for at most 72 hours. Meanwhile it counts as unproven. */
export const domainStatuses = ['proven', 'stale', 'unproven'] as const
/** State of the proof of a domain. */
export const DomainStatus = z.enum(domainStatuses)
export type DomainStatus = z.infer<typeof DomainStatus>

/** Why a provider is not listed: its name breaks the rules, is protected for another domain, or looks like another one. */
export const listingProblems = ['name_not_allowed', 'name_protected', 'name_looks_alike'] as const

/* ---- the fields that a provider states ---- */

const foundedYear = z
  .number()
  .int()
  .min(1900)
  .refine((year) => year <= new Date().getUTCFullYear(), 'Must not be in the future')

/** For a field of each kind: its schema in a change, where an empty text removes it, and in an answer. */
const schemasOf = {
  required: () => ({ edit: z.string().optional(), output: textOrNull }),
  choice: () => ({ edit: z.string().optional(), output: textOrNull }),
  text: (max: number) => ({ edit: text(max).optional(), output: textOrNull }),
  line: (max: number) => ({ edit: line(max).optional(), output: textOrNull }),
  email: () => ({ edit: z.union([z.literal(''), Email]).optional(), output: textOrNull }),
  url: () => ({ edit: z.union([z.literal(''), WebUrl]).optional(), output: textOrNull }),
  year: () => ({ edit: clearable(foundedYear).optional(), output: z.number().int().nullable() }),
  words: (max: number) => ({ edit: wordList(max).optional(), output: z.array(z.string()) }),
} satisfies Record<ProviderFieldKind, (max: number) => { edit: z.ZodType; output: z.ZodType }>

type Schemas<Names extends ProviderField, In extends 'edit' | 'output'> = {
  [Name in Names]: ReturnType<(typeof schemasOf)[ProviderFields[Name]['kind']]>[In]
}

const fieldSchemas = <Names extends ProviderField, In extends 'edit' | 'output'>(
  use: In,
  isMeant: (row: ProviderFieldRow) => boolean,
) =>
  Object.fromEntries(
    providerFieldRows
      .filter(([, row]) => isMeant(row))
      .map(([name, { kind, max = 0 }]) => [name, schemasOf[kind](max)[use]]),
  ) as unknown as Schemas<Names, In>

/** A provider as everyone sees it. */
export const PublicProvider = z.strictObject({
  id: ProviderId,
  /** The website is shown only if it is at or below a proven domain; its owner always sees it. */
  ...fieldSchemas<ProviderFieldWith<{ shown: 'public' }>, 'output'>('output', ({ shown }) => shown === 'public'),
  company_description: textOrNull,
  logo_url: textOrNull,
  website_url: textOrNull,
  /** The primary domain: the provider's identity, once verified. */
  domain: textOrNull,
  /** Proven, and confirmed by the last check. */
  domain_verified: z.boolean(),
  domain_verified_at: Time.nullable(),
  domain_verification_method: DomainMethod.nullable(),
  domain_status: DomainStatus,
  /** When the proof was last confirmed; it is checked every day. */
  domain_checked_at: Time.nullable(),
  /** Domain of another listed provider that has had a similar name and a proven domain for longer. */
  similar_name_domain: textOrNull,
  verification_level: VerificationLevel,
  ...trustFields,
  headquarters: textOrNull,
  /** The support address; never the account's own address. */
  contact_email: textOrNull,
  /** How many public models have a verified bundle. */
  verified_models: z.number().int(),
  /** How many public, active models there are. */
  public_models: z.number().int(),
  created_at: Time,
})
export type PublicProvider = z.infer<typeof PublicProvider>

/** How to prove a domain: publish this TXT record at the registrable domain. */
export const DomainProof = z.strictObject({
  domain: z.string(),
  record_name: z.string(),
  record_type: z.literal('TXT'),
  record_value: z.string(),
  /** Or serve this JSON file at this address, without redirects. */
  file_url: z.string(),
  file_content: z.strictObject({ countersign: z.string() }),
})
export type DomainProof = z.infer<typeof DomainProof>

/** The caller’s own provider. */
export const Provider = PublicProvider.extend({
  /** The key that the caller presented; never another one. */
  api_key: z.string(),
  /** ID of that key; null for a browser session. */
  key_id: KeyId.nullable(),
  email: textOrNull,
  email_verified: z.boolean(),
  is_listed: z.boolean(),
  is_public: z.boolean(),
  /** Why a provider that chose to be listed is not. */
  listing_problem: z.enum(listingProblems).nullable(),
  is_active: z.boolean(),
  /** The registry was restored from a backup, and the account is not confirmed since. */
  is_suspended: z.boolean(),
  /** The first owner has a passkey or an authenticator that counts. */
  is_protected: z.boolean(),
  /** Changes that take effect later, unless an owner cancels them. */
  delayed_changes: z.number().int(),
  ...fieldSchemas<ProviderFieldWith<{ shown: 'own' }>, 'output'>('output', ({ shown }) => shown === 'own'),
  trust_breakdown: z.array(TrustComponent),
  domain_proof: DomainProof.nullable(),
})
export type Provider = z.infer<typeof Provider>

/** A registration. Everything after the first three fields may follow later. */
export const NewProvider = z
  .strictObject({
    company_name: nameLine(1, 120, 'Company name is required'),
    email: Email,
    website: Website.optional(),
    website_url: Website.optional(),
    is_listed: z.boolean().optional(),
    is_public: z.boolean().optional(),
    description: text(limits.companyDescription).optional(),
    company_description: text(limits.companyDescription).optional(),
  })
  .refine(({ website, website_url }) => (website ?? website_url) !== undefined, {
    ...alwaysChecked,
    path: ['website'],
    message: 'Website is required',
  })
  .transform(unifyAliases(providerAliases))
  .transform((input) => ({ ...input, website: input.website ?? '' }))
export type NewProvider = z.output<typeof NewProvider>

/** A registered provider with its first API key. */
export const RegisteredProvider = z.strictObject({
  provider_id: ProviderId,
  /** Shown once; only its hash is stored. */
  api_key: z.string(),
  key_id: KeyId,
  message: z.string(),
  domain_proof: DomainProof,
})
export type RegisteredProvider = z.infer<typeof RegisteredProvider>

/** Three results: the proof was found, was not found, or could not be checked. */
export const DomainVerdict = z.strictObject({
  result: z.enum(['verified', 'not_verified', 'unknown']),
  reason: z
    .enum([
      'record_not_found',
      'record_differs',
      'name_is_alias',
      'policy_excludes',
      'reserved_name',
      'waiting_period',
      'claim_blocked',
      'dns_unavailable',
      'resolvers_disagree',
      'file_not_found',
      'file_differs',
      'website_unavailable',
    ])
    .nullable(),
  domain: z.string(),
  domain_verified: z.boolean(),
  domain_verification_method: DomainMethod.nullable(),
  domain_proof: DomainProof,
  detail: z.string(),
})
export type DomainVerdict = z.infer<typeof DomainVerdict>

/** Filters and paging of the list of providers. */
export const ProviderQuery = z.strictObject({
  ...paging,
  search: line(limits.searchText).optional(),
  verification: z.enum(['all', 'verified', 'unverified']).default('all'),
  location: line(120).optional(),
  /** `popularity`: verified domains first, then by opened links. */
  sort: z
    .enum(['name', 'location', 'verification', 'popularity', '-name', '-location', '-verification'])
    .default('name'),
})
export type ProviderQuery = z.output<typeof ProviderQuery>

/* ---- changing a provider ---- */

type Certification = ProviderFieldWith<{ section: 'compliance' }>
const isCertification = ({ section }: ProviderFieldRow) => section === 'compliance'

/** Every field that the provider can edit. An empty text clears a field; omitted fields do not change. */
const profileFields = {
  ...fieldSchemas<Exclude<ProviderField, Certification>, 'edit'>('edit', (row) => !isCertification(row)),
  company_name: nameLine(1, 120, 'Company name is required').optional(),
  website: Website.optional(),
  website_url: Website.optional(),
  company_description: text(limits.companyDescription).optional(),
  headquarters_location: z
    .strictObject({ city: line(120).optional(), state: line(120).optional(), country: line(120).optional() })
    .optional(),
  employee_count: z.union([z.literal(''), z.enum(companySizes)]).optional(),
  /** Fetched once, re-encoded and served by the registry. */
  logo_url: z.union([z.literal(''), WebUrl]).optional(),
}

const complianceFields = fieldSchemas<Certification, 'edit'>('edit', isCertification)

const sameHeadquarters = (
  {
    headquarters_location: whole,
    ...input
  }: {
    headquarters_location?: { city?: string; state?: string; country?: string }
    hq_city?: string
    hq_state?: string
    hq_country?: string
  },
  context: z.RefinementCtx,
) => {
  for (const part of ['city', 'state', 'country'] as const) {
    const single = input[`hq_${part}`]
    if (single !== undefined && whole?.[part] !== undefined && single !== whole[part])
      context.addIssue({
        code: 'custom',
        path: [`hq_${part}`],
        message: `hq_${part} and headquarters_location.${part} are the same field and must not differ`,
      })
  }
}

const spreadHeadquarters = <
  T extends {
    headquarters_location?: { city?: string; state?: string; country?: string }
    hq_city?: string
    hq_state?: string
    hq_country?: string
  },
>({
  headquarters_location: whole,
  ...input
}: T) => ({
  ...input,
  hq_city: input.hq_city ?? whole?.city,
  hq_state: input.hq_state ?? whole?.state,
  hq_country: input.hq_country ?? whole?.country,
})

const profileAliases = { description: 'company_description', website: 'website_url' } as const satisfies Aliases

/** Changes to a profile. Omitted fields do not change; an empty text clears a field. */
export const ProfileUpdate = z
  .strictObject(profileFields)
  .superRefine(sameHeadquarters, alwaysChecked)
  .transform(unifyAliases(profileAliases))
  .transform(spreadHeadquarters)
export type ProfileUpdate = z.output<typeof ProfileUpdate>

/** Changes to the certifications. */
export const ComplianceUpdate = z.strictObject(complianceFields)
export type ComplianceUpdate = z.output<typeof ComplianceUpdate>

/** Profile, compliance and listing in one request. */
export const ProviderUpdate = z
  .strictObject({
    ...profileFields,
    ...complianceFields,
    is_listed: z.boolean().optional(),
    is_public: z.boolean().optional(),
  })
  .superRefine(sameHeadquarters, alwaysChecked)
  .transform(unifyAliases(providerAliases))
  .transform(spreadHeadquarters)
export type ProviderUpdate = z.output<typeof ProviderUpdate>

/** The provider after the change, and the effect on its domain proof. */
export const UpdatedProvider = Provider.extend({
  message: z.string(),
  /** The website moved to another registrable domain, so the proof was removed or checked again. */
  domain_verification_updated: z.boolean(),
})
export type UpdatedProvider = z.infer<typeof UpdatedProvider>

/** When a provider is deleted. */
export const DeletedProvider = z.strictObject({
  message: z.string(),
  provider_id: ProviderId,
  /** Now, or 24 hours later if the provider is protected. */
  deletes_at: Time,
  /** The change with which any owner can cancel it until then; null if it was deleted at once. */
  change_id: ChangeId.nullable(),
})
export type DeletedProvider = z.infer<typeof DeletedProvider>

const params = z.strictObject({ id: ProviderId })

/** Endpoints of providers. */
export const providers = {
  register: endpoint(routes.providers.register, {
    summary: 'Register a provider and get its first API key',
    caller: 'optional',
    scope: 'account',
    body: NewProvider,
    response: RegisteredProvider,
    status: 201,
    errors: ['already_registered', 'forbidden'],
  }),
  me: endpoint(routes.providers.me, {
    summary: 'The provider that the credentials belong to',
    caller: 'provider',
    whileDeactivated: true,
    scope: 'any',
    publisher: true,
    response: Provider,
    editTag: 'provider',
  }),
  verifyDomain: endpoint(routes.providers.verifyDomain, {
    summary: 'Check the proof of the provider’s primary domain now',
    caller: 'provider',
    body: z.strictObject({ method: DomainMethod.default('dns') }),
    response: DomainVerdict,
    errors: ['domain_taken'],
  }),
  update: endpoint(routes.providers.update, {
    summary: 'Change any of the provider’s own fields; omitted fields do not change',
    caller: 'provider',
    params,
    body: ProviderUpdate,
    response: UpdatedProvider,
    editTag: 'provider',
    headers: ifMatchHeader,
    errors: ['not_registered', 'upstream_refused', 'upstream_unavailable'],
  }),
  setProfile: endpoint(routes.providers.setProfile, {
    summary: 'Change the profile; omitted fields do not change',
    caller: 'provider',
    params,
    body: ProfileUpdate,
    response: UpdatedProvider,
    errors: ['upstream_refused', 'upstream_unavailable'],
  }),
  setCompliance: endpoint(routes.providers.setCompliance, {
    summary: 'Set certifications; they are shown as self-reported',
    caller: 'provider',
    params,
    body: ComplianceUpdate,
    response: UpdatedProvider,
  }),
  setVisibility: endpoint(routes.providers.setVisibility, {
    summary: 'Show or hide the provider in search and lists',
    caller: 'provider',
    params,
    body: z
      .strictObject({ is_listed: z.boolean().optional(), is_public: z.boolean().optional() })
      .refine(({ is_listed, is_public }) => (is_listed ?? is_public) !== undefined, {
        ...alwaysChecked,
        path: ['is_listed'],
        message: 'Invalid visibility settings',
      })
      .transform(unifyAliases({ is_listed: 'is_public' } as const)),
    response: UpdatedProvider,
    errors: ['not_registered'],
  }),
  uploadLogo: endpoint(routes.providers.uploadLogo, {
    summary: 'Upload a logo: PNG, JPEG or WebP under 5 MiB; it is re-encoded',
    caller: 'provider',
    params,
    maxBodyBytes: limits.logoBytes,
    response: z.strictObject({ logo_url: z.string(), message: z.string() }),
  }),
  deleteLogo: endpoint(routes.providers.deleteLogo, {
    summary: 'Remove the logo',
    caller: 'provider',
    params,
    response: z.strictObject({ message: z.string() }),
  }),
  deactivate: endpoint(routes.providers.deactivate, {
    summary: 'Deactivate the provider: its links stop working and its pages are hidden until it is reactivated',
    caller: 'provider',
    ownersOnly: true,
    params,
    body: z.strictObject({}),
    response: UpdatedProvider,
  }),
  reactivate: endpoint(routes.providers.reactivate, {
    summary: 'Reactivate the provider',
    caller: 'provider',
    ownersOnly: true,
    whileDeactivated: true,
    params,
    body: z.strictObject({}),
    response: UpdatedProvider,
  }),
  delete: endpoint(routes.providers.delete, {
    summary:
      'Delete the provider for good, 24 hours later if it is protected: its links stop working, its pages and data are removed, the trail stays. Its members stay people who can sign in',
    caller: 'provider',
    ownersOnly: true,
    whileDeactivated: true,
    params,
    status: 202,
    response: DeletedProvider,
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
    summary: 'The caller’s own provider by ID',
    caller: 'provider',
    params,
    response: Provider,
  }),
  models: endpoint(routes.providers.models, {
    summary: 'All models of the caller, including private ones',
    caller: 'provider',
    publisher: true,
    params,
    query: z.strictObject({ ...paging, include_archived: flag.optional() }),
    response: z.strictObject({ models: z.array(Model), next_cursor: textOrNull }),
  }),
} satisfies Endpoints<typeof routes.providers>
