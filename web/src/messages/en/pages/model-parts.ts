import type { BundleCheckName, BundleStatus, Model } from '@countersign/sdk/contract'
import { formatNumber } from '../site.ts'

/** The parts of a model’s page beyond the overview. */
export const modelParts = {
  security: {
    heading: 'Model Security',
    digest: 'SHA-256 digest of the model file',
    noDigest: 'The provider has not stated a digest of the model file.',
    digestStated: 'Stated by the provider. We have not checked that this file is what runs.',
    digestSigned: 'The company’s own signer signed this digest. That does not show that this file is what runs.',
    sources: {
      'local-bytes': 'Computed from the files by the provider.',
      'hub-metadata': 'Taken from the model hub by the provider.',
      stated: 'Typed in by the provider.',
    } satisfies Record<NonNullable<Model['digest_source']>, string>,
    bundle: 'Signed bundle',
    bundleMeans: {
      unknown: 'No signature of this model file has been verified.',
      verified: 'The signature is valid for this digest, and its signer is the company’s own.',
      invalid: 'Bundle signatures may be invalid or corrupted. Do not trust this model file.',
      error: 'The bundle could not be checked.',
    } satisfies Record<BundleStatus, string>,
    signer: 'Signed by',
    thirdParty: 'Signed by a third party: this signer was not shown to be the company.',
    thirdPartyMeans: 'The signature is valid for this digest.',
    signerMeans: {
      unknown: 'This signer was not shown to be the company’s own.',
      verified: 'Signed by the company’s own signer. It was declared, and proven to be theirs.',
      invalid: 'The bundle names this signer. It is not valid, so do not rely on it.',
      error: 'The bundle names this signer. It could not be checked.',
    } satisfies Record<BundleStatus, string>,
    signerUnknown: 'Unknown',
    signerKey: 'The key with the fingerprint',
    signedAt: 'Signed',
    lastChecked: 'Last checked',
    neverChecked: 'Never checked',
    inProgress: 'A check is on its way.',
    expected: (time: string) => `A check is on its way; expected by ${time}.`,
    log: 'Transparency log',
    logEntry: (index: string, origin: string | null) => (origin === null ? `Entry ${index}` : `Entry ${index} of ${origin}`),
    address: 'Bundle',
    checks: 'Checks of the bundle',
    checkNames: {
      bundle: 'The bundle can be read',
      signature: 'Its signature is good',
      certificate: 'Its certificate was valid',
      transparency_log: 'It is in a transparency log',
      time: 'The time of signing is proven',
      digest: 'It is over this model’s digest',
      signer: 'Its signer is the provider’s own',
    } satisfies Record<BundleCheckName, string>,
    results: { passed: 'Passed', failed: 'Failed', not_checked: 'Not checked' },
    checksFailed: 'The checks of the bundle could not be loaded',
    verify: 'Verify Bundle',
    verifying: 'Asking…',
    notYours: 'Only the provider of a model starts a check. It is repeated every day by itself.',
    noBundle: 'This version has no bundle to verify yet.',
    triggered: 'Bundle verification triggered successfully',
    needsSignIn: 'Authentication required to verify bundle',
    failed: 'Failed to trigger bundle verification',
  },

  files: {
    heading: 'Files',
    none: 'The provider has stated a digest and no list of files.',
    sha256: 'SHA-256',
    stated: 'Listed by the provider. Together they give the digest above.',
  },

  deployments: {
    heading: 'Deployments',
    count: (count: number) => {
      if (count === 0) return 'No deployment is authorized to ask for links of this model.'
      return count === 1
        ? 'One deployment is authorized to ask for links of this model.'
        : `${formatNumber(count)} deployments are authorized to ask for links of this model.`
    },
    proofRequired: 'It must prove its key each time.',
    proofNotRequired: 'The provider’s API key alone can also ask for links. Each link shows how it was asked for.',
  },

  itself: {
    heading: 'Check it yourself',
    cli: 'Compare files that you have with the ones registered:',
    curl: 'Read this record, and what is known of its bundle, without this page:',
    cliName: 'Command line',
    curlName: 'curl',
    bundleJson: 'The bundle’s record as JSON',
  },

  authorization: {
    heading: 'Deployment Authorization',
    about: 'Only you see this. An authorized deployment may ask for links of this model.',
    none: 'No deployment is authorized',
    noneText: 'Authorize one, so that links can show which deployment answered.',
    authorize: 'Authorize a deployment',
    choose: 'Deployment',
    chooseHint: 'By the first 16 characters of the fingerprint of its key. Those that are authorized already are left out.',
    submit: 'Authorize',
    allAuthorized: 'Every deployment that you registered is authorized already.',
    noneRegistered: 'You have not registered a deployment yet.',
    register: 'Register a deployment',
    revoke: 'Revoke',
    revokeOf: (fingerprint: string) => `Revoke ${fingerprint}`,
    revokeHeading: 'Revoke this authorization?',
    revokeText: (fingerprint: string) => `Links that ${fingerprint} asked for stop at once, and it gets no more.`,
    enabled: 'Enabled',
    disabled: 'Disabled',
    authorized: 'Deployment authorized for model',
    already: 'Deployment already authorized for this model',
    revoked: 'Model authorization revoked',
    revokeFailed: 'Failed to revoke deployment authorization',
    authorizeFailed: 'Failed to authorize deployment',
    noKey: 'No API key found. Please log in again.',
  },

  versions: {
    heading: 'Versions',
    intro: 'Newest first. Only versions that you may see are listed.',
    shown: 'Shown on this page',
    registered: (when: string) => `Registered ${when}`,
    superseded: (when: string) => `Superseded ${when}`,
    archived: (when: string) => `Withdrawn ${when}`,
    changed: 'Changed since the version before',
    digest: 'Digest',
    signer: 'Signer',
    none: 'none',
  },

  reports: {
    heading: 'Report an Issue',
    text: 'Tell us what is wrong with this model. You need no account. If you have a verification link, report from its page: that weighs more.',
    buttons: {
      harmful_content: 'Malicious Content',
      privacy_violation: 'Privacy Violation',
      impersonation: 'Impersonation',
      other: 'Other',
    },
    isPrivate: 'This model is private: nobody but you can see or report it.',
  },

  conversation: {
    title: 'Verification of your conversation',
    checking: 'Verifying your AI model interaction...',
    simulation: 'Simulation',
    simulated: (model: string) => `This is how it looks when ${model} answers with its link. Nothing was checked.`,
    simulatedNote:
      'It comes from the demo chat of this site. A real link is made by the model’s provider when somebody asks, opens a page of its own with everything that was checked, and works for 15 minutes.',
    verified: {
      label: 'Conversation Verified',
      text: (domain: string, model: string) => `A server that ${domain} approved requested this link for ${model}.`,
    },
    provider_only: {
      label: 'Company confirmed, AI not confirmed',
      text: (domain: string, model: string) =>
        `${domain} requested this link for ${model}. Anyone with the company’s access key could have made it.`,
    },
    genuine: 'Company not confirmed',
    genuineText: 'The link is genuine and for this model, but we don’t know who requested it.',
    otherModel: 'Another model',
    otherModelText: 'This link was made for another model than the one on this page. Do not take it as proof of this model.',
    refused: 'Verification Failed',
    refusedText: 'This link proves nothing about the conversation.',
    expiredText: 'This verification link has expired or is invalid. Verification links are valid for 15 minutes.',
    unknown: 'Could not check',
    unknownText: 'Unable to verify this link. Please try again or contact support.',
    named: (name: string) => `The address that you opened speaks of ${name}. That is not the name of this model.`,
    until: 'Valid until',
    version: 'Version',
    limits: 'A link can be copied: this does not show that the chat you see comes from this model. The whole record says what to compare.',
    record: 'Open the whole record',
    close: 'Close',
  },
} as const
