import { limits } from '@countersign/sdk/contract'
import { formatNumber } from '#messages/site.ts'
import type { DocsSection } from '../../blocks.ts'

/** The API Endpoints group: models and where they run. */
export const models = {
  'register-model': {
    name: 'Register Model',
    blocks: [
      'Four fields are required: a display name, an API model identifier, the endpoint, and a description of at least 10 characters. `version` defaults to `1.0.0`.',
      { sample: 'register-model', caption: 'Register a model' },
      {
        list: [
          '`api_model_identifier` identifies the model permanently: 2 to 128 letters, digits, hyphens and underscores, case-sensitive.',
          '`model_digest` is the SHA-256 of the file. For several files, it is the root digest of OpenSSF Model Signing, which the command line and `hashModel` compute. Nothing is uploaded.',
          `With \`model_files\`, up to ${formatNumber(limits.modelFiles)} of them, anyone can compare a download file by file: \`countersign models check\`.`,
          'With `require_deployment_proof`, only servers that prove their key can request links.',
          '`is_public: false` makes the model private. Anyone who opens one of its links still sees which model the link is for.',
        ],
      },
      'If the identifier exists, the response is 409 with `error: "model_exists"` and the existing version in `existing_model`. See [Model Versioning](#model-versioning).',
      { heading: 'Edit a new registration', id: 'quick-edit' },
      `Within ${formatNumber(limits.quickEditSeconds / 3_600)} hour of registration, and before its first link, you can edit the latest version in place; \`can_quick_edit\` says whether. After that, changes need a new version.`,
      {
        endpoints: [
          'models.register',
          'models.quickEdit',
          'models.setVisibility',
          'models.get',
          'models.files',
          'models.list',
          'providers.models',
        ],
      },
    ],
  },

  'model-versioning': {
    name: 'Model Versioning',
    blocks: [
      'One identifier, many versions. Register the identifier again with `force_new_version: true` and another `version`; the new one supersedes the old. `copy_authorizations` authorizes the same deployments for it.',
      { sample: 'model-versioning', caption: 'A new version' },
      {
        heads: ['State', 'Links', 'Shown'],
        rows: [
          ['Latest', 'valid', 'in lists and search'],
          ['Superseded', 'valid, with a notice; new links are possible', 'at its URL'],
          ['Archived', 'invalid at once; no new links (409 `model_archived`)', 'at its URL, marked as withdrawn'],
        ],
      },
      'Superseded does not mean withdrawn. Archive a version when its links should no longer be valid; unarchive it if that was a mistake.',
      { endpoints: ['models.history', 'models.latest', 'models.archive', 'models.putArchive', 'models.unarchive'] },
    ],
  },

  'deployment-management': {
    name: 'Deployment Management',
    blocks: [
      'A deployment is a server that runs your model, identified by the SHA-256 of its public key (SPKI). You can renew its certificate with the same key without changing anything here. Register the fingerprint once, then authorize it for your models.',
      { sample: 'deployment-management', caption: 'Register and authorize' },
      { heading: 'Prove it when creating links', id: 'prove-deployment' },
      'Request the link over mutual TLS, at the mutual TLS URL that the registry’s operator gives you. The handshake proves the key. Without client certificates, sign the request with the key (`requestSigner`), or let your platform vouch for the server (`workloadSigner`).',
      { sample: 'prove-deployment', caption: 'Create a link over mutual TLS' },
      {
        heads: ['`deployment_binding`', 'Meaning'],
        rows: [
          ['`mtls`', 'proven in a TLS handshake with the registry'],
          ['`proxy`', 'proven in a handshake with a proxy that the operator trusts'],
          ['`workload`', 'proven by a signature with a key that its platform vouched for; the page names the issuer'],
          ['`signed`', 'proven by a signature of the request with its key (RFC 9421)'],
          ['`self-asserted`', 'named in a header by the caller; nothing was proven, and the page says so'],
        ],
      },
      {
        list: [
          'A fingerprint has exactly 64 hex characters, optionally after `sha256:`. `countersign fingerprint FILE` prints it for any certificate or key.',
          'The key must belong to one of your enabled deployments that is authorized for the model; otherwise the response is 403 `deployment_not_authorized`.',
          'If you disable or delete a deployment, or revoke its authorization, all links it requested become invalid at once.',
          'A new version inherits no authorizations: copy them, or authorize the deployments again.',
        ],
      },
      {
        endpoints: [
          'deployments.register',
          'deployments.list',
          'deployments.setStatus',
          'deployments.delete',
          'models.allowDeployment',
          'models.deployments',
          'models.countDeployments',
          'models.revokeDeployment',
        ],
      },
    ],
  },

  'sigstore-bundle': {
    name: 'Sigstore Bundle Verification',
    blocks: [
      'A bundle is a small JSON file which shows that a signer signed a digest and, for Sigstore, that a public log recorded it. Supported are Sigstore bundles (v0.1 to v0.3) and OpenSSF Model Signing.',
      { sample: 'sigstore-bundle', caption: 'Declare a signer, upload a bundle' },
      {
        heads: ['`bundle_status`', 'Meaning'],
        rows: [
          [
            '`verified`',
            'Signature, certificate, log and time are valid; the signed digest is that of this version; and you declared this signer and proved that it is yours.',
          ],
          [
            '`unknown`',
            'Nothing is wrong, but something is missing: a declared signer (`signer_not_declared`), the proof that the signer is yours (`signer_not_tied`), or the digest (`digest_missing`).',
          ],
          ['`invalid`', 'Something is wrong. The version’s links are no longer valid.'],
          ['`error`', 'The bundle could not be checked; `message` says why.'],
        ],
      },
      'A signer is an `identity` of a certificate, a source `repository` (any workflow of it, or one), a `key`, or a `certificate` chain of your own. Declare signers for one identifier or for all your models. The signer is always shown.',
      'To prove that a declared signer is yours, sign a challenge with its key (`countersign signers prove`), prove the domain of its email address, or add a trusted publisher for the repository and have a job publish once. Until then the model counts as signed by a third party (`signer_not_tied`).',
      `A bundle has at most ${formatNumber(limits.bundleBytes)} bytes. Upload it, or set its URL in \`sigstore_bundle_url\`. It is checked every day, and at once when a signer, the digest or the URL changes.`,
      {
        endpoints: [
          'bundles.verify',
          'bundles.upload',
          'bundles.status',
          'signers.list',
          'signers.declare',
          'signers.challenge',
          'signers.prove',
          'signers.withdraw',
        ],
      },
    ],
  },

  'huggingface-integration': {
    name: 'HuggingFace Integration',
    blocks: [
      'Set the model’s hub ID in `huggingface_model_id`, and the registry copies what its card declares: language, paper, links and capabilities. It reads the card at its current commit and returns which; name, description and identifier stay as they are.',
      { sample: 'huggingface-integration', caption: 'Sync the model card' },
      'The command line can also register a hub model without downloading it: it pins the commit and reads the digests from the hub’s file list. For models that are not public, set `HF_TOKEN`; the token is sent only to the hub.',
      { endpoints: ['models.syncHuggingface'] },
    ],
  },

  'health-monitoring': {
    name: 'Health Monitoring',
    blocks: [
      `The registry can check whether your endpoint responds, every ${formatNumber(limits.healthIntervalDefault)} seconds by default; you can set ${formatNumber(limits.healthIntervalMin)} to ${formatNumber(limits.healthIntervalMax)}. Monitoring is off until you switch it on.`,
      { sample: 'health-monitoring', caption: 'Enable monitoring' },
      {
        list: [
          'Any response with a status below 500 counts as healthy, including a rejected request without a key. No response within 10 seconds counts as unhealthy.',
          '`uptime_7d` is the percentage of the last seven days in which the endpoint responded, with equal weight for each hour; null until checks cover most of that time.',
          'If the last check is overdue by more than an hour, the status is unknown.',
          'After repeated failures it is checked less often, but at least once an hour or at your own interval.',
        ],
      },
      { endpoints: ['models.health', 'models.setHealth'] },
    ],
  },
} as const satisfies Record<string, DocsSection>
