import type {
  Check,
  Claims,
  Inspection,
  LinkErrorCode,
  LinkLog,
  Reason,
  VerificationResult,
} from '@countersign/sdk/contract'
import { Refusal } from '@countersign/sdk/contract'
import { formatLinkCode, readVerdict } from '@countersign/sdk/verify'
import { failureOf } from '../db/retry.ts'
import type { PartDeps } from './deps.ts'
import type { Find, FoundLink } from './find.ts'
import {
  bindingOf,
  boundAnswerOf,
  factNamesOf,
  fingerprintOf,
  keyFactOf,
  linkFactsOf,
  mintedWorkloadOf,
  originOf,
  resultOf,
} from './record.ts'
import {
  evaluateLink,
  isHidden,
  linkErrorCode,
  linkWords,
  type Verdict,
  withLogCheck,
  workloadClaims,
} from './rules.ts'
import type { LinkRow } from './store.ts'

/** Decides whether a link is valid, and what it proves. */
export const createDecide = ({ publicUrl, now, count, codes, standing }: PartDeps, find: Find) => {
  /** The third answer: the link could not be checked, so it is neither valid nor invalid. */
  const orCouldNotCheck = (error: unknown): never => {
    if (failureOf(error) === undefined) throw error
    throw new Refusal(
      'could_not_check',
      linkWords.could_not_check,
      { issuer: publicUrl, result: 'unknown', reason: 'keys_unavailable', change: null, checks: [] },
      { cause: error },
    )
  }

  const refuseLink = (
    code: LinkErrorCode,
    verdict: Pick<Verdict, 'reason' | 'change' | 'checks'>,
    verification?: VerificationResult,
  ) => {
    const { reason, change, checks } = verdict
    const details = {
      issuer: publicUrl,
      result: 'not_verified',
      reason,
      change,
      checks,
      ...(verification && { verification }),
    }
    return new Refusal(code, linkWords[code], details)
  }

  const refuseUnfound = ({ reason, checks }: { reason: Reason; checks: Check[] }) =>
    refuseLink(linkErrorCode({ reason, change: null }) ?? 'link_forged', { reason, change: null, checks })

  const resultAt = (
    { row, code = codes.codeOf(row.id, row.issued_at) }: FoundLink,
    verdict: Verdict & { log: LinkLog },
    at: number,
  ) => resultOf(row, verdict, { issuer: publicUrl, link_code: formatLinkCode(code), now: at })

  /** The verdict with the check of the transparency log. */
  const withLog = async (row: LinkRow, verdict: Verdict) => {
    const { provider_id } = row
    const log = await standing({ provider_id, key: keyFactOf(row), facts: factNamesOf(row, verdict.change) })
    return { ...verdict, checks: withLogCheck(verdict.checks, log, now()), log }
  }

  /** The link and its verdict if it is valid; otherwise throws the error that says what it was. */
  const decide = async (input: string): Promise<FoundLink & { verdict: Verdict }> => {
    const found = await find(input).catch(orCouldNotCheck)
    if ('refused' in found) {
      count.verdict({ result: 'not_verified', reason: found.refused.reason })
      throw refuseUnfound(found.refused)
    }
    const verdict = evaluateLink(linkFactsOf(found.row), now())
    count.verdict(verdict)
    const code = linkErrorCode(verdict)
    if (!code) return { ...found, verdict }
    if (isHidden(verdict.change)) throw refuseLink(code, verdict)
    const logged = await withLog(found.row, verdict)
    throw refuseLink(code, logged, resultAt(found, logged, now()))
  }

  /** The claims at minting, with the answer that was bound since. */
  const claimsOf = (row: LinkRow): Claims => {
    const { provider_hash } = row
    const response_hash = provider_hash ?? row.bearer_hash
    return {
      iss: publicUrl,
      jti: row.id,
      iat: row.issued_at / 1_000,
      exp: row.expires_at / 1_000,
      model_id: row.model_id,
      provider_id: row.provider_id,
      provider_domain: row.minted_domain ?? undefined,
      model_identifier: row.api_model_identifier,
      version: row.version,
      model_digest: row.minted_digest ?? undefined,
      deployment_id: row.deployment_id ?? undefined,
      deployment_binding: row.binding ?? undefined,
      spki_fingerprint: row.binding === null ? undefined : (fingerprintOf(row) ?? undefined),
      ...workloadClaims(mintedWorkloadOf(row)),
      user_fp: row.user_fp ?? undefined,
      challenge: row.challenge ?? undefined,
      origin: row.origin ?? undefined,
      bound_to_response: response_hash !== null,
      ...(response_hash !== null && {
        response_hash,
        bound_by: provider_hash === null ? ('bearer' as const) : ('provider' as const),
      }),
    }
  }

  const get = async (input: string): Promise<VerificationResult> => {
    const { verdict, ...found } = await decide(input)
    return resultAt(found, await withLog(found.row, verdict), now())
  }

  const inspect = async (input: string): Promise<Inspection> => {
    const found = await find(input).catch(orCouldNotCheck)
    const issuer = publicUrl
    const empty = { steps: null, claims: null, model: null, provider: null, bundle_check: null }
    if ('refused' in found) {
      const { reason, checks } = found.refused
      count.verdict({ result: 'not_verified', reason })
      return { issuer, valid: false, result: 'not_verified', strength: null, reason, change: null, checks, ...empty }
    }
    const { row } = found
    const verdict = evaluateLink(linkFactsOf(row), now())
    count.verdict(verdict)
    if (isHidden(verdict.change)) return { issuer, valid: false, ...verdict, ...empty }
    const at = now()
    const reading = readVerdict(resultAt(found, await withLog(row, verdict), at), { issuer, at })
    const { result, strength, steps, reason, change, checks, record } = reading
    if (record === null) return { issuer, valid: false, result, strength, reason, change, checks, ...empty }
    const { model, provider } = record
    return {
      issuer,
      valid: result === 'verified',
      result,
      strength,
      steps: result === 'verified' || reading.outcome === 'provider_unverified' ? steps : null,
      reason,
      change,
      checks,
      claims: found.claims ?? claimsOf(row),
      model,
      provider,
      bundle_check: model && {
        status: model.bundle_status,
        timestamp: model.bundle_last_checked,
        details: model.bundle_verification_details,
        signer: model.bundle_signer,
      },
    }
  }

  /** The verdict on a link, valid or not, with the names of the facts that it rests on. Rejected if it was never issued here. */
  const restsOn = async (input: string) => {
    const found = await find(input).catch(orCouldNotCheck)
    if ('refused' in found) throw refuseUnfound(found.refused)
    const { row, code = codes.codeOf(row.id, row.issued_at) } = found
    const { result, strength, reason, change } = evaluateLink(linkFactsOf(row), now())
    const answer = boundAnswerOf(row)
    return {
      provider_id: row.provider_id,
      key: keyFactOf(row),
      link_code: formatLinkCode(code),
      expires_at: row.expires_at,
      shown: {
        jti: row.id,
        challenge: row.challenge,
        origin: originOf(row),
        response_hash: answer?.response_hash ?? null,
        bound_by: answer?.bound_by ?? null,
      },
      verdict: { result, strength, reason, change, binding: strength === 'deployment' ? bindingOf(row) : null },
      facts: factNamesOf(row, change),
    }
  }

  /** What a link was issued for, however long ago. Rejected if it was never issued here. */
  const subjectOf = async (
    input: string,
  ): Promise<{ provider_id: string; model_id: string; verification_id: string }> => {
    const found = await find(input).catch(orCouldNotCheck)
    if ('row' in found) {
      const { provider_id, model_id, id } = found.row
      return { provider_id, model_id, verification_id: id }
    }
    const { reason, checks } = found.refused
    // Our own signature on a token that is not in the record: unknown, both before and after it expired.
    throw refuseUnfound(reason === 'expired' || reason === 'revoked' ? { reason: 'not_found', checks } : found.refused)
  }

  return { decide, get, inspect, restsOn, subjectOf, claimsOf, refuseLink }
}

export type Decide = ReturnType<typeof createDecide>
