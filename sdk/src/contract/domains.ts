import { z } from 'zod'
import { type Endpoints, endpoint } from './endpoint.ts'
import { requiredLine, Time } from './fields.ts'
import { DomainMethod, DomainProof, DomainStatus, DomainVerdict } from './providers.ts'
import { routes } from './routes.ts'

/** A domain that the caller has proven or wants to prove. */
export const Domain = z.strictObject({
  domain: z.string(),
  /** The identity on pages and in new links. */
  is_primary: z.boolean(),
  /** When it becomes primary, if that takes effect later. */
  becomes_primary_at: Time.nullable(),
  status: DomainStatus,
  method: DomainMethod.nullable(),
  verified_at: Time.nullable(),
  /** When the proof was last confirmed; it is checked every day. */
  checked_at: Time.nullable(),
  /** When the proof could first not be checked. */
  stale_since: Time.nullable(),
  /** When the proof was lost. */
  lost_at: Time.nullable(),
  /** Set if another provider has proven the domain: from then on it is the caller’s if the caller’s proof holds and the other’s does not. */
  contest_ends_at: Time.nullable(),
  domain_proof: DomainProof,
  created_at: Time,
})
export type Domain = z.infer<typeof Domain>

/** The caller’s domains. */
export const DomainList = z.strictObject({ domains: z.array(Domain) })
export type DomainList = z.infer<typeof DomainList>

const params = z.strictObject({ domain: z.string().regex(/^[a-z0-9.-]{1,253}$/i) })

/** Endpoints of domains. */
export const domains = {
  list: endpoint(routes.domains.list, {
    summary: 'The caller’s domains with the state of their proofs, the primary one first',
    caller: 'provider',
    whileDeactivated: true,
    response: DomainList,
  }),
  add: endpoint(routes.domains.add, {
    summary: 'Add a domain to prove; the answer says what to publish',
    caller: 'provider',
    body: z.strictObject({
      /** A domain or an address at it. */
      domain: requiredLine(1, 2_000, 'Domain is required'),
    }),
    response: Domain,
    status: 201,
  }),
  verify: endpoint(routes.domains.verify, {
    summary: 'Check the proof of a domain now',
    caller: 'provider',
    params,
    body: z.strictObject({ method: DomainMethod.default('dns') }),
    response: DomainVerdict,
    errors: ['domain_taken'],
  }),
  remove: endpoint(routes.domains.remove, {
    summary: 'Remove a domain; links minted under it are no longer verified',
    caller: 'provider',
    params,
    response: Domain,
    errors: ['domain_is_primary', 'claim_blocked'],
  }),
  makePrimary: endpoint(routes.domains.makePrimary, {
    summary: 'Make a proven domain the primary one, 24 hours later if the provider is protected',
    caller: 'provider',
    params,
    body: z.strictObject({}),
    response: Domain,
    errors: ['domain_not_proven'],
  }),
} satisfies Endpoints<typeof routes.domains>
