import {
  type BundleSigner,
  type Change,
  type LinkLog,
  platformOf,
  type VerificationResult,
} from '@countersign/sdk/contract'
import { openReasonOf } from '../db/bundle-verdicts.ts'
import { ownFingerprint } from '../db/deployment-keys.ts'
import type { LinkState } from '../db/links.ts'
import { platformFact } from '../db/platform-identities.ts'
import { proofAt } from '../db/proofs.ts'
import { timeOf } from '../db/times.ts'
import { fitBundle, fitSigner } from '../names/bundle-rules.ts'
import { fitIssuer, fitLabel, fitSubject, type Protection, publicWebsite } from '../names/rules.ts'
import { trustOfRow } from '../trust/facts.ts'
import {
  type DecidingFacts,
  decideLink,
  isHidden,
  type LinkFacts,
  type NamedFact,
  quotedSigner,
  statusOf,
  type Verdict,
} from './rules.ts'
import type { LinkRow } from './store.ts'

interface ReadingTime {
  at: number
  /** Whether the registry trusts a proxy with client certificates. */
  isProxyTrusted: boolean
}

/** The current state of the proofs of a link's domain, origin and server. */
const proofsAt = (row: LinkState, { at, isProxyTrusted }: ReadingTime) => {
  const link = proofAt(
    {
      verified_at: row.link_domain_verified_at,
      stale_since: row.link_domain_stale_since,
      checked_at: row.link_domain_checked_at,
    },
    at,
  )
  const origin = proofAt(
    { verified_at: row.origin_verified_at, stale_since: row.origin_stale_since, checked_at: row.origin_checked_at },
    at,
  )
  return {
    link_domain_verified_at: link.verified_at,
    link_domain_stale_since: link.stale_since,
    origin_verified_at: origin.verified_at,
    origin_stale_since: origin.stale_since,
    deployment_proven_at: row.binding === 'proxy' && !isProxyTrusted ? null : row.deployment_proven_at,
  }
}

/** The row with the current state of its proofs, and without a name that the operator protects for another domain. */
export const atTime = (row: LinkRow, protection: Protection, time: ReadingTime): LinkRow => {
  const proofs = proofsAt(row, time)
  return {
    ...row,
    ...(row.is_mailbox_lost === 1 && noBundle),
    ...shownNames(row, protection, proofs.link_domain_verified_at !== null),
    ...proofs,
  }
}

const shownNames = (row: LinkRow, protection: Protection, isDomainKept: boolean) => {
  const minted = {
    name: row.company_name,
    skeleton: row.name_skeleton,
    provenDomain: isDomainKept ? row.minted_domain : null,
  }
  const now = {
    name: row.now_company_name,
    skeleton: row.now_name_skeleton,
    provenDomain: row.domain === row.minted_domain ? minted.provenDomain : provenDomainOf(row),
  }
  const company_name = protection.shown(minted)
  const isSame =
    now.name === minted.name && now.skeleton === minted.skeleton && now.provenDomain === minted.provenDomain
  return { company_name, now_company_name: isSame ? company_name : protection.shown(now) }
}

const provenDomainOf = ({ domain, domain_verified_at }: LinkRow) => (domain_verified_at === null ? null : domain)

/** The domain that a link was minted under, else the provider's primary one. */
const domainOf = (row: LinkRow): string | null => row.minted_domain ?? row.domain

/** The same while its proof is kept, even if stale: the only domain that names and labels on the link may contain. */
export const keptDomainOf = (row: LinkRow) => (row.link_domain_verified_at === null ? null : domainOf(row))

const decidingFactsOf = (row: LinkState): DecidingFacts => ({
  issued_at: row.issued_at,
  expires_at: row.expires_at,
  minted_domain: row.minted_domain,
  key_state: row.key_state,
  is_api_key_compromised: row.api_key_compromised_since !== null && row.api_key_compromised_since <= row.issued_at,
  is_suspended: row.provider_suspended_at !== null,
  provider_gone:
    row.provider_deleted_at !== null ? 'deleted' : row.provider_deactivated_at !== null ? 'deactivated' : null,
  domain_verified_at: row.link_domain_verified_at,
  domain_stale_since: row.link_domain_stale_since,
  model_deleted: row.model_deleted_at !== null,
  model_archived_at: row.archived_at,
  bundle_status: row.bundle_status,
  binding: bindingOf(row),
  deployment_id: row.deployment_id,
  deployment_status: row.deployment_status,
  deployment_disabled_at: row.deployment_disabled_at,
  deployment_deleted_at: row.deployment_deleted_at,
  is_authorized: row.authorized_at !== null,
  authorization_ended_at: row.authorization_ended_at,
})

export const linkFactsOf = (row: LinkRow): LinkFacts => ({
  ...decidingFactsOf(row),
  domain: domainOf(row),
  domain_method: row.link_domain_method,
  domain_checked_at: row.link_domain_checked_at,
  model_superseded_at: row.superseded_at,
  model_digest: row.minted_digest,
  ...bundleFactsOf(row),
  workload: shownWorkloadOf(row),
  bound_by: row.provider_hash !== null ? 'provider' : row.bearer_hash !== null ? 'bearer' : null,
  is_origin_lost: isOriginLost(row),
})

/** What the list of a provider's links says of each, the same as its page. */
export const summaryOf = (row: LinkState, time: ReadingTime) => {
  const now = { ...row, ...proofsAt(row, time) }
  return { ...decideLink(decidingFactsOf(now), time.at), deployment_binding: bindingOf(now), origin: originOf(now) }
}

/*
 * The types of last entries that agree with a verdict. An empty one: nothing may be logged, or that it ended. Constants, because
 * `transparency/standing.ts` compares them by identity.
 */
const absent = ['']
const proven = ['domain.proven']
const registered = ['version.registered']
const archived = ['version.archived']
const bundles = {
  verified: ['bundle.verified'],
  invalid: ['bundle.invalid'],
  ofThirdParty: ['bundle.third_party'],
  /** A valid signature says nothing about links of another digest. */
  none: ['', 'bundle.verified', 'bundle.third_party'],
}
const authorized = ['deployment.authorized']
const trusted = ['platform.trusted']

const bundleStateOf = (row: LinkRow): keyof typeof bundles => {
  const { bundle_status: status, bundle_reason } = bundleFactsOf(row)
  if (status === 'verified' || status === 'invalid') return status
  return bundle_reason === 'signer_not_tied' ? 'ofThirdParty' : 'none'
}

const deploymentFactsOf = (row: LinkRow): NamedFact[] => {
  if (row.deployment_id === null || row.authorized_at === null) return []
  const facts: NamedFact[] = [
    { subject: row.deployment_id, fact: `authorization ${row.model_id}`, types: authorized, since: row.authorized_at },
    ...(row.deployment_status === 'enabled' ? [{ subject: row.deployment_id, fact: 'deployment', types: absent }] : []),
  ]
  if (row.workload_id !== null)
    facts.push({ subject: row.deployment_id, fact: platformFact(row.workload_id), types: trusted })
  return facts
}

/**
 * The facts in the transparency log that a verdict rests on, by subject and name. Some hold while the log does not say otherwise: that the
 * account is active, the version not archived, its signature not invalid and the server enabled.
 */
export const factNamesOf = (row: LinkRow, change: Change | null): NamedFact[] => {
  if (isHidden(change)) return [{ subject: row.provider_id, fact: 'provider' }]
  const domain = row.minted_domain
  const isProven = row.link_domain_verified_at !== null && row.link_domain_stale_since === null
  return [
    ...(domain !== null && isProven
      ? [{ subject: row.provider_id, fact: `domain ${domain}`, types: proven, since: row.link_domain_verified_at }]
      : []),
    { subject: row.provider_id, fact: 'provider', types: absent },
    { subject: row.model_id, fact: 'version', types: registered },
    { subject: row.model_id, fact: 'archived', types: row.archived_at === null ? absent : archived },
    {
      subject: row.model_id,
      fact: 'bundle',
      types: bundles[bundleStateOf(row)],
    },
    ...deploymentFactsOf(row),
  ]
}

const added = ['registry_key.added']
const keyTypes = {
  next: added,
  active: added,
  retired: ['registry_key.retired'],
  compromised: ['registry_key.compromised'],
}

/** The key that signed the link, as a fact in the log. It is not compared while a restore suspends the key. */
export const keyFactOf = ({ kid, key_state }: Pick<LinkRow, 'kid' | 'key_state'>): NamedFact => ({
  subject: kid,
  fact: 'key',
  ...(key_state !== null && key_state !== 'suspended' && { types: keyTypes[key_state] }),
})

interface StoredWorkload {
  issuer: string
  subject: string
  spki_fingerprint: string
}

const storedWorkload = ({ workload }: Pick<LinkRow, 'workload'>): StoredWorkload | null =>
  workload === null ? null : JSON.parse(workload)

const workloadAt = (row: LinkRow, provenDomain: string | null) => {
  const stored = storedWorkload(row)
  if (stored === null) return null
  const { issuer, subject } = stored
  return { issuer, platform: platformOf(issuer), subject: fitSubject(subject, provenDomain) }
}

/** What the token says of the platform of its server. */
export const mintedWorkloadOf = (row: LinkRow) => workloadAt(row, row.minted_domain)

/** The issuer is always shown with what it said, which is never more than the token says. */
export const workloadOf = (row: LinkRow) =>
  workloadAt(row, row.link_domain_verified_at === null ? null : row.minted_domain)

/** In sentences: the answer’s field has the issuer’s whole address. */
const shownWorkloadOf = (row: LinkRow) => {
  const workload = workloadOf(row)
  return workload && { ...workload, issuer: fitIssuer(workload.issuer, keptDomainOf(row)) }
}

/** Fingerprint of the key that signed the request for the link. */
export const fingerprintOf = (row: LinkRow): string | null =>
  storedWorkload(row)?.spki_fingerprint ?? ownFingerprint(row.spki_fingerprint)

/** An origin is shown only while its domain is proven. */
const isOriginLost = ({ origin_domain, origin_verified_at, origin_stale_since }: LinkState): boolean =>
  origin_domain !== null && (origin_verified_at === null || origin_stale_since !== null)

export const originOf = (row: LinkState) => (isOriginLost(row) ? null : row.origin)

/** A proxy's proof counts only as a name once another provider's handshake displaced it, or the registry trusts no proxy. */
export const bindingOf = ({ binding, deployment_proven_at }: LinkState) =>
  binding === 'proxy' && deployment_proven_at === null ? 'self-asserted' : binding

/** The signer, and the digest that the signature was compared with. */
const notedOf = ({ bundle_signer }: LinkRow): { signer: BundleSigner | null; digest: string | null } | null =>
  bundle_signer === null ? null : JSON.parse(bundle_signer)

const noBundle = {
  bundle_status: 'unknown',
  bundle_last_checked: null,
  bundle_verification_details: null,
  bundle_signer: null,
} as const

/**
 * A valid signature says nothing about the link if it is over a digest other than the one that the link was issued for, or if that has
 * none.
 */
const isOfOtherFile = (row: LinkRow, noted: ReturnType<typeof notedOf>): boolean =>
  (row.minted_digest === null || noted?.digest !== row.minted_digest) &&
  (row.bundle_status === 'verified' || (row.bundle_status === 'unknown' && noted?.signer != null))

const bundleOf = (row: LinkRow) => {
  const noted = notedOf(row)
  if (isOfOtherFile(row, noted)) return noBundle
  const known = {
    bundle_status: row.bundle_status,
    bundle_last_checked: timeOf(row.bundle_last_checked),
    bundle_verification_details:
      row.bundle_verification_details === null ? null : JSON.parse(row.bundle_verification_details),
    bundle_signer: noted?.signer ?? null,
  }
  return fitBundle(known, [keptDomainOf(row)])
}

const bundleFactsOf = (row: LinkRow) => {
  const noted = notedOf(row)
  if (isOfOtherFile(row, noted))
    return {
      bundle_status: 'unknown',
      bundle_checked_at: null,
      bundle_signer: null,
      bundle_reason: null,
    } as const
  return {
    bundle_status: row.bundle_status,
    bundle_checked_at: row.bundle_last_checked,
    bundle_signer: noted?.signer ? quotedSigner(fitSigner(noted.signer, [keptDomainOf(row)])) : null,
    bundle_reason: openReasonOf(row),
  }
}

export const shownVersionOf = (row: LinkRow): string => row.shown_version ?? row.version

const modelOf = (row: LinkRow): NonNullable<VerificationResult['model']> => ({
  id: row.model_id,
  name: row.display_name,
  version: shownVersionOf(row),
  version_number: row.version_number,
  type: row.model_type,
  api_model_identifier: row.api_model_identifier,
  model_digest: row.minted_digest,
  sigstore_bundle_url: row.sigstore_bundle_url,
  ...bundleOf(row),
  is_public: row.is_public === 1,
  is_latest: row.superseded_at === null,
  superseded_at: timeOf(row.superseded_at),
  archived_at: timeOf(row.archived_at),
})

const providerOf = (row: LinkRow): NonNullable<VerificationResult['provider']> => {
  const { link_domain_verified_at: proven_at, link_domain_stale_since: stale_since, minted_domain } = row
  // A proof under which the link was not minted has never been one of the link.
  const isUnproven = proven_at === null || (stale_since !== null && minted_domain === null)
  const domain_status = isUnproven ? 'unproven' : stale_since === null ? 'proven' : 'stale'
  const domain = domainOf(row)
  const domain_verified = domain_status === 'proven'
  // The proof of another domain does not count for the link.
  const { trust_level, trust_score, trust_factors } = trustOfRow(row, {
    domain,
    domain_verified_at: domain_verified ? proven_at : null,
  })
  return {
    id: row.provider_id,
    name: row.company_name,
    website: websiteOf(row, row.website),
    domain,
    domain_verified,
    domain_verified_at: timeOf(row.link_domain_verified_at),
    domain_verification_method: row.link_domain_method,
    domain_status,
    domain_checked_at: timeOf(row.link_domain_checked_at),
    similar_name_domain: row.similar_name_domain,
    trust_level,
    trust_score,
    trust_factors,
  }
}

/** For the domain of the link; other domains are not shown. */
const websiteOf = (row: LinkRow, website: string | null) =>
  publicWebsite(
    website,
    row.link_domain_verified_at === null || row.link_domain_stale_since !== null ? null : domainOf(row),
  )

const deploymentInfoOf = (row: LinkRow): VerificationResult['deployment_info'] => {
  const binding = bindingOf(row)
  if (row.deployment_id === null || binding === null) return null
  const provenDomain = keptDomainOf(row)
  return {
    deployment_id: row.deployment_id,
    spki_fingerprint: fingerprintOf(row) ?? '',
    spiffe_id: fitLabel(row.spiffe_id, provenDomain),
    spiffe_id_proven: false,
    cloud_identity: fitLabel(row.cloud_identity, provenDomain),
    status: row.deployment_deleted_at !== null ? 'deleted' : (row.deployment_status ?? 'disabled'),
    binding,
    workload: workloadOf(row),
  }
}

/** A provider's binding is shown before a bearer's. */
export const boundAnswerOf = (row: LinkRow): VerificationResult['bound_answer'] => {
  if (row.provider_hash !== null)
    return {
      response_hash: row.provider_hash,
      bound_by: 'provider',
      bound_at: timeOf(row.provider_bound_at ?? 0),
    }
  if (row.bearer_hash !== null)
    return {
      response_hash: row.bearer_hash,
      bound_by: 'bearer',
      bound_at: timeOf(row.bearer_bound_at ?? 0),
    }
  return null
}

/** Changes since minting, as far as they are public: for a private model, only the link's snapshot is shown. */
const laterChangesOf = (row: LinkRow): VerificationResult['later_changes'] => {
  const changes: VerificationResult['later_changes'] = []
  const note = (field: (typeof changes)[number]['field'], minted: string | null, now: string | null) => {
    if (minted !== now) changes.push({ field, minted, now })
  }
  if (row.is_public === 1 && row.model_deleted_at === null) {
    note('model.name', row.display_name, row.now_display_name)
    note('model.version', shownVersionOf(row), row.now_version)
    note('model.type', row.model_type, row.now_model_type)
    note('model.model_digest', row.minted_digest, row.now_digest)
  }
  note('provider.name', row.company_name, row.now_company_name)
  // Parsing an address takes 2 µs, so only a changed one is parsed.
  if (row.website !== row.now_website)
    note('provider.website', websiteOf(row, row.website), websiteOf(row, row.now_website))
  note('provider.domain', row.minted_domain, provenDomainOf(row) ?? row.minted_domain)
  return changes
}

interface Circumstances {
  issuer: string
  link_code: string
  now: number
}

/** The full public record of a link, with its verdict. */
export const resultOf = (
  row: LinkRow,
  { log, ...verdict }: Verdict & { log: LinkLog },
  { issuer, link_code, now }: Circumstances,
): VerificationResult => {
  const provider = providerOf(row)
  const bound_answer = boundAnswerOf(row)
  return {
    issuer,
    status: statusOf(verdict),
    ...verdict,
    live_state: 'checked',
    verification_id: row.id,
    link_code,
    model: modelOf(row),
    provider,
    trust_level: provider.trust_level,
    timestamp: timeOf(row.issued_at),
    expires_at: timeOf(row.expires_at),
    checked_at: timeOf(now),
    deployment_id: row.deployment_id,
    deployment_info: deploymentInfoOf(row),
    later_changes: laterChangesOf(row),
    challenge: row.challenge,
    origin: originOf(row),
    ...(isOriginLost(row) && { is_origin_lost: true }),
    bound_to_response: bound_answer !== null,
    bound_answer,
    log,
  }
}
