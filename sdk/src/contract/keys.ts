import { z } from 'zod'
import { type Endpoints, endpoint, keyScopes, scopes } from './endpoint.ts'
import { KeyId, ReviewId, requiredLine, Time, textOrNull } from './fields.ts'
import { routes } from './routes.ts'

/** An API key, without its secret. */
export const ApiKey = z.strictObject({
  id: KeyId,
  name: z.string(),
  /** The beginning of the key, to recognise it. */
  key_prefix: z.string(),
  is_active: z.boolean(),
  /** Whether the caller made it, or is it. Its maker may revoke it, whatever their role. */
  is_own: z.boolean(),
  /** What the key is restricted to; null: it may do everything. */
  scopes: z.array(z.enum(scopes)).nullable(),
  created_at: Time,
  expires_at: Time.nullable(),
  /** Updated at most once a minute. */
  last_used_at: Time.nullable(),
  revoked_at: Time.nullable(),
  /** Set if its owner reported a leak: links minted with it since then are not valid. */
  compromised_since: Time.nullable(),
})
export type ApiKey = z.infer<typeof ApiKey>

/** A new API key. */
export const NewApiKey = z.strictObject({
  name: requiredLine(1, 60, 'Enter a name for the key'),
  /** What the key may do. `full`, given alone, allows everything. By default a key only mints and lists links. */
  scopes: z
    .array(z.enum(keyScopes))
    .min(1)
    .max(scopes.length)
    .refine((named) => named.length === 1 || !named.includes('full'), 'full cannot be combined with scopes')
    .default(['links']),
  /** Days from now. Default: it does not expire. */
  expires_in_days: z.number().int().min(1).max(3_650).optional(),
})
export type NewApiKey = z.output<typeof NewApiKey>

/** The kinds of changes to review after a key leaked. */
export const reviewKinds = [
  'deployment',
  'authorization',
  'publisher',
  'workload',
  'signer',
  'signer_proof',
  'version',
  'unarchived',
  'domain',
  'primary_domain',
  'profile',
  'member',
] as const
/** A kind of change to review. */
export type ReviewKind = (typeof reviewKinds)[number]

/**
 * A change by a compromised key or a key it made. It is suspended until the owner decides, except versions, the name, the website,
 * owners, domains that the key verified but did not add, and the primary domain of a protected provider.
 */
export const KeyReview = z.strictObject({
  id: ReviewId,
  /** The key that was reported. */
  key_id: KeyId,
  /** The key itself, a key it made, or a job of a publisher it added. */
  actor: z.string(),
  kind: z.enum(reviewKinds),
  /** For an authorization, the IDs of model and deployment separated by a space; for a profile, the field. */
  subject_id: z.string(),
  /** Its name; for a profile, the values before and after. */
  name: textOrNull,
  changed_at: Time,
  /** `confirmed` restored it, `withdrawn` ended it for good. */
  decision: z.enum(['confirmed', 'withdrawn']).nullable(),
  decided_at: Time.nullable(),
})
export type KeyReview = z.infer<typeof KeyReview>

/** Endpoints of API keys. */
export const keys = {
  list: endpoint(routes.keys.list, {
    summary: 'All keys of the caller, including revoked ones, without their secrets',
    caller: 'provider',
    whileDeactivated: true,
    response: z.array(ApiKey),
  }),
  create: endpoint(routes.keys.create, {
    summary:
      'Make a key; it is shown once. By default it only mints and lists links; name scopes to allow more. A restricted key or a member cannot make a key that may do more than they may themselves',
    caller: 'provider',
    personal: true,
    body: NewApiKey,
    response: ApiKey.extend({ api_key: z.string() }),
    status: 201,
  }),
  revoke: endpoint(routes.keys.revoke, {
    summary: 'Revoke a key for good; it stops working at the next request. Any key can revoke itself',
    caller: 'provider',
    scope: 'any',
    errors: ['forbidden'],
    whileDeactivated: true,
    params: z.strictObject({ id: KeyId }),
    response: ApiKey,
  }),
  compromise: endpoint(routes.keys.compromise, {
    summary:
      'Revoke a key that leaked: its links stop being valid, keys it made are revoked, and what it changed is suspended until you review it',
    caller: 'provider',
    whileDeactivated: true,
    params: z.strictObject({ id: KeyId }),
    /** When others may first have had the key. Default: when it was made. */
    body: z.strictObject({ since: Time.optional() }),
    response: z.strictObject({ key: ApiKey, revoked_keys: z.array(KeyId), reviews: z.array(KeyReview) }),
  }),
  reviews: endpoint(routes.keys.reviews, {
    summary: 'Changes by compromised keys, newest first: open ones and the last decisions',
    caller: 'provider',
    whileDeactivated: true,
    response: z.strictObject({ reviews: z.array(KeyReview) }),
  }),
  review: endpoint(routes.keys.review, {
    summary: 'Decide on a change that a compromised key made: confirm it as yours, or withdraw it for good',
    caller: 'provider',
    params: z.strictObject({ id: ReviewId }),
    body: z.strictObject({ decision: z.enum(['confirmed', 'withdrawn']) }),
    response: KeyReview,
    errors: ['already_decided'],
  }),
} satisfies Endpoints<typeof routes.keys>
