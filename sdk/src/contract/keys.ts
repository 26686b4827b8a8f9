import { z } from 'zod'
import { type Endpoints, endpoint, keyScopes, scopes } from './endpoint.ts'
import { KeyId, ReviewId, requiredLine, Time, textOrNull } from './fields.ts'
import { routes } from './routes.ts'

export const ApiKey = z.strictObject({
  id: KeyId,
  name: z.string(),
  /** The beginning of the key, to recognise it by. */
  key_prefix: z.string(),
  is_active: z.boolean(),
  /** What the key is restricted to; null: it may do everything. */
  scopes: z.array(z.enum(scopes)).nullable(),
  created_at: Time,
  expires_at: Time.nullable(),
  /** Noted at most once a minute. */
  last_used_at: Time.nullable(),
  revoked_at: Time.nullable(),
  /** Its owner reported that it leaked: links minted with it since then count for nothing. */
  compromised_since: Time.nullable(),
})
export type ApiKey = z.infer<typeof ApiKey>

export const NewApiKey = z.strictObject({
  name: requiredLine(1, 60, 'Name the key, so that you recognise it'),
  /** What the key may do. `full` stands alone: everything. A key of the default mints links and lists them. */
  scopes: z
    .array(z.enum(keyScopes))
    .min(1)
    .max(scopes.length)
    .refine((named) => named.length === 1 || !named.includes('full'), 'full stands alone')
    .default(['links']),
  /** Days from now. Default: it does not expire. */
  expires_in_days: z.number().int().min(1).max(3_650).optional(),
})
export type NewApiKey = z.output<typeof NewApiKey>

export const reviewKinds = [
  'deployment',
  'authorization',
  'publisher',
  'signer',
  'signer_proof',
  'version',
  'unarchived',
  'domain',
  'primary_domain',
  'profile',
] as const
export type ReviewKind = (typeof reviewKinds)[number]

/**
 * What a compromised key, or a key it made, changed. All is suspended until the owner decides, but for versions, the name and the
 * website, and domains that the key verified and did not add.
 */
export const KeyReview = z.strictObject({
  id: ReviewId,
  /** The key that was reported. */
  key_id: KeyId,
  /** Who made the change: that key, a key it made, or a job of a publisher it added. */
  actor: z.string(),
  kind: z.enum(reviewKinds),
  /** Of an authorization the ids of model and deployment, with a space between; of a profile the field. */
  subject_id: z.string(),
  /** As its owner knows it; of a profile the value before and after. */
  name: textOrNull,
  changed_at: Time,
  /** `confirmed` put it back as it was, `withdrawn` ended it for good. */
  decision: z.enum(['confirmed', 'withdrawn']).nullable(),
  decided_at: Time.nullable(),
})
export type KeyReview = z.infer<typeof KeyReview>

export const keys = {
  list: endpoint(routes.keys.list, {
    summary: 'All keys of the caller, revoked ones too; never a key itself',
    caller: 'provider',
    whileDeactivated: true,
    response: z.array(ApiKey),
  }),
  create: endpoint(routes.keys.create, {
    summary:
      'Make a key; it is shown once. By default it only mints links and lists them; ask for more by name. A restricted key cannot make a key that may do more',
    caller: 'provider',
    body: NewApiKey,
    response: ApiKey.extend({ api_key: z.string() }),
    status: 201,
  }),
  revoke: endpoint(routes.keys.revoke, {
    summary: 'Revoke a key for good; it stops at the next request. Any key can revoke itself',
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
    /** Since when others may have had the key. Default: since it was made. */
    body: z.strictObject({ since: Time.optional() }),
    response: z.strictObject({ key: ApiKey, revoked_keys: z.array(KeyId), reviews: z.array(KeyReview) }),
  }),
  reviews: endpoint(routes.keys.reviews, {
    summary: 'What compromised keys changed, newest first: what is still to be decided, and the last decisions',
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
