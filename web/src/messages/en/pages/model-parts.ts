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
      'local-bytes': 'The provider says that it was computed from the files.',
      'hub-metadata': 'The provider says that it was taken from the model hub.',
    } satisfies Record<Exclude<Model['digest_source'], 'stated' | null>, string>,
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
    attestationMeans: 'Only an attestation was signed, not the model file.',
    ofUnknown:
      'This account declared the signer. We don’t know who the account belongs to: it has not proven a domain.',
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
    inProgress: 'A check is in progress.',
    expected: (time: string) => `A check is in progress, expected by ${time}.`,
    log: 'Transparency log',
    logEntry: (index: string, origin: string | null) =>
      origin === null ? `Entry ${index}` : `Entry ${index} of ${origin}`,
    address: 'Bundle',
    uploaded: 'Uploaded by the provider',
    redirected: 'Fetched from another host, to which the provider’s address redirects',
    addressStated: 'Stated by the provider, not fetched yet',
    checks: 'Checks of the bundle',
    checkNames: {
      bundle: 'The bundle can be read',
      signature: 'Its signature is valid',
      certificate: 'Its certificate was valid',
      transparency_log: 'It is in a transparency log',
      time: 'The time of signing is proven',
      digest: 'It is for this model’s digest',
      signer: 'Its signer belongs to this account',
    } satisfies Record<BundleCheckName, string>,
    results: { passed: 'Passed', failed: 'Failed', not_checked: 'Not checked' },
    checksFailed: 'The checks of the bundle could not be loaded',
    verify: 'Verify Bundle',
    verifying: 'Asking…',
    notYours: 'Only the model’s provider can start a check. It also runs automatically every day.',
    noBundle: 'This version has no bundle to verify yet.',
    triggered: 'Bundle verification triggered successfully',
    needsSignIn: 'Authentication required to verify bundle',
    failed: 'Failed to trigger bundle verification',
  },

  files: {
    heading: 'Files',
    none: 'The provider has stated a digest but no list of files.',
    sha256: 'SHA-256',
    stated: 'Listed by the provider. Together they give the digest above.',
  },

  compare: {
    heading: 'Compare your copy',
    text: 'Choose the file or folder that you have. It is hashed in your browser; nothing is uploaded.',
    results: {
      same: 'Matches',
      part: 'Matches',
      renamed: 'Other file names',
      unnamed: 'Only the digest matches',
      different: 'Does not match',
      unlisted: 'Not registered',
    },
    means: {
      same: 'Your copy is the registered model, byte for byte.',
      part: 'What you chose is part of the registered model, byte for byte. The model has more files.',
      renamed: 'The bytes are registered, but under other file names. Under another name, a text can become code.',
      unnamed:
        'The digest is the registered one. The model has no list of files, so the files themselves were not compared.',
      different: 'Your copy is not the registered model.',
    },
    compared: 'Everything that was compared is the registered model, byte for byte.',
    leftOut: (names: string) => `Not compared: ${names}. Code in these paths could still be loaded.`,
    symbolicLinks:
      'Browsers leave symbolic links out of a folder, so none was compared. “countersign models check PATH” finds them.',
    registeredAs: 'The provider lists it as',
    registeredOtherwise: 'The provider lists it under a name that is not shown here.',
    unnamed: 'A file whose name is not shown here',
    more: (count: number) => `and ${formatNumber(count)} more`,
    stopped: 'Stopped. Nothing was compared.',
    failed: 'The registered files could not be loaded. Choose your copy again.',
  },

  deployments: {
    heading: 'Deployments',
    count: (count: number) => {
      if (count === 0) return 'No deployment is authorized to request links for this model.'
      return count === 1
        ? 'One deployment is authorized to request links for this model.'
        : `${formatNumber(count)} deployments are authorized to request links for this model.`
    },
    proofRequired: 'It must prove its key each time.',
    proofNotRequired: 'The provider’s API key alone can also request links. Each link shows how it was requested.',
  },

  itself: {
    heading: 'Check it yourself',
    cli: 'Compare your files with the registered ones:',
    curl: 'Fetch this record and its bundle’s record:',
    cliName: 'Command line',
    curlName: 'curl',
    bundleJson: 'Bundle record as JSON',
  },

  authorization: {
    heading: 'Deployment Authorization',
    about: 'Only you see this. An authorized deployment may request links for this model.',
    none: 'No deployment is authorized',
    noneText: 'Authorize one so that links can show which deployment answered.',
    authorize: 'Authorize a deployment',
    choose: 'Deployment',
    chooseHint: 'Listed by the first 16 characters of the key fingerprint, without those already authorized.',
    submit: 'Authorize',
    allAuthorized: 'All your deployments are already authorized.',
    noneRegistered: 'You have not registered a deployment yet.',
    register: 'Register a deployment',
    revoke: 'Revoke',
    revokeOf: (fingerprint: string) => `Revoke ${fingerprint}`,
    revokeHeading: 'Revoke this authorization?',
    revokeText: (fingerprint: string) =>
      `Links that ${fingerprint} requested stop working at once, and it can request no more for this model.`,
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
    intro: 'Newest first. Lists only the versions you can see.',
    shown: 'Shown on this page',
    registered: (when: string) => `Registered by this account on ${when}`,
    superseded: (when: string) => `Superseded ${when}`,
    archived: (when: string) => `Withdrawn ${when}`,
    changed: 'Changed since the previous version',
    digest: 'Digest',
    signer: 'Own signer',
    none: 'none',
  },

  reports: {
    heading: 'Report an Issue',
    text: 'Tell us what is wrong with this model. You don’t need an account. If you have a verification link, report from its page: such reports count for more.',
    buttons: {
      harmful_content: 'Malicious Content',
      privacy_violation: 'Privacy Violation',
      impersonation: 'Impersonation',
      other: 'Other',
    },
    isPrivate: 'This model is private: only you can see or report it.',
  },

  conversation: {
    title: 'Check of your link',
    checking: 'Verifying your AI model interaction...',
    simulation: 'Simulation',
    simulated: (model: string) =>
      `This is what it looks like when ${model} answers with its link. Nothing was checked.`,
    simulatedNote:
      'The demo chat on this site opens this page. A real link is requested by the model’s provider when you ask, opens a page that lists everything that was checked, and works for 15 minutes.',
    verified: {
      label: 'Link verified',
      text: (domain: string, model: string) => `A server that ${domain} approved requested this link for ${model}.`,
    },
    provider_only: {
      label: 'Company confirmed, AI not confirmed',
      text: (domain: string, model: string) =>
        `${domain} requested this link for ${model}. Anyone with the company’s access key could have made it.`,
    },
    genuine: 'Company not confirmed',
    genuineText: 'The link is genuine and is for this model, but we don’t know who requested it.',
    otherModel: 'Another model',
    otherModelText: 'This link was made for a different model. Do not take it as proof of this one.',
    refused: 'Verification Failed',
    refusedText: 'This link proves nothing about the conversation.',
    expiredText: 'This verification link has expired or is invalid. Verification links are valid for 15 minutes.',
    unknown: 'Could not check',
    unknownText: 'Unable to verify this link. Please try again or contact support.',
    named: (name: string) => `The address you opened names ${name}, which is not the name of this model.`,
    until: 'Valid until',
    version: 'Version',
    limits:
      'A link can be copied, so this does not show that your chat comes from this model. The full record says what to compare.',
    record: 'Open the full record',
    close: 'Close',
  },
} as const
