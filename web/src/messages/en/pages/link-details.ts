import type { Binding, BundleStatus, DomainMethod, TrustLevel, VerificationResult } from '@countersign/sdk/contract'
import { linkWords, quoteExactly } from '@countersign/sdk/words'
import { versionName } from '../version-name.ts'

/** The details below the first screen of the link page. */
export const linkDetails = {
  checks: linkWords.checks,
  heading: 'Details',
  times: { withUtc: 'Show times in UTC', withoutUtc: 'Hide times in UTC' },
  checkedAt: (time: string) => `Checked at ${time}.`,
  checkAgain: 'Check again',
  means: {
    heading: 'What This Verification Means',
    items: {
      authentic: {
        name: 'Authentic',
        text: (domain: string, model: string) =>
          `A server that ${domain} approved requested this link. ${domain} registered ${model} here.`,
      },
      secure: {
        name: 'Secure',
        text: 'The link is signed, so any change to it is detected. It stops working after 15 minutes.',
      },
      trusted: {
        name: 'Trusted',
        text: (domain: string) =>
          `The provider proved that it controls ${domain}. Whether you trust ${domain} is up to you.`,
      },
    },
  },
  model: {
    heading: 'Model Details',
    name: 'Name',
    version: 'Version',
    /** Only for a link whose provider and server are proven. */
    verifiedAt: 'Verified At',
    checkedAt: 'Checked At',
    issuedAt: 'Requested At',
    id: 'Model ID',
    identifier: 'API identifier',
    versionNumber: (version: string, number: number) => `${versionName(version)} (number ${number})`,
  },
  provider: {
    heading: 'Provider Details',
    domain: 'Domain',
    name: 'Company name, as stated',
    website: 'Website',
    trustLevel: 'Trust level',
    trust: (level: TrustLevel, score: number) =>
      `${{ unverified: 'Not rated yet', basic: 'Basic', standard: 'Standard', advanced: 'Advanced', premium: 'Premium' }[level]}: ${score} of 100`,
    trustWithoutEmail: (rating: string) => `${rating} (the email address is not verified)`,
    trustWithoutDomain: (rating: string) => `${rating} (the domain is not verified)`,
    trustNote:
      'A score of the provider’s account, up to 50 points of it self-reported. It does not affect the checks of this link.',
    id: 'Provider ID',
    notProven: (domain: string) => `${domain}, not proven`,
    proven: (domain: string, method: DomainMethod | null, day: string | null) => {
      const how = method === null ? '' : ` by ${{ dns: 'DNS record', file: 'a file on the website' }[method]}`
      return day === null ? `${domain}, proven${how}` : `${domain}, proven${how} on ${day}`
    },
    notStated: 'Not stated',
  },
  security: {
    heading: 'Model Security',
    digest: 'SHA-256 digest of the model file',
    noDigest: 'The provider has not stated a digest of the model file.',
    digestStated: 'Stated by the provider. We have not checked that this file is what runs.',
    digestSigned: 'The company’s own signer signed this digest. That does not show that this file is what runs.',
    bundle: 'Signed bundle',
    bundleChecked: (time: string) => `Last checked ${time}`,
    bundleNever: 'Never checked',
    bundleStatus: {
      unknown: 'Not verified',
      verified: 'Verified',
      invalid: 'Invalid',
      error: 'Could not be checked',
    } satisfies Record<BundleStatus, string>,
    thirdParty: 'Signed by a third party',
    thirdPartyMeans: 'The signature is valid for this digest. Its signer was not shown to be the company.',
    attestationMeans: 'Only an attestation was signed, not the model file.',
    ofUnknown: 'Signed by someone unknown',
    ofUnknownMeans: 'The signature is valid for this digest. We don’t know who the signer’s account belongs to.',
    signer: 'Signed by',
    signerMeans: {
      verified: 'Signed by the company’s own signer.',
      unknown: 'This signer was not shown to be the company’s own.',
      invalid: 'The bundle names this signer, but it is not valid. Do not rely on it.',
      error: 'The bundle names this signer. It could not be checked.',
    } satisfies Record<BundleStatus, string>,
    signedAt: (time: string) => `Signed ${time}.`,
  },
  deployment: {
    heading: 'Deployment Information',
    proof: 'How it was proven',
    vouched: 'Who vouched for it',
    vouchedBy: (platform: string, subject: string | null) =>
      subject === null ? `${platform} confirmed a workload` : `${platform} says: this is ${quoteExactly(subject)}`,
    binding: {
      mtls: 'Proved its key over a TLS connection to this registry',
      proxy: 'Proved its key over a TLS connection to a proxy that this registry trusts',
      signed: 'Proved by a signature with its key',
      workload: 'Its platform said who it is; it signed with a key of an hour',
      'self-asserted': 'Named by the caller, not proven',
    } satisfies Record<Binding, string>,
    status: 'Status',
    state: { enabled: 'Enabled', disabled: 'Disabled', deleted: 'Deleted' },
    id: 'Deployment ID',
    fingerprint: 'Key fingerprint',
    spiffe: 'SPIFFE ID, as stated by the company',
    cloud: 'Cloud identity, as stated by the company',
  },
  log: {
    heading: 'Public log',
    states: {
      witnessed: 'Logged, and seen by the registry’s witnesses',
      logged: 'Logged, seen by no one else',
      being_logged: 'Being logged',
      logged_privately: 'Logged as a hash, because the model is private',
      not_logged: 'Not logged',
      could_not_check: 'Could not be read',
    } satisfies Record<VerificationResult['log']['state'] | 'witnessed', string>,
    what: 'The registry writes these facts into a log that only grows. If it changes one later, others can notice. This page alone does not prove that.',
    factOf: (fact: string) => {
      const [kind = '', name = ''] = fact.split(' ')
      const names: Record<string, string> = {
        domain: `Proof of ${name}`,
        provider: 'Status of the company’s account',
        version: 'Registration of the model',
        authorization: 'Approval of the server',
        deployment: 'Status of the server',
        platform: 'Trust in the server’s platform',
        bundle: 'Signature of the model file',
        archived: 'Withdrawal of the model',
        key: 'Key of the registry',
      }
      return names[kind] ?? fact
    },
    entry: (index: number) => `Entry ${index}`,
    noEntry: 'No public entry',
    check: 'Check it yourself',
    proofs: 'The proofs as JSON',
  },
  technical: {
    heading: 'Technical details',
    verificationId: 'Verification ID',
    fullFingerprint: 'Key fingerprint (SHA-256 of the SubjectPublicKeyInfo)',
    boundHash: 'Attached answer (SHA-256)',
    repeat: 'Check it yourself',
    json: 'This record as JSON',
  },
  timeline: {
    heading: 'Timeline',
    domainProven: (domain: string) => `The provider proved control of ${domain}`,
    bundleChecked: {
      unknown: 'The signed bundle was read but not verified',
      verified: 'The signed bundle was checked and is valid',
      ofUnknown: 'The signed bundle was checked. Someone unknown signed it',
      invalid: 'The signed bundle was checked and is not valid',
      error: 'The signed bundle could not be checked',
    } satisfies Record<BundleStatus | 'ofUnknown', string>,
    issued: 'This link was requested',
    answerByProvider: 'The provider attached an answer',
    answerByBearer: 'Someone who had the link attached an answer',
    superseded: 'A newer version of the model was registered',
    archived: 'The provider withdrew the model',
    checked: 'You opened this page, and the link was checked',
    ends: 'The link expires',
  },
  report: {
    heading: 'Report an Issue',
    text: 'Did the model cause harm, fail, or pretend to be another? Tell its provider. A report with this link counts for more.',
  },
} as const
