import { z } from 'zod'
import { type Endpoints, endpoint, keyScopes, scopes } from './endpoint.ts'
import { KeyId, requiredLine, Time } from './fields.ts'
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
} satisfies Endpoints<typeof routes.keys>
