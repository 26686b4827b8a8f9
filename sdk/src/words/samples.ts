import type { LinkErrorCode } from '../contract/errors.ts'
import type { Change, Check, CheckName, Reason, VerificationResult } from '../contract/verifications.ts'
import { type LinkState, linkTones } from './link-screen.ts'
import { linkWords } from './link-words.ts'

/** The names of the samples; each has a page, `/sample/NAME`. */
export const sampleNames = [
  'verified',
  'provider-only',
  'unknown-provider',
  'expired',
  'revoked',
  'mistyped',
  'forged',
  'could-not-check',
] as const
/** The name of a sample. */
export type SampleName = (typeof sampleNames)[number]

/** Whether there is a sample of this name. */
export const isSampleName = (name: string): name is SampleName => (sampleNames as readonly string[]).includes(name)

/** An answer of the registry about a link that was never made. */
export type SampleAnswer =
  | { record: VerificationResult }
  | {
      refusal: {
        code: LinkErrorCode
        reason: Reason
        change: Change | null
        checks: Check[]
        verification: VerificationResult | null
      }
    }

/** The made-up registry that answered. */
export const sampleIssuer = 'https://registry.example'

/** When the samples were checked, in milliseconds since 1970. */
export const sampleTime = Date.parse('2026-01-14T10:49:00.000Z')

/** The texts of the sample pages, beside those of the link page. */
export const sampleWords = {
  title: 'Sample of a link’s page',
  heading: 'What a link’s page looks like',
  label: 'Sample',
  made: 'Made up. Nothing was checked.',
  intro:
    'A registered AI gives you a link. Its page shows one of these results, and others like them. The company, the model and the times are made up; no sample is a link, and none proves anything.',
  all: 'All samples',
  others: 'Other samples',
  check: 'Check a real link',
  texts: {
    verified: 'The company and its server proved themselves.',
    'provider-only': 'The company proved its domain. The server did not prove itself.',
    'unknown-provider': 'A real link, but no one has checked who asked for it.',
    expired: 'The 15 minutes of the link are over.',
    revoked: 'The company cancelled the server’s permission after the link was made.',
    mistyped: 'A letter or digit is wrong.',
    forged: 'The registry did not sign it.',
    'could-not-check': 'The registry could not look everything up.',
  } satisfies Record<SampleName, string>,
} as const

const states = {
  verified: 'verified',
  'provider-only': 'provider_only',
  'unknown-provider': 'provider_unverified',
  expired: 'expired',
  revoked: 'revoked',
  mistyped: 'mistyped',
  forged: 'forged',
  'could-not-check': 'could_not_check',
} as const satisfies Record<SampleName, LinkState>

/** The samples for a list: each with its result, its colour and a sentence. */
export const samples = sampleNames.map((name) => {
  const state = states[name]
  return { name, state, tone: linkTones[state], band: linkWords.bands[state], text: sampleWords.texts[name] }
})

const checkedAt = new Date(sampleTime).toISOString()

const findings = {
  signature: [true, 'This registry issued it, and it has not been changed since.'],
  key: [true, 'The key that signed it is trusted.'],
  time: [true, 'It expires on 14 Jan 2026, 11:01 UTC.'],
  provider: [true, 'The provider account is active.'],
  domain: [true, 'The provider proved control of northwind.example by a DNS record on 9 Dec 2025, 08:00 UTC.'],
  model: [true, 'The model is registered and not withdrawn.'],
  deployment: [
    true,
    'The server that requested this link proved in a TLS handshake with this registry that it holds a key approved for this model.',
  ],
  digest: [null, 'The provider states this digest of the model file; the registry has not seen the file.'],
  bundle: [null, 'No signature of the model file has been checked.'],
  log: [true, 'Every fact behind this link is in the public log, which the witnesses of this registry have seen.'],
  answer: [null, 'No answer is bound to this link.'],
  chat: [null, 'We cannot see your chat. Anyone who has this link can pass it on.'],
} as const satisfies Partial<Record<CheckName, readonly [boolean | null, string]>>

type Findings = Partial<Record<CheckName, readonly [boolean | null, string]>>

const checksOf = (given: Findings): Check[] =>
  Object.entries(given).map(([check, [passed, detail]]) => ({
    check: check as CheckName,
    passed,
    detail,
    checked_at: passed === null ? null : checkedAt,
  }))

// Not an ID of any kind, so that no sample can be looked up.
const id = 'sample'

const model = {
  id,
  name: 'Atlas Chat',
  version: '2.1.0',
  version_number: 3,
  type: 'llm',
  api_model_identifier: 'atlas-chat',
  model_digest: 'sha256:9f2c41d7a05be8136c94f0e27d18b3a5c6e07f42918bd35ae4f16c0937d2ab58',
  sigstore_bundle_url: null,
  bundle_status: 'unknown',
  bundle_last_checked: null,
  bundle_verification_details: null,
  bundle_signer: null,
  is_public: false,
  is_latest: true,
  superseded_at: null,
  archived_at: null,
} as const satisfies VerificationResult['model']

const provider: NonNullable<VerificationResult['provider']> = {
  id,
  name: 'Northwind AI',
  website: 'https://northwind.example',
  domain: 'northwind.example',
  domain_verified: true,
  domain_verified_at: '2025-12-09T08:00:00.000Z',
  domain_verification_method: 'dns',
  domain_status: 'proven',
  domain_checked_at: '2026-01-14T06:00:00.000Z',
  similar_name_domain: null,
  trust_level: 'standard',
  trust_score: 45,
  trust_factors: {
    email_verified: true,
    domain_verified: true,
    complete_profile: true,
    compliance_certified: false,
    actively_used: false,
    experienced_provider: false,
  },
}

const record: VerificationResult = {
  issuer: sampleIssuer,
  status: 'verified',
  result: 'verified',
  strength: 'deployment',
  reason: null,
  change: null,
  checks: checksOf(findings),
  live_state: 'checked',
  verification_id: id,
  link_code: id,
  model,
  provider,
  trust_level: provider.trust_level,
  timestamp: '2026-01-14T10:46:00.000Z',
  expires_at: '2026-01-14T11:01:00.000Z',
  checked_at: checkedAt,
  deployment_id: id,
  deployment_info: {
    deployment_id: id,
    spki_fingerprint: '64fe2b81'.repeat(8),
    spiffe_id: null,
    spiffe_id_proven: false,
    cloud_identity: null,
    status: 'enabled',
    binding: 'mtls',
    workload: null,
  },
  later_changes: [],
  challenge: null,
  origin: null,
  bound_to_response: false,
  bound_answer: null,
  log: { state: 'logged', size: null, is_witnessed: true, facts: [] },
}

const noServer = {
  deployment_id: null,
  deployment_info: null,
}
const noServerFound = { deployment: [null, 'The caller named no deployment.'] } as const

const ended = (
  code: LinkErrorCode,
  change: 'expired' | 'deployment_disabled',
  changed: Partial<VerificationResult>,
  found: Findings,
): SampleAnswer => {
  const checks = checksOf({ ...findings, ...found })
  const reason = change === 'expired' ? 'expired' : 'revoked'
  const verdict = { reason, change, checks } as const
  const verification = {
    ...record,
    ...verdict,
    status: 'not_verified',
    result: 'not_verified',
    strength: null,
    ...changed,
  } as const
  return { refusal: { code, ...verdict, verification } }
}

const refused = (code: LinkErrorCode, reason: Reason, found: Findings): SampleAnswer => ({
  refusal: { code, reason, change: null, checks: checksOf(found), verification: null },
})

/** What a registry would answer about a link of each kind. */
export const sampleAnswers: Record<SampleName, SampleAnswer> = {
  verified: { record: { ...record, challenge: 'blue otter 42' } },
  'provider-only': {
    record: { ...record, ...noServer, strength: 'provider', checks: checksOf({ ...findings, ...noServerFound }) },
  },
  'unknown-provider': {
    record: {
      ...record,
      ...noServer,
      status: 'provider_unverified',
      result: 'not_verified',
      strength: null,
      reason: 'provider_unverified',
      checks: checksOf({
        ...findings,
        ...noServerFound,
        domain: [false, 'This provider has not proven control of northwind-ai.example.'],
        log: [null, 'A fact behind this link is not in the public log.'],
      }),
      log: { ...record.log, state: 'not_logged' },
      provider: {
        ...provider,
        website: null,
        domain: 'northwind-ai.example',
        domain_verified: false,
        domain_verified_at: null,
        domain_verification_method: null,
        domain_status: 'unproven',
        domain_checked_at: null,
        trust_level: 'unverified',
        trust_score: 5,
        trust_factors: { ...provider.trust_factors, domain_verified: false, complete_profile: false },
      },
      trust_level: 'unverified',
    },
  },
  expired: ended(
    'link_expired',
    'expired',
    { timestamp: '2026-01-14T10:30:00.000Z', expires_at: '2026-01-14T10:45:00.000Z' },
    { time: [false, 'Its 15 minutes ended on 14 Jan 2026, 10:45 UTC.'] },
  ),
  revoked: ended(
    'link_revoked',
    'deployment_disabled',
    { deployment_info: record.deployment_info && { ...record.deployment_info, status: 'disabled' } },
    { deployment: [false, 'The provider disabled the deployment that requested this link.'] },
  ),
  mistyped: refused('link_mistyped', 'mistyped', {
    format: [false, 'A character of this link is wrong. Copy it again from the chat.'],
  }),
  forged: refused('link_forged', 'bad_signature', {
    signature: [false, 'The signature does not match: someone else made it, or changed it.'],
  }),
  'could-not-check': refused('could_not_check', 'keys_unavailable', {}),
}
