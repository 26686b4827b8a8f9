import type { Binding } from '../contract/deployments.ts'
import { type LinkErrorCode, Refusal } from '../contract/errors.ts'
import {
  type Change,
  type Check,
  type CheckName,
  type Claims,
  type GoneChange,
  goneChanges,
  linkErrorOf,
  type Reason,
  reasonOfChange,
  type VerificationResult,
} from '../contract/verifications.ts'
import { formatLinkCode, readLink } from '../verify/link-code.ts'
import { createTestId } from './test-token.ts'

/** The provider of a mock registry. */
export type MockProvider = NonNullable<VerificationResult['provider']>
/** The model of a mock registry. */
export type MockModel = NonNullable<VerificationResult['model']>

interface Link {
  code: string
  tokens: readonly string[]
  claims: Claims
}

interface Setup {
  address: string
  provider?: Partial<MockProvider>
  model?: Partial<MockModel>
  deployment_binding?: Binding
  now(): number
}

/** The minted links and their records. */
export const createLinks = ({ address, now, ...setup }: Setup) => {
  const provider = consistentProvider({ ...someProvider(), ...setup.provider })
  const model = consistentModel({ ...someModel(), ...setup.model })
  const deployment = setup.deployment_binding === undefined ? null : someDeployment(setup.deployment_binding)
  const links: Link[] = []
  let given: Exclude<Change, 'expired'> | null = null
  let givenAt = 0
  const changeOf = () => given ?? (model.archived_at !== null ? 'model_archived' : bundleChange[model.bundle_status])
  /** NaN if that is unknown. */
  const changedAt = () => (given !== null ? givenAt : Date.parse(model.archived_at ?? ''))

  const refuse = refuseFor(address)
  const unfound = (reason: keyof typeof unfoundCheck) =>
    refuse({ reason, checks: [checkOf(unfoundCheck[reason], false)] })

  const find = (input: string): Link => {
    const reading = readLink(input)
    if (reading.origin !== null && reading.origin !== new URL(address).origin) throw unfound('foreign_registry')
    if (reading.kind === 'malformed' || reading.kind === 'mistyped') throw unfound(reading.kind)
    const link = links.find(({ code, tokens }) =>
      reading.kind === 'code' ? code === reading.code : tokens.includes(reading.token),
    )
    if (link === undefined) throw unfound('not_found')
    return link
  }

  const checksOf = ({ claims }: Link, isExpired: boolean): Check[] => {
    const { bundle_status } = model
    const isProven = claims.provider_domain !== undefined
    const changed = changeOf()
    const passed: Partial<Record<CheckName, boolean | null>> = {
      signature: true,
      key: true,
      time: !isExpired,
      provider: true,
      domain: isProven,
      model: true,
      deployment: deployment === null || deployment.binding === 'self-asserted' ? null : true,
      digest: null,
      bundle: bundle_status === 'verified' && isProven ? true : bundle_status === 'invalid' ? false : null,
      log: null,
      answer: null,
      chat: null,
      ...(changed !== null && { [failedBy[changed]]: false }),
    }
    return Object.entries(passed).map(([check, isSo]) => checkOf(check as CheckName, isSo ?? null))
  }

  const checkOf = (check: CheckName, passed: boolean | null): Check => ({
    check,
    passed,
    detail: 'As the mock registry has it',
    checked_at: passed === null ? null : new Date(now()).toISOString(),
  })

  const resultOf = (link: Link, change: Change | null, isExpired: boolean): VerificationResult => {
    const { claims } = link
    const isProven = claims.provider_domain !== undefined
    const reason = change === null ? (isProven ? null : 'provider_unverified') : reasonOfChange[change]
    const { response_hash, bound_by, challenge = null, origin = null } = claims
    return {
      issuer: address,
      status: reason === null ? 'verified' : reason === 'provider_unverified' ? reason : 'not_verified',
      result: reason === null ? 'verified' : 'not_verified',
      strength:
        reason !== null
          ? null
          : deployment === null || deployment.binding === 'self-asserted'
            ? 'provider'
            : 'deployment',
      reason,
      change,
      checks: checksOf(link, isExpired),
      live_state: 'checked',
      verification_id: claims.jti,
      link_code: formatLinkCode(link.code),
      model,
      provider,
      trust_level: provider.trust_level,
      timestamp: timeOf(claims.iat),
      expires_at: timeOf(claims.exp),
      checked_at: new Date(now()).toISOString(),
      deployment_id: deployment?.deployment_id ?? null,
      deployment_info: deployment,
      challenge,
      origin,
      bound_to_response: claims.bound_to_response,
      later_changes: [],
      bound_answer: response_hash && bound_by ? { response_hash, bound_by, bound_at: timeOf(claims.iat) } : null,
      log: { state: 'not_logged', size: null, is_witnessed: false, facts: [] },
    }
  }

  return {
    provider,
    model,
    deployment,
    keep: (link: Link) => links.push(link),
    change: (change: typeof given) => {
      given = change
      givenAt = now()
    },
    read: (input: string): VerificationResult => {
      const link = find(input)
      const expiresAt = link.claims.exp * 1_000
      const isExpired = expiresAt <= now()
      const changed = changeOf()
      // A change of its model or deployment that came after a link expired, or at an unknown time, did not end it.
      const isWorse =
        changed === 'key_compromised' || changed === 'bundle_invalid' || isGone(changed) || changedAt() < expiresAt
      const change = isExpired && !isWorse ? 'expired' : changed
      const result = resultOf(link, change, isExpired)
      if (change === null) return result
      const reason = reasonOfChange[change]
      if (!isGone(change)) throw refuse({ reason, change, checks: result.checks, verification: result })
      throw refuse({ reason, change, checks: [checkOf(goneChanges[change], false)] }, 'link_gone')
    },
  }
}

const refuseFor =
  (issuer: string) =>
  (
    facts: {
      reason: Exclude<Reason, 'provider_unverified'>
      change?: Change
      checks?: Check[]
      verification?: VerificationResult
    },
    code: LinkErrorCode = linkErrorOf[facts.reason],
  ) =>
    new Refusal(code, undefined, { issuer, result: 'not_verified', change: null, checks: [], ...facts })

const isGone = (change: Change | null): change is GoneChange => change !== null && change in goneChanges

/** The check that shows why nothing was found. */
const unfoundCheck = {
  malformed: 'format',
  mistyped: 'format',
  foreign_registry: 'issuer',
  not_found: 'signature',
} as const satisfies Partial<Record<Reason, CheckName>>

/** The check that shows what changed. */
const failedBy = {
  ...goneChanges,
  key_compromised: 'key',
  api_key_compromised: 'key',
  model_archived: 'model',
  deployment_disabled: 'deployment',
  deployment_deleted: 'deployment',
  authorization_removed: 'deployment',
  bundle_invalid: 'bundle',
  suspended: 'provider',
} as const satisfies Record<Exclude<Change, 'expired'>, CheckName>

/** The change that a stored bundle verdict causes. */
const bundleChange = {
  invalid: 'bundle_invalid',
  verified: null,
  unknown: null,
  error: null,
} as const satisfies Record<MockModel['bundle_status'], Change | null>

/** A domain is verified only while its proof is: a stale one, or one without a method, verifies nothing. */
const consistentProvider = (provider: MockProvider): MockProvider => {
  const { domain, domain_verified, domain_status, domain_verification_method } = provider
  if (domain !== null && domain_verified && domain_status === 'proven' && domain_verification_method !== null)
    return provider
  return {
    ...provider,
    domain_verified: false,
    domain_status: domain_status === 'proven' ? 'unproven' : domain_status,
    trust_factors: { ...provider.trust_factors, domain_verified: false },
  }
}

/** A signature without a digest to compare it with verifies nothing. */
const consistentModel = (model: MockModel): MockModel =>
  model.bundle_status === 'verified' && model.model_digest === null ? { ...model, bundle_status: 'unknown' } : model

const timeOf = (seconds: number) => new Date(seconds * 1_000).toISOString()

const longAgo = '2026-01-01T00:00:00.000Z'

const someProvider = (): MockProvider => ({
  id: createTestId('prv'),
  name: 'Acme Labs',
  website: 'https://acme.example',
  domain: 'acme.example',
  domain_verified: true,
  domain_verified_at: longAgo,
  domain_verification_method: 'dns',
  domain_status: 'proven',
  similar_name_domain: null,
  domain_checked_at: longAgo,
  trust_level: 'standard',
  trust_score: 40,
  trust_factors: {
    email_verified: true,
    domain_verified: true,
    complete_profile: false,
    compliance_certified: false,
    actively_used: false,
    experienced_provider: false,
  },
})

const someModel = (): MockModel => ({
  id: createTestId('mdl'),
  name: 'Tiny',
  version: '1.0.0',
  version_number: 1,
  type: 'llm',
  api_model_identifier: 'tiny',
  model_digest: null,
  sigstore_bundle_url: null,
  bundle_status: 'unknown',
  bundle_last_checked: null,
  bundle_verification_details: null,
  bundle_signer: null,
  is_public: true,
  is_latest: true,
  superseded_at: null,
  archived_at: null,
})

const mockWorkload = {
  issuer: 'https://accounts.google.com',
  platform: 'Google Cloud',
  subject: 'chat@acme-example.iam.gserviceaccount.com',
}

const someDeployment = (binding: Binding): NonNullable<VerificationResult['deployment_info']> => ({
  deployment_id: createTestId('dep'),
  spki_fingerprint: Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join(''),
  workload: binding === 'workload' ? mockWorkload : null,
  spiffe_id: null,
  spiffe_id_proven: false,
  cloud_identity: null,
  status: 'enabled',
  binding,
})
