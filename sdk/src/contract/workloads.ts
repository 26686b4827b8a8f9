import { z } from 'zod'
import { type Endpoints, endpoint, workloadScope } from './endpoint.ts'
import { DeploymentId, ProviderId, Time, textOrNull, WorkloadId } from './fields.ts'
import { limits } from './limits.ts'
import { tokenExchange } from './publishers.ts'
import { routes } from './routes.ts'

const line = (what: string, max: number) =>
  z
    .string(`${what} is required`)
    .min(1, { abort: true, error: `${what} is required` })
    .max(max, { abort: true, error: `Must have at most ${max} characters` })
    .regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/u, `${what} must be one line of visible characters`)

/** An identity of a platform that may stand for a deployment. */
export const NewWorkload = z.strictObject({
  issuer: line('Issuer', 500).regex(
    /^https?:\/\/[^\s?#@/]+(\/[^\s?#@]*[^\s?#@/])?$/,
    'Must be the address of an issuer, such as https://accounts.google.com',
  ),
  /** Must equal the entire `sub`. */
  subject: line('Subject', 300),
  /** Further claims, which must be equal as well, such as `email`. */
  claims: z
    .record(z.string().regex(/^[\w./:-]{1,100}$/, 'Must be the name of a claim'), line('A claim', 300))
    .refine((claims) => Object.keys(claims).length <= 10, 'At most 10 claims')
    .refine(
      (claims) => !Object.keys(claims).some((name) => ['iss', 'sub', 'aud', 'exp', 'iat', 'nbf', 'jti'].includes(name)),
      'These claims are checked anyway: iss, sub, aud, exp, iat, nbf, jti',
    )
    .default({}),
  /** The required `aud`; the registry’s address by default. Only for platforms that cannot write another one. */
  audience: line('Audience', 300).optional(),
  /** By default a new deployment without a key of its own. */
  deployment_id: DeploymentId.optional(),
})
export type NewWorkload = z.output<typeof NewWorkload>

/** An identity of a platform that may stand for a deployment. */
export const Workload = z.strictObject({
  id: WorkloadId,
  deployment_id: DeploymentId,
  issuer: z.string(),
  platform: z.string(),
  subject: z.string(),
  claims: z.record(z.string(), z.string()),
  audience: z.string(),
  created_at: Time,
  last_used_at: Time.nullable(),
  /** Whether the registry still accepts the issuer. Otherwise nothing rests on the identity. */
  is_issuer_accepted: z.boolean(),
})
export type Workload = z.infer<typeof Workload>

/** A token exchange (RFC 8693 §2.1) with a fresh public key. */
export const WorkloadExchange = z.strictObject({
  grant_type: z.literal(tokenExchange.grantType, `Must be ${tokenExchange.grantType}`),
  subject_token: z.string().min(1).max(16_000),
  subject_token_type: z.enum([tokenExchange.idToken, tokenExchange.jwt]),
  /** The workload names its provider: others may trust the same identity. */
  provider_id: ProviderId,
  /** Base64 of the DER of the SubjectPublicKeyInfo; a new key for each exchange. */
  public_key: z.string().regex(/^[A-Za-z0-9+/]{40,1200}={0,2}$/, 'Must be the base64 of a public key (SPKI)'),
})
export type WorkloadExchange = z.output<typeof WorkloadExchange>

/** RFC 8693 §2.2.1. With the access token, and signed with the key, it mints links; both expire together. */
export const WorkloadToken = z.strictObject({
  access_token: z.string(),
  issued_token_type: z.literal(tokenExchange.accessToken),
  token_type: z.literal('Bearer'),
  /** Seconds. */
  expires_in: z.number().int(),
  scope: z.literal(workloadScope),
  workload_id: WorkloadId,
  deployment_id: DeploymentId,
  spki_fingerprint: z.string(),
})
export type WorkloadToken = z.infer<typeof WorkloadToken>

/** Endpoints of workloads. */
export const workloads = {
  list: endpoint(routes.workloads.list, {
    summary: 'Platform identities that may stand for your deployments',
    caller: 'provider',
    response: z.strictObject({ workloads: z.array(Workload), audience: z.string(), next_cursor: textOrNull }),
  }),
  trust: endpoint(routes.workloads.trust, {
    summary: 'Trust a platform identity: workloads that have it mint links as the deployment, without a stored key',
    caller: 'provider',
    scope: 'full',
    body: NewWorkload,
    response: Workload,
    status: 201,
    errors: ['workload_exists', 'not_found'],
  }),
  remove: endpoint(routes.workloads.remove, {
    summary: 'Stop trusting a platform identity; its links stop working at once',
    caller: 'provider',
    scope: 'full',
    params: z.strictObject({ id: WorkloadId }),
    response: Workload,
  }),
  exchange: endpoint(routes.workloads.exchange, {
    summary: 'Exchange a platform’s identity token and a fresh public key for up to an hour as a deployment (RFC 8693)',
    caller: 'public',
    body: WorkloadExchange,
    maxBodyBytes: limits.bodyBytes,
    response: WorkloadToken,
    errors: ['identity_token_invalid', 'workload_mismatch', 'upstream_unavailable'],
  }),
} satisfies Endpoints<typeof routes.workloads>
