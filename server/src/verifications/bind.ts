import { type Claims, Refusal } from '@countersign/sdk/contract'
import { readLink } from '@countersign/sdk/verify'
import type { Caller } from '../http/callers.ts'
import type { SigningService } from '../signing/service.ts'
import { sha256 } from './codes.ts'
import type { Decide } from './decide.ts'
import type { PartDeps } from './deps.ts'
import { holdKey, insertBinding } from './mint-store.ts'
import { bindingOf, originOf, shownVersionOf, workloadOf } from './record.ts'
import { isProven, type Verdict, workloadClaims } from './rules.ts'
import type { LinkRow } from './store.ts'

type BoundBy = 'provider' | 'bearer'

/** Signs a token that carries the digest of an answer. */
export const createSignBound =
  (signing: Pick<SigningService, 'sign'>) =>
  async (kid: string, claims: Claims, response_hash: string, bound_by: BoundBy) => {
    const token = await signing.sign(kid, 'bound', { ...claims, bound_to_response: true, response_hash, bound_by })
    return { token, digest: sha256(token, 'base64url') }
  }

/** A new signature repeats only what the registry shows now: offline, no one else could know. */
const claimsNow = (claims: Claims, row: LinkRow, { result }: Verdict): Claims => {
  const binding = bindingOf(row)
  return {
    ...claims,
    provider_domain: result === 'verified' ? claims.provider_domain : undefined,
    version: shownVersionOf(row),
    deployment_binding: binding ?? undefined,
    spki_fingerprint: isProven(binding) ? claims.spki_fingerprint : undefined,
    ...workloadClaims(workloadOf(row)),
    origin: originOf(row) ?? undefined,
  }
}

/** Binds an answer to a link. */
export const createBind = ({ database, signing, now, codes }: PartDeps, { decide, claimsOf, refuseLink }: Decide) => {
  const signBound = createSignBound(signing)

  /** Takes the token only: a link is public, so anyone who saw it could put words into the model's mouth. */
  return async (caller: Caller | undefined, token: string, response_text: string) => {
    if (readLink(token).kind !== 'token')
      throw refuseLink('link_malformed', { reason: 'malformed', change: null, checks: [] })
    const { row, verdict } = await decide(token)
    const bound_by: BoundBy = caller?.provider_id === row.provider_id ? 'provider' : 'bearer'
    const response_hash = sha256(response_text, 'hex')
    const bound = await signBound(row.kid, claimsNow(claimsOf(row), row, verdict), response_hash, bound_by)
    const api_key_id = bound_by === 'provider' ? (caller?.key_id ?? null) : null
    const inserted = await database.transaction(async (tx) => {
      const { provider_id, id: verification_id } = row
      // The key may have been reported since the request began.
      if (api_key_id !== null && !(await holdKey(tx, { provider_id, id: api_key_id })))
        throw new Refusal('unauthorized')
      return insertBinding(tx, {
        provider_id,
        verification_id,
        bound_by,
        response_hash,
        token_digest: bound.digest,
        bound_at: now(),
        api_key_id,
      })
    })
    if (!inserted)
      throw new Refusal('already_bound', 'An answer is already bound to this token; it cannot be replaced.')
    return { bound_token: bound.token, response_hash, bound_by, verification_url: codes.urlOf(row.id, row.issued_at) }
  }
}
