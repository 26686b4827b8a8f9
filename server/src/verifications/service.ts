import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto'
import {
  type Check,
  type Claims,
  type Inspection,
  type LinkErrorCode,
  limits,
  type NewVerification,
  type Reason,
  Refusal,
  type Verification,
  type VerificationResult,
} from '@countersign/sdk/contract'
import {
  checkToken,
  createLinkCode,
  formatLinkCode,
  importKeys,
  readLink,
  readToken,
  readVerdict,
  tokenTypes,
} from '@countersign/sdk/verify'
import type { Database } from '../db/engine.ts'
import { createGroupCommit } from '../db/group-commit.ts'
import { proofAt } from '../db/proofs.ts'
import { failureOf } from '../db/retry.ts'
import type { DeploymentService } from '../deployments/service.ts'
import type { DomainService } from '../domains/service.ts'
import type { EventRecorder } from '../events/service.ts'
import type { Caller } from '../http/callers.ts'
import type { Visitor } from '../http/endpoint.ts'
import type { Peer } from '../http/peer.ts'
import type { NewId } from '../ids.ts'
import type { Protection } from '../names/rules.ts'
import type { SearchService } from '../search/service.ts'
import type { SigningService } from '../signing/service.ts'
import {
  householdOf,
  isGone,
  isPlainlyAt,
  judgeLink,
  linkErrorCode,
  linkWords,
  mintingRefusal,
  originRefusal,
  type Verdict,
} from './rules.ts'
import {
  atTime,
  insertBinding,
  insertSnapshot,
  insertVerification,
  type LinkRow,
  linkFactsOf,
  type MintRow,
  markMinted,
  markOpened,
  prepareFindByCode,
  prepareFindById,
  prepareMintFacts,
  resultOf,
  snapshotOf,
  verificationColumns,
  withShownNames,
} from './store.ts'

interface Needs {
  database: Database
  events: EventRecorder
  signing: SigningService
  deployments: DeploymentService
  domains: Pick<DomainService, 'originStanding'>
  search: SearchService
  protection: Protection
  /** Issuer of tokens and origin of links. */
  publicUrl: string
  now: () => number
  newId: NewId
  count: { mint: () => void; verdict: (verdict: Pick<Verdict, 'result' | 'reason'>) => void }
}

type BoundBy = 'provider' | 'bearer'
/** A link as it was found, or why it was not. */
type Found = { row: LinkRow; isOfBearer?: boolean } | { refused: { reason: Reason; checks: Check[] } }

const sha256 = (text: string, encoding: 'hex' | 'base64url') => hash('sha256', text, encoding)

// Node takes eight times as long when the secret is bytes and not a key object.
const hmac = (secret: KeyObject, text: string) => createHmac('sha256', secret).update(text).digest()

const dayMs = 86_400_000

const maxUserSecrets = 10_000
const maxFrozen = 20_000

/** The time bucket stays in front, so that neighbours in time are neighbours in the index. */
const codeKeyOf = (code: string) => code.slice(0, 2) + sha256(code, 'base64url').slice(0, 30)

export const createVerificationService = ({
  database,
  events,
  signing,
  deployments,
  domains,
  search,
  protection,
  publicUrl,
  now,
  newId,
  count,
}: Needs) => {
  const mintFacts = prepareMintFacts(database)
  const findByCode = prepareFindByCode(database)
  const findById = prepareFindById(database)
  const commits = createGroupCommit(database.appender('verifications', verificationColumns))
  const frozen = new Map<string, string>()
  const linkSecret = signing.deriveSecret('link codes')
  const userSecret = signing.deriveSecret('user fingerprints')
  const viewerSecret = signing.deriveSecret('visitors')
  const userSecrets = new Map<string, KeyObject>()

  /** A verification's code follows from its id, so that it need not be kept to be shown again. */
  const codeOf = (id: string, issued_at: number) => createLinkCode(issued_at, hmac(linkSecret, id))
  const urlOf = (id: string, issued_at: number) => `${publicUrl}/v/${formatLinkCode(codeOf(id, issued_at))}`

  /** Each provider has a secret of its own, so that the same user looks different to each. */
  const userSecretOf = (provider_id: string): KeyObject => {
    const known = userSecrets.get(provider_id)
    if (known) return known
    if (userSecrets.size >= maxUserSecrets) userSecrets.clear()
    const secret = createSecretKey(hmac(userSecret, provider_id))
    userSecrets.set(provider_id, secret)
    return secret
  }

  /* ---- minting ---- */

  const issue = (caller: Caller, input: NewVerification, facts: MintRow, peer: Peer | undefined) => {
    const iat = Math.floor(now() / 1_000)
    const jti = newId('vrf')
    const provider_domain = facts.domain_verified_at === null ? undefined : (facts.domain ?? undefined)
    const user_fp =
      input.user_fingerprint === undefined
        ? undefined
        : hmac(userSecretOf(caller.provider_id), input.user_fingerprint).toString('base64url')
    const claims: Claims = {
      iss: publicUrl,
      jti,
      iat,
      exp: iat + limits.tokenLifetimeSeconds,
      model_id: input.model_id,
      provider_id: caller.provider_id,
      provider_domain,
      model_identifier: facts.api_model_identifier,
      version: facts.version,
      model_digest: facts.model_digest ?? undefined,
      deployment_id: peer && (facts.deployment_id ?? undefined),
      deployment_binding: peer?.binding,
      spki_fingerprint: peer?.fingerprint,
      user_fp,
      challenge: input.challenge || undefined,
      origin: input.origin,
      bound_to_response: false,
    }
    return claims
  }

  /**
   * Makes sure that what a link names is stored, and returns its id. Contents that are known to be there are remembered, so that
   * minting writes one only after something changed.
   */
  const freeze = async (provider_id: string, facts: MintRow): Promise<string> => {
    const content = snapshotOf(facts)
    const text = JSON.stringify([provider_id, content])
    const known = frozen.get(text)
    if (known !== undefined) return known
    const id = sha256(text, 'base64url').slice(0, 32)
    await database.transaction((tx) => insertSnapshot(tx, { provider_id, id, ...content }))
    if (frozen.size >= maxFrozen) frozen.clear()
    frozen.set(text, id)
    return id
  }

  interface Minted {
    kid: string
    token: string
    code: string
    snapshot_id: string
    api_key_id: string | null
    origin_domain: string | null
  }

  const recordOf = (claims: Claims, input: NewVerification, { kid, token, code, snapshot_id, api_key_id, origin_domain }: Minted) => ({
    id: claims.jti,
    provider_id: claims.provider_id,
    model_id: claims.model_id,
    deployment_id: claims.deployment_id ?? null,
    binding: claims.deployment_binding ?? null,
    kid,
    code_key: codeKeyOf(code),
    token_digest: sha256(token, 'base64url'),
    issued_at: claims.iat * 1_000,
    expires_at: claims.exp * 1_000,
    snapshot_id,
    api_key_id,
    user_fp: claims.user_fp ?? null,
    challenge: claims.challenge ?? null,
    origin: claims.origin ?? null,
    origin_domain,
    prompt_hash: input.prompt === undefined ? null : sha256(input.prompt, 'hex'),
    metadata: input.metadata === undefined ? null : JSON.stringify(input.metadata),
    opened_at: null,
  })

  const signBound = async (kid: string, claims: Claims, response_hash: string, bound_by: BoundBy) => {
    const token = await signing.sign(kid, 'bound', { ...claims, bound_to_response: true, response_hash, bound_by })
    return { token, digest: sha256(token, 'base64url') }
  }

  /** The first link of a version closes it for edits, before what it names is read for the last time. */
  const factsFor = async (caller: Caller, model_id: string, peer: Peer | undefined): Promise<MintRow> => {
    const { provider_id } = caller
    const read = async () => {
      const [facts] = await mintFacts({ provider_id, model_id, fingerprint: peer?.fingerprint ?? '' })
      const refusal = mintingRefusal(facts, peer)
      if (refusal || !facts) throw refusal
      const { domain_verified_at, domain_stale_since, domain_checked_at } = facts
      const proof = proofAt({ verified_at: domain_verified_at, stale_since: domain_stale_since, checked_at: domain_checked_at }, now())
      return { ...facts, domain_verified_at: proof.stale_since === null ? proof.verified_at : null }
    }
    const facts = await read()
    if (facts.first_minted_at !== null) return facts
    await database.transaction((tx) => markMinted(tx, { provider_id, id: model_id, at: now() }))
    return read()
  }

  /** At the primary domain nothing more is read. Answers the own domain that the origin stands on. */
  const checkOrigin = async (
    { provider_id }: Caller,
    origin: string,
    { domain, domain_verified_at }: MintRow,
  ): Promise<{ origin_domain: string | null; isSlow: boolean }> => {
    if (domain !== null && domain_verified_at !== null && isPlainlyAt(origin, domain)) return { origin_domain: domain, isSlow: false }
    const { standing, at } = await domains.originStanding(provider_id, origin)
    const refusal = originRefusal(origin, standing, provider_id)
    if (refusal) throw refusal
    return { origin_domain: at, isSlow: true }
  }

  /** What a link is made of. DNS may take seconds: what was read before it is read again. */
  const prepare = async (caller: Caller, { model_id, origin }: NewVerification, peer: Peer | undefined) => {
    const facts = await factsFor(caller, model_id, peer)
    if (origin === undefined) return { facts, origin_domain: null }
    const { origin_domain, isSlow } = await checkOrigin(caller, origin, facts)
    return { facts: isSlow ? await factsFor(caller, model_id, peer) : facts, origin_domain }
  }

  /** The first proof is told before the link is there, as it makes the key its provider's alone; later ones when there is time. */
  const noteUse = async (caller: Caller, facts: MintRow, id: string, { binding, fingerprint }: Peer) => {
    const proven_by = binding === 'self-asserted' ? null : binding
    const isStronger = facts.deployment_proven_by === null || (proven_by === 'mtls' && facts.deployment_proven_by === 'proxy')
    if (proven_by !== null && isStronger) await deployments.noteProof(caller, { id, by: proven_by, fingerprint })
    else deployments.noteUse(caller, { id, proven_by, ...facts })
  }

  const warningsOf = (facts: MintRow, peer: Peer | undefined): string[] => [
    ...(facts.domain_verified_at === null ? ['Your domain is not verified: the link will say that nobody has checked who you are.'] : []),
    ...(facts.bundle_status === 'invalid'
      ? [
          'The signed bundle of this version is not valid: the link is not good until you give another bundle. The version’s bundle status says why.',
        ]
      : []),
    ...(facts.superseded_at === null ? [] : ['This version is superseded: the link will say so.']),
    ...(peer?.isExpired ? ['The client certificate has expired. Its key still counts as proof.'] : []),
    ...(peer?.binding === 'self-asserted' ? ['The deployment is only named, not proven: ask over mutual TLS to prove it.'] : []),
  ]

  /* ---- finding ---- */

  const refused = (reason: Reason, detail: string): Found => {
    const check = reason === 'foreign_registry' ? 'issuer' : reason === 'not_found' ? 'signature' : 'format'
    return { refused: { reason, checks: [{ check, passed: false, detail, checked_at: new Date(now()).toISOString() }] } }
  }

  const findToken = async (token: string): Promise<Found> => {
    const reading = readToken(token)
    if (!reading) return refused('malformed', linkWords.link_malformed)
    const { claims, header } = reading
    if (claims.iss !== publicUrl) return refused('foreign_registry', linkWords.link_foreign)
    const [row] = await findById({ provider_id: claims.provider_id, id: claims.jti, at: now() })
    if (row) {
      // What we issued is known by its digest; no signature needs to be computed.
      const digest = sha256(token, 'base64url')
      const issued = header.typ === tokenTypes.bound ? [row.provider_digest, row.bearer_digest] : [row.token_digest]
      if (issued.includes(digest)) return { row: atTime(row, now()), isOfBearer: digest === row.bearer_digest }
    }
    const keys = await signing.list()
    const jwks = {
      keys: keys.map(({ kid, public_x }) => ({ kty: 'OKP', crv: 'Ed25519', x: public_x, kid, alg: 'EdDSA', use: 'sig' }) as const),
    }
    const verdict = await checkToken({ reading, keys: await importKeys(jwks), issuer: publicUrl, now: now(), clockToleranceSeconds: 0 })
    // A good signature on a token that is not in the record proves nothing we can vouch for.
    return verdict.reason === null
      ? refused('not_found', linkWords.link_unknown)
      : { refused: { reason: verdict.reason, checks: verdict.checks } }
  }

  const lookUp = async (input: string): Promise<Found> => {
    const reading = readLink(input)
    if (reading.origin !== null && reading.origin !== publicUrl) return refused('foreign_registry', linkWords.link_foreign)
    if (reading.kind === 'malformed') return refused('malformed', linkWords.link_malformed)
    if (reading.kind === 'mistyped') return refused('mistyped', linkWords.link_mistyped)
    if (reading.kind === 'token') return findToken(reading.token)
    const [row] = await findByCode({ code_key: codeKeyOf(reading.code), at: now() })
    return row ? { row: atTime(row, now()) } : refused('not_found', linkWords.link_unknown)
  }

  const find = async (input: string): Promise<Found> => {
    const found = await lookUp(input)
    return 'row' in found ? { ...found, row: withShownNames(protection, found.row) } : found
  }

  /** The third answer: we could not look, so we say neither good nor bad. */
  const orCouldNotCheck = (error: unknown): never => {
    if (failureOf(error) === undefined) throw error
    throw new Refusal(
      'could_not_check',
      linkWords.could_not_check,
      { issuer: publicUrl, result: 'unknown', reason: 'keys_unavailable', change: null, checks: [] },
      { cause: error },
    )
  }

  const refuseLink = (code: LinkErrorCode, verdict: Pick<Verdict, 'reason' | 'change' | 'checks'>, verification?: VerificationResult) => {
    const { reason, change, checks } = verdict
    const told = { issuer: publicUrl, result: 'not_verified', reason, change, checks, ...(verification && { verification }) }
    return new Refusal(code, linkWords[code], told)
  }

  const refuseUnfound = ({ reason, checks }: { reason: Reason; checks: Check[] }) =>
    refuseLink(linkErrorCode({ reason, change: null }) ?? 'link_forged', { reason, change: null, checks })

  const tell = (row: LinkRow, verdict: Verdict, at: number) =>
    resultOf(row, verdict, { issuer: publicUrl, link_code: formatLinkCode(codeOf(row.id, row.issued_at)), now: at })

  /** The link's row and verdict while it is good; else the refusal that says what it was. */
  const judge = async (input: string): Promise<{ row: LinkRow; verdict: Verdict }> => {
    const found = await find(input).catch(orCouldNotCheck)
    if ('refused' in found) {
      count.verdict({ result: 'not_verified', reason: found.refused.reason })
      throw refuseUnfound(found.refused)
    }
    const { row } = found
    const verdict = judgeLink(linkFactsOf(row), now())
    count.verdict(verdict)
    const code = linkErrorCode(verdict)
    if (!code) return { row, verdict }
    throw refuseLink(code, verdict, isGone(verdict.change) ? undefined : tell(row, verdict, now()))
  }

  /** A bearer's bound token holds the bearer's answer, also where the provider bound another one. */
  const claimsOf = (row: LinkRow, isOfBearer = false): Claims => {
    const provider_hash = isOfBearer ? null : row.provider_hash
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
      spki_fingerprint: row.binding === null ? undefined : (row.spki_fingerprint ?? undefined),
      user_fp: row.user_fp ?? undefined,
      challenge: row.challenge ?? undefined,
      origin: row.origin ?? undefined,
      bound_to_response: response_hash !== null,
      ...(response_hash !== null && { response_hash, bound_by: provider_hash === null ? ('bearer' as const) : ('provider' as const) }),
    }
  }

  return {
    /** The link is durable before it is answered; repeating the call makes another link. */
    async create(caller: Caller, input: NewVerification, peer: Peer | undefined): Promise<Verification> {
      const { facts, origin_domain } = await prepare(caller, input, peer)
      if (peer && facts.deployment_id !== null) await noteUse(caller, facts, facts.deployment_id, peer)
      const claims = issue(caller, input, facts, peer)
      const { kid } = facts
      const token = await signing.sign(kid, 'plain', claims)
      const code = codeOf(claims.jti, claims.iat * 1_000)
      const snapshot_id = await freeze(caller.provider_id, facts)
      const record = recordOf(claims, input, { kid, token, code, snapshot_id, api_key_id: caller.key_id, origin_domain })
      const response_hash = input.response === undefined ? null : sha256(input.response, 'hex')
      const bound = response_hash === null ? null : await signBound(kid, claims, response_hash, 'provider')
      if (response_hash === null || bound === null) await commits.insert(record)
      else {
        await database.transaction(async (tx) => {
          await insertVerification(tx, record)
          await insertBinding(tx, {
            provider_id: caller.provider_id,
            verification_id: claims.jti,
            bound_by: 'provider',
            response_hash,
            token_digest: bound.digest,
            bound_at: now(),
          })
        })
      }
      count.mint()
      return {
        verification_id: claims.jti,
        verification_url: `${publicUrl}/v/${formatLinkCode(code)}`,
        token,
        bound_token: bound?.token ?? null,
        response_hash,
        expires_in: limits.tokenLifetimeSeconds,
        expires_at: new Date(claims.exp * 1_000).toISOString(),
        deployment_id: claims.deployment_id ?? null,
        deployment_binding: claims.deployment_binding ?? null,
        model_digest: facts.model_digest,
        bundle_status: facts.bundle_status,
        warnings: warningsOf(facts, peer),
      }
    },

    async get(input: string): Promise<VerificationResult> {
      const { row, verdict } = await judge(input)
      return tell(row, verdict, now())
    },

    async inspect(input: string): Promise<Inspection> {
      const found = await find(input).catch(orCouldNotCheck)
      const issuer = publicUrl
      const empty = { steps: null, claims: null, model: null, provider: null, bundle_check: null }
      if ('refused' in found) {
        const { reason, checks } = found.refused
        count.verdict({ result: 'not_verified', reason })
        return { issuer, valid: false, result: 'not_verified', strength: null, reason, change: null, checks, ...empty }
      }
      const { row } = found
      const verdict = judgeLink(linkFactsOf(row), now())
      count.verdict(verdict)
      if (isGone(verdict.change)) return { issuer, valid: false, ...verdict, ...empty }
      const at = now()
      const reading = readVerdict(tell(row, verdict, at), { issuer, at })
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
        claims: claimsOf(row, found.isOfBearer),
        model,
        provider,
        bundle_check: model && {
          status: model.bundle_status,
          timestamp: model.bundle_last_checked,
          details: model.bundle_verification_details,
          signer: model.bundle_signer,
        },
      }
    },

    /**
     * Counted once for each link, while it is good, and not when its own provider opens it. What trust counts grows once a
     * day for each network, so that nobody opens their own way up. A page of another site opens nothing for whoever visits it.
     */
    async opened(caller: Caller | undefined, input: string, { address, isFromElsewhere }: Pick<Visitor, 'address' | 'isFromElsewhere'>) {
      if (isFromElsewhere) return { counted: false }
      const found = await find(input)
      if ('refused' in found) return { counted: false }
      const { row } = found
      const isGood = linkErrorCode(judgeLink(linkFactsOf(row), now())) === undefined
      if (!isGood || caller?.provider_id === row.provider_id) return { counted: false }
      const { provider_id, model_id } = row
      const at = now()
      const day = Math.floor(at / dayMs)
      const viewer = hmac(viewerSecret, `${provider_id} ${day} ${householdOf(address)}`).toString('base64url')
      const counted = await database.transaction(async (tx) => {
        const opened = await markOpened(tx, { provider_id, id: row.id, model_id, at, day, viewer })
        if (!opened) return false
        if (opened.models_count === 1)
          await events.record(tx, { provider_id, actor: 'registry', action: 'model.first_verified', subject: ['model', model_id] })
        await search.followOpening(tx, { provider_id, model_id, ...opened })
        return true
      })
      return { counted }
    },

    /** What a link was issued for, however long ago. Refused where it was never issued here. */
    async subjectOf(input: string): Promise<{ provider_id: string; model_id: string; verification_id: string }> {
      const found = await find(input).catch(orCouldNotCheck)
      if ('row' in found) {
        const { provider_id, model_id, id } = found.row
        return { provider_id, model_id, verification_id: id }
      }
      const { reason, checks } = found.refused
      // Our own signature on what is not in the record: as unknown after it expired as before.
      throw refuseUnfound(reason === 'expired' || reason === 'revoked' ? { reason: 'not_found', checks } : found.refused)
    },

    /** Takes the token only: a link is public, and whoever saw it could put words into the model's mouth. */
    async bind(caller: Caller | undefined, token: string, response_text: string) {
      if (readLink(token).kind !== 'token') throw refuseLink('link_malformed', { reason: 'malformed', change: null, checks: [] })
      const { row } = await judge(token)
      const bound_by: BoundBy = caller?.provider_id === row.provider_id ? 'provider' : 'bearer'
      const response_hash = sha256(response_text, 'hex')
      const { bound_to_response: _, response_hash: __, bound_by: ___, ...claims } = claimsOf(row)
      const bound = await signBound(row.kid, { ...claims, bound_to_response: true }, response_hash, bound_by)
      const inserted = await database.transaction((tx) =>
        insertBinding(tx, {
          provider_id: row.provider_id,
          verification_id: row.id,
          bound_by,
          response_hash,
          token_digest: bound.digest,
          bound_at: now(),
        }),
      )
      if (!inserted) throw new Refusal('already_bound', 'An answer is already bound to this token; it cannot be replaced.')
      return { bound_token: bound.token, response_hash, bound_by, verification_url: urlOf(row.id, row.issued_at) }
    },
  }
}

export type VerificationService = ReturnType<typeof createVerificationService>
