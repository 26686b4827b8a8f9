import { limits } from '@countersign/sdk/contract'
import { formatNumber } from '#messages/site.ts'
import type { DocsSection } from '../../blocks.ts'

/** API Endpoints about models and where they run. */
export const models = {
  'register-model': {
    name: 'Register Model',
    blocks: [
      'Four fields are needed: a display name, an API model identifier, the endpoint, and a description of at least 10 characters. `version` is `1.0.0` unless you give another.',
      { sample: 'register-model', caption: 'Register a model' },
      {
        list: [
          '`api_model_identifier` names the model for good: 2 to 128 letters, digits, hyphens and underscores, upper and lower case apart.',
          '`model_digest` is the SHA-256 of the file. Of several files it is the root digest of OpenSSF Model Signing, which the command line and `hashModel` compute. Nothing is uploaded.',
          `With \`model_files\`, up to ${formatNumber(limits.modelFiles)} of them, anyone can compare a download file by file: \`countersign models check\`.`,
          '`require_deployment_proof` refuses links to servers that did not prove their key.',
          '`is_public: false` keeps the model to yourself. Whoever opens one of its links still sees what that link is about.',
        ],
      },
      'If the identifier exists, the answer is 409 with `error: "model_exists"` and the version that exists in `existing_model`. See [Model Versioning](#model-versioning).',
      { heading: 'Correct a fresh registration', id: 'quick-edit' },
      `Within ${formatNumber(limits.quickEditSeconds / 3_600)} hour of its registration, and before its first link, the latest version can be corrected in place; \`can_quick_edit\` says whether. Later a change is a new version.`,
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
      'One identifier, many versions. Register the identifier again with `force_new_version: true` and another `version`; the new one supersedes the old. `copy_authorizations` lets the same deployments ask for its links.',
      { sample: 'model-versioning', caption: 'A new version' },
      {
        heads: ['State', 'Links', 'Shown'],
        rows: [
          ['Latest', 'good', 'in lists and search'],
          ['Superseded', 'good, with a notice; it can still mint', 'by its address'],
          ['Archived', 'end at once; it cannot mint (409 `model_archived`)', 'by its address, marked as withdrawn'],
        ],
      },
      'Superseded is not withdrawn. Archive a version when it should not speak for you any more, and bring it back if that was a mistake.',
      { endpoints: ['models.history', 'models.latest', 'models.archive', 'models.putArchive', 'models.unarchive'] },
    ],
  },

  'deployment-management': {
    name: 'Deployment Management',
    blocks: [
      'A deployment is a server that runs your model, known by the SHA-256 of its public key (SPKI). Renew its certificate with the same key and nothing changes. Register the fingerprint once, then say which models it may ask links for.',
      { sample: 'deployment-management', caption: 'Register and authorize' },
      { heading: 'Prove it when minting', id: 'prove-deployment' },
      'Ask for the link over mutual TLS, at the address for mutual TLS that the operator of the registry tells you. The handshake proves the key.',
      { sample: 'prove-deployment', caption: 'Mint over mutual TLS' },
      {
        heads: ['`deployment_binding`', 'Means'],
        rows: [
          ['`mtls`', 'proven in a TLS handshake with the registry'],
          ['`proxy`', 'proven in a handshake with a proxy that the operator trusts'],
          ['`self-asserted`', 'named in a header by whoever called; nothing was proven, and the page says so'],
        ],
      },
      {
        list: [
          'A fingerprint has exactly 64 hex characters; `sha256:` before it is taken, too. `countersign fingerprint FILE` tells it for any certificate or key.',
          'A key that is presented must belong to an enabled deployment of yours that is authorized for that model, else 403 `deployment_not_authorized`.',
          'Disable or delete a deployment, or withdraw its authorization, and all links that it asked for end at once.',
          'A new version inherits nothing: copy the authorizations, or give them anew.',
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
      'A bundle is a small JSON file that says: this signer signed this digest, and, for Sigstore, a public log recorded it. Bundles of Sigstore (v0.1 to v0.3) and of OpenSSF Model Signing are read.',
      { sample: 'sigstore-bundle', caption: 'Declare a signer, give a bundle' },
      {
        heads: ['`bundle_status`', 'Means'],
        rows: [
          [
            '`verified`',
            'Signature, certificate, log and time hold; the signed digest is that of this version; and you declared this signer and proved it to be yours.',
          ],
          [
            '`unknown`',
            'Nothing is wrong, but something is missing: who may sign (`signer_not_declared`), the proof that the signer is yours (`signer_not_tied`), or the digest (`digest_missing`).',
          ],
          ['`invalid`', 'Something is wrong. Links of the version end.'],
          ['`error`', 'It could not be decided; `message` says why.'],
        ],
      },
      'A signer is an `identity` of a certificate, a source `repository` (any workflow of it, or one), a `key`, or a `certificate` chain of your own. Declare signers for one identifier or for all your models. The signer is always shown.',
      'A declared signer counts as yours once that is proven: sign a challenge with its key (`countersign signers prove`), prove the domain of its e-mail address, or add a trusted publisher for the repository and let a job publish once. Until then the model counts as signed by a third party (`signer_not_tied`).',
      `A bundle has at most ${formatNumber(limits.bundleBytes)} bytes. Upload it, or name its address in \`sigstore_bundle_url\`. It is checked again every day, and at once when a signer, the digest or the address changes.`,
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
      'Name the model on the hub in `huggingface_model_id`, and the registry takes over what its card declares: language, paper, links and capabilities. It reads the card at its current commit and tells you which; name, description and identifier stay yours.',
      { sample: 'huggingface-integration', caption: 'Take over the card of the hub' },
      'The command line can also register a model of the hub without downloading it: it pins the commit and takes the digests from the list of files of the hub. For models that not everyone may read, set `HF_TOKEN`; the token is sent to the hub and to nobody else.',
      { endpoints: ['models.syncHuggingface'] },
    ],
  },

  'health-monitoring': {
    name: 'Health Monitoring',
    blocks: [
      `The registry can ask your endpoint whether it is there: every ${formatNumber(limits.healthIntervalDefault)} seconds, or as often as you say, from ${formatNumber(limits.healthIntervalMin)} to ${formatNumber(limits.healthIntervalMax)}. It is off until you switch it on.`,
      { sample: 'health-monitoring', caption: 'Switch monitoring on' },
      {
        list: [
          'Any answer below status 500 counts as healthy, a refusal for want of a key too. No answer within 10 seconds counts as unhealthy.',
          '`uptime_7d` is the percentage of seven days in which the endpoint answered, every hour counting alike; null before the first check.',
          'After repeated failures it is asked less often, at least once an hour or at your own interval.',
        ],
      },
      { endpoints: ['models.health', 'models.setHealth'] },
    ],
  },
} as const satisfies Record<string, DocsSection>
