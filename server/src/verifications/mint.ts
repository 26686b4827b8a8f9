import { type Claims, limits, type NewVerification, Refusal, type Verification } from '@countersign/sdk/contract'
import { formatLinkCode } from '@countersign/sdk/verify'
import { createGroupCommit } from '../db/group-commit.ts'
import { shownSubject } from '../db/platform-identities.ts'
import { proofAt } from '../db/proofs.ts'
import { failureOf } from '../db/retry.ts'
import type { BindingTable } from '../db/schema.ts'
import type { Caller } from '../http/callers.ts'
import type { Peer } from '../http/peer.ts'
import { fitSubject } from '../names/rules.ts'
import { shownNames } from '../names/store.ts'
import { createSignBound } from './bind.ts'
import { codeKeyOf, nonceKeyOf, sha256 } from './codes.ts'
import type { PartDeps } from './deps.ts'
import { isPlainlyAt, mintingRefusal, originRefusal } from './mint-rules.ts'
import {
  type FoundWorkload,
  findWorkload,
  insertBinding,
  insertSnapshot,
  insertVerification,
  isSameSnapshot,
  type MintRow,
  markMinted,
  prepareMintFacts,
  type Snapshot,
  snapshotOf,
  verificationColumns,
} from './mint-store.ts'
import { workloadClaims } from './rules.ts'

const maxFrozen = 20_000

/** The facts of a new link, at this moment. */
interface Facts extends MintRow {
  /** Proven, or stale: not lost. */
  isDomainKept: boolean
  /** A name of the version contains a domain that the provider no longer proves. */
  isRenamed: boolean
  /** How the deployment proved itself. */
  peer: Peer | undefined
  workload: FoundWorkload | undefined
}

/** What decides about a new link. */
interface Prepared {
  facts: Facts
  origin_domain: string | null
}

interface Minted {
  kid: string
  token: string
  code: string
  snapshot_id: string
  api_key_id: string | null
  origin_domain: string | null
  workload: FoundWorkload | undefined
  nonce: string | null
}

const recordOf = (
  claims: Claims,
  input: NewVerification,
  { kid, token, code, snapshot_id, api_key_id, origin_domain, workload, nonce }: Minted,
) => ({
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
  workload_id: workload?.workload_id ?? null,
  workload:
    workload === undefined
      ? null
      : JSON.stringify({
          issuer: workload.issuer,
          subject: shownSubject(workload),
          spki_fingerprint: claims.spki_fingerprint,
        }),
  nonce,
})

const warningsOf = (facts: Facts, peer: Peer | undefined): string[] => [
  ...(facts.domain_verified_at === null
    ? ['Your domain is not verified: the link will show an unverified provider.']
    : []),
  ...(facts.bundle_status === 'invalid'
    ? [
        'The signed bundle of this version is invalid, so the link is not valid until you provide another bundle. The version’s bundle status gives the reason.',
      ]
    : []),
  ...(facts.isRenamed
    ? [
        'A name of this version contains a domain that you no longer prove: the link shows its identifier or number instead. Prove the domain, or register a version with another name.',
      ]
    : []),
  ...(facts.superseded_at === null ? [] : ['This version is superseded: the link will say so.']),
  ...(peer?.isExpired ? ['The client certificate has expired. Its key still counts as proof.'] : []),
  ...(peer?.binding === 'self-asserted'
    ? ['The deployment is only named, not proven: connect over mutual TLS or sign the request to prove it.']
    : []),
]

/** Issues a link. */
export const createMint = ({
  database,
  signing,
  deployments,
  domains,
  usage,
  publicUrl,
  now,
  newId,
  count,
  codes,
}: PartDeps) => {
  const mintFacts = prepareMintFacts(database)
  const commits = createGroupCommit(database.appender('verifications', verificationColumns))
  /** By model. Comparing the fields takes 1.3 µs, writing them as a key took 2.4. */
  const frozen = new Map<string, { provider_id: string; id: string; content: Snapshot }>()
  const signBound = createSignBound(signing)

  const issue = (caller: Caller, input: NewVerification, facts: Facts) => {
    const { peer, workload } = facts
    const iat = Math.floor(now() / 1_000)
    const jti = newId('vrf')
    const provider_domain = facts.domain_verified_at === null ? undefined : (facts.domain ?? undefined)
    const user_fp =
      input.user_fingerprint === undefined
        ? undefined
        : codes.userFingerprintOf(caller.provider_id, input.user_fingerprint)
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
      ...workloadClaims(
        workload
          ? { issuer: workload.issuer, subject: fitSubject(shownSubject(workload), provider_domain ?? null) }
          : null,
      ),
      user_fp,
      challenge: input.challenge || undefined,
      origin: input.origin,
      bound_to_response: false,
    }
    return claims
  }

  /**
   * Stores the snapshot that a link names and returns its ID. Known snapshots are cached, so that minting writes one only after a change.
   * It needs no sync of its own: the link follows it in the same log, and a link that is durable makes what precedes it durable.
   */
  const freeze = async (provider_id: string, model_id: string, facts: MintRow): Promise<string> => {
    const content = snapshotOf(facts)
    const known = frozen.get(model_id)
    if (known?.provider_id === provider_id && isSameSnapshot(known.content, content)) return known.id
    const id = sha256(JSON.stringify([provider_id, content]), 'base64url').slice(0, 32)
    await database.quickTransaction((tx) => insertSnapshot(tx, { provider_id, id, ...content }))
    if (frozen.size >= maxFrozen) frozen.clear()
    frozen.set(model_id, { provider_id, id, content })
    return id
  }

  /** The first link of a version closes it for edits, before its snapshot is read for the last time. Durable with the link, as above. */
  const factsFor = async (caller: Caller, model_id: string, peer: Peer | undefined): Promise<Facts> => {
    const { provider_id } = caller
    const read = async (): Promise<Facts> => {
      const at = now()
      const [row] = await mintFacts({ provider_id, model_id, fingerprint: peer?.fingerprint ?? '', at })
      const workload =
        row?.deployment_id === null && peer?.binding === 'signed'
          ? await findWorkload(database.read, { provider_id, model_id, fingerprint: peer.fingerprint, at })
          : undefined
      const facts = row && workload ? { ...row, ...workload } : row
      const refusal = mintingRefusal(facts, peer)
      if (refusal || !facts) throw refusal
      const { domain_verified_at, domain_stale_since, domain_checked_at } = facts
      const proof = proofAt(
        { verified_at: domain_verified_at, stale_since: domain_stale_since, checked_at: domain_checked_at },
        now(),
      )
      const isDomainKept = proof.verified_at !== null || proof.stale_since !== null
      const domain = isDomainKept ? facts.domain : null
      const shown = await shownNames(database.read, { provider_id, domain }, facts, at)
      return {
        ...shown,
        isRenamed: shown.display_name !== facts.display_name || shown.version !== facts.version,
        domain_verified_at: proof.stale_since === null ? proof.verified_at : null,
        isDomainKept,
        peer: workload && peer ? { ...peer, binding: 'workload' } : peer,
        workload,
      }
    }
    const facts = await read()
    if (facts.first_minted_at !== null) return facts
    // A version without links stays open for edits if there will be no link.
    await usage.checkLink(provider_id, facts.isDomainKept)
    await database.quickTransaction((tx) => markMinted(tx, { provider_id, id: model_id, at: now() }))
    return read()
  }

  /** At the primary domain nothing more is read. Returns the provider's own domain that the origin belongs to. */
  const checkOrigin = async (
    { provider_id }: Caller,
    origin: string,
    { domain, domain_verified_at }: MintRow,
  ): Promise<{ origin_domain: string | null; isSlow: boolean }> => {
    if (domain !== null && domain_verified_at !== null && isPlainlyAt(origin, domain))
      return { origin_domain: domain, isSlow: false }
    const { standing, at } = await domains.originStanding(provider_id, origin)
    const refusal = originRefusal(origin, standing, provider_id)
    if (refusal) throw refusal
    return { origin_domain: at, isSlow: true }
  }

  /** The facts of a new link. DNS may take seconds, so everything read before it is read again. */
  const prepare = async (
    caller: Caller,
    { model_id, origin }: NewVerification,
    peer: Peer | undefined,
  ): Promise<Prepared> => {
    const facts = await factsFor(caller, model_id, peer)
    if (origin === undefined) return { facts, origin_domain: null }
    const { origin_domain, isSlow } = await checkOrigin(caller, origin, facts)
    return { facts: isSlow ? await factsFor(caller, model_id, peer) : facts, origin_domain }
  }

  /**
   * The first proof is recorded before the link exists, because it makes the key exclusive to its provider; later ones asynchronously.
   */
  const noteUse = async (caller: Caller, facts: Facts, id: string, { binding, fingerprint }: Peer) => {
    const proven_by = binding === 'self-asserted' ? null : binding
    const isStronger =
      // A workload's key is not the deployment's own, so it makes nothing exclusive.
      proven_by !== 'workload' &&
      (facts.deployment_proven_by === null || (proven_by !== 'proxy' && facts.deployment_proven_by === 'proxy'))
    if (proven_by !== null && isStronger) await deployments.noteProof(caller, { id, by: proven_by, fingerprint })
    else {
      const { last_used_at, last_proven_at, workload } = facts
      const workload_id = workload?.workload_id ?? null
      deployments.noteUse(caller, { id, proven_by, workload_id, last_used_at, last_proven_at })
    }
  }

  /**
   * Durable when it returns. The nonce of a signed request is in the link's row, so the constraint decides which of several requests makes
   * the link, on all replicas. Links are kept for 15 minutes at least; a signature is valid for a minute.
   */
  const insert = async (record: ReturnType<typeof recordOf>, binding: BindingTable | undefined) => {
    try {
      if (binding === undefined) return await commits.insert(record)
      await database.transaction(async (tx) => {
        await insertVerification(tx, record)
        await insertBinding(tx, binding)
      })
    } catch (error) {
      if (record.nonce === null || failureOf(error) !== 'unique') throw error
      const expected = 'a new nonce for each request'
      throw new Refusal('signature_invalid', `The nonce was already used. Expected: ${expected}.`, { expected })
    }
  }

  const mint = async (
    caller: Caller,
    input: NewVerification,
    { facts, origin_domain }: Prepared,
  ): Promise<Verification> => {
    const { peer } = facts
    if (peer && facts.deployment_id !== null) await noteUse(caller, facts, facts.deployment_id, peer)
    const claims = issue(caller, input, facts)
    const { kid } = facts
    const token = await signing.sign(kid, 'plain', claims)
    const code = codes.codeOf(claims.jti, claims.iat * 1_000)
    const snapshot_id = await freeze(caller.provider_id, input.model_id, facts)
    const nonce = peer?.signature ? nonceKeyOf(caller.provider_id, peer.signature) : null
    const { workload } = facts
    const minted = { kid, token, code, snapshot_id, api_key_id: caller.key_id, origin_domain, workload, nonce }
    const record = recordOf(claims, input, minted)
    const response_hash = input.response === undefined ? null : sha256(input.response, 'hex')
    const bound = response_hash === null ? null : await signBound(kid, claims, response_hash, 'provider')
    await insert(
      record,
      response_hash === null || bound === null
        ? undefined
        : {
            provider_id: caller.provider_id,
            verification_id: claims.jti,
            bound_by: 'provider',
            response_hash,
            token_digest: bound.digest,
            bound_at: now(),
            api_key_id: caller.key_id,
          },
    )
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
  }

  /** Repeating the call creates another link. */
  const create = async (caller: Caller, input: NewVerification, peer: Peer | undefined): Promise<Verification> => {
    if (caller.isSuspended)
      throw new Refusal('provider_suspended', 'Confirm your account in the dashboard before you create links.')
    const prepared = await prepare(caller, input, peer)
    const taken = await usage.takeLink(caller.provider_id, prepared.facts.isDomainKept)
    try {
      const minted = await mint(caller, input, prepared)
      return taken.warning === undefined ? minted : { ...minted, warnings: [...minted.warnings, taken.warning] }
    } catch (error) {
      taken.giveBack()
      throw error
    }
  }

  return { create, waitingWrites: commits.waiting }
}
