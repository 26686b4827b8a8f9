import { z } from 'zod'
import { type Endpoints, endpoint } from './endpoint.ts'
import { flag, ModelId, ProviderId, pageLimit, Time, textOrNull } from './fields.ts'
import { limits } from './limits.ts'
import { routes } from './routes.ts'
import { TrustLevel } from './trust.ts'

/** What to search for. */
export const SearchQuery = z.strictObject({
  /** Words, a domain, an ID, or the digest of a model; a text under two characters finds nothing. */
  q: z.string().max(limits.searchText).default(''),
  /** Results per group. */
  limit: pageLimit(limits.maxPageSize, limits.searchResults),
  include_providers: flag.default(true),
  include_models: flag.default(true),
})
export type SearchQuery = z.output<typeof SearchQuery>

/** A provider that a search found. */
export const FoundProvider = z.strictObject({
  id: ProviderId,
  title: z.string(),
  description: textOrNull,
  domain: textOrNull,
  domain_verified: z.boolean(),
  trust_level: TrustLevel,
  /** Path of its page. */
  url: z.string(),
})
export type FoundProvider = z.infer<typeof FoundProvider>

/** A model that a search found. */
export const FoundModel = z.strictObject({
  id: ModelId,
  title: z.string(),
  /** The provider's verified domain, or its name. */
  subtitle: textOrNull,
  version: z.string(),
  description: z.string(),
  provider_domain_verified: z.boolean(),
  registered_at: Time,
  /** Results for a digest are in this order. It may be later than the registration. */
  digest_at: Time.nullable(),
  url: z.string(),
})
export type FoundModel = z.infer<typeof FoundModel>

/** Providers and models that a search found. */
export const SearchResult = z.strictObject({
  providers: z.array(FoundProvider),
  models: z.array(FoundModel),
  /** Both groups together; exact up to 1,000. */
  total: z.number().int(),
  total_is_lower_bound: z.boolean(),
})
export type SearchResult = z.infer<typeof SearchResult>

/** The endpoint of the search. */
export const search = {
  find: endpoint(routes.search.find, {
    summary: 'Listed providers and public models by name; verified domains first',
    caller: 'public',
    query: SearchQuery,
    response: SearchResult,
  }),
} satisfies Endpoints<typeof routes.search>
