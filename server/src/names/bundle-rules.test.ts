import { type BundleDetails, type BundleReason, type BundleSigner, describeSigner } from '@countersign/sdk/contract'
import { describe, expect, it } from 'vitest'
import { messageFor } from '../../../sdk/src/integrity/words.ts'
import { fitBundle, fitDetails, fitLogged } from './bundle-rules.ts'

const signer = { issuer: null, repository: null, workflow: null, key_fingerprint: null }
const ofSigstore = { ...signer, identity: 'ada@rival.example', issuer: 'https://accounts.google.com' }
const ofAuthority = { ...signer, identity: 'CN=Rival (rival.example)', key_fingerprint: 'a'.repeat(64) }

const shown = (error: string, of: typeof ofSigstore | typeof ofAuthority | null = null) =>
  fitDetails({ signer_identity: null, error } as BundleDetails, of, ['acme.example'])?.error

const noFacts = { method: null, signer: null, signed_digest: null, predicate_type: null, trusted_root_date: null }
const ofType = (predicate_type: string) => messageFor('attestation_only', '', { ...noFacts, predicate_type })
const by = (of: BundleSigner, reason: BundleReason = 'signer_mismatch') =>
  messageFor(reason, '', { ...noFacts, signer: of })

it.each([
  'https://slsa.dev/provenance/v1',
  'https://slsa.dev/verification_summary/v1',
  'https://in-toto.io/attestation/test-result/v0.1',
  'https://spdx.dev/Document/v2.3',
  'https://cyclonedx.org/bom',
  'https://github.com/npm/attestation/tree/main/specs/publish/v0.1',
  'https://model_signing/signature/v1.0',
  'https://acme.example/attestations/v1',
])('visitors read the type of an attestation: %s', (type) => {
  const error = ofType(type)
  expect(shown(error)).toBe(error)
})

it.each([
  'https://openai.com/verified-release',
  'https://slsa.dev/verified-by-openai/v1',
  'https://github.com/openai.com/officially-verified',
  'https://acme.example/verified',
  'https://rival☃.example/v1',
  `https://acme.example/${'v'.repeat(300)}`,
])(
  'visitors do not read the type of an attestation that contains another’s domain or words of judgement: %s',
  (type) => {
    expect(shown(ofType(type))).toMatch(/^An attestation of an unknown statement type, signed with a key /)
  },
)

it.each([
  { of: ofSigstore, error: by(ofSigstore), says: by(ofSigstore) },
  {
    of: ofAuthority,
    error: by(ofAuthority),
    says: by({ ...ofAuthority, identity: '' }),
  },
  {
    of: ofAuthority,
    error: by(ofAuthority, 'signer_not_tied'),
    says: by({ ...ofAuthority, identity: '' }, 'signer_not_tied'),
  },
  {
    of: null,
    error: '(“CN=Verified by Rival” is valid from today.)',
    says: '(a name that is not shown here is valid from today.)',
  },
  {
    of: null,
    error: '("verified \\"by rival.example" is listed twice.)',
    says: '(a name that is not shown here is listed twice.)',
  },
  {
    of: null,
    error: '(Media type "v9” is newer. It is certified by openai.com, the offic; versions 0.1 to 0.3 are read.)',
    says: '(Media type a name that is not shown here',
  },
  {
    of: null,
    error: '(“v9 is newer. It is certified by openai.com; versions 0.1 to 0.3 are read.)',
    says: '(a name that is not shown here',
  },
  {
    of: null,
    error: '(Signed content of type "json” was signed by OpenAI. Others, such as “xml".)',
    says: '(Signed content of an unknown statement type.)',
  },
  { of: null, error: '("model.safetensors" is listed twice.)', says: '("model.safetensors" is listed twice.)' },
])('visitors read what was signed by whom without what its signer chose: $says', ({ of, error, says }) => {
  expect(shown(error, of)).toBe(says)
})

it.each([
  'tokenizer.py',
  'scripts/run.sh',
  'README.md',
  'libmodel.so',
  'yolov8n.pt',
  'stable-diffusion-v2.1-768.pt',
  'model-1.5.zip',
  'model-00001-of-00002.safetensors',
  'gemini-1.5.pro',
])('visitors read the name of a file: %s', (name) => {
  const error = `(${JSON.stringify(name)} is listed twice.)`
  expect(shown(error)).toBe(error)
})

it.each([
  'openai.com',
  'notion.so',
  'chat.notion.so',
  'openai.com/README.md',
  'chat.astral.sh',
  '2.5-deepmind.google',
  'verified-by-openai.md',
  '"openai.com"/run.sh',
])('visitors do not read the name of a file with another’s domain or words of judgement: %s', (name) => {
  expect(shown(`(${JSON.stringify(name)} is listed twice.)`)).toBe('(a name that is not shown here is listed twice.)')
})

const github = 'https://token.actions.githubusercontent.com'
const gke = 'https://container.googleapis.com/v1/projects/p/locations/l/clusters'
const main = '@refs/heads/main'
const job = (repository: string, workflow = '.github/workflows/release.yml', ref = main): BundleSigner => ({
  ...signer,
  identity: `${repository}/${workflow}${ref}`,
  issuer: github,
  repository,
  workflow,
})
const acme = job('https://github.com/acme/chat')

const seenOf = (bundle_signer: BundleSigner) => {
  const bundle_verification_details = {
    signer_identity: '',
    error: by(bundle_signer),
  }
  const seen = fitBundle({ bundle_signer, bundle_verification_details: bundle_verification_details as BundleDetails }, [
    'acme.example',
    'acme.test',
  ])
  return { ...seen, logged: fitLogged(describeSigner(bundle_signer), ['acme.example', 'acme.test']) }
}

describe('who signed with an identity that Sigstore certified', () => {
  it.each<BundleSigner>([
    ofSigstore,
    { ...ofSigstore, identity: 'release@acme.example' },
    { ...ofSigstore, identity: 'wei.wang@mailhost.example' },
    { ...ofSigstore, identity: 'ana.de.luca@mailhost.example' },
    { ...ofSigstore, identity: 'marco.colombo@mailhost.example' },
    { ...ofSigstore, identity: 'john.smith@mailhost.example' },
    { ...ofSigstore, identity: 'larry.page@mailhost.example' },
    { ...ofSigstore, identity: 'maria.de.la.cruz@mailhost.example' },
    { ...ofSigstore, identity: 'rosa.di.bella@mailhost.example' },
    { ...ofSigstore, identity: 'anna.deLuca@mailhost.example' },
    { ...ofSigstore, identity: 'sean.McDonald@mailhost.example' },
    { ...ofSigstore, identity: 'release.bot@mailhost.example' },
    { ...ofSigstore, identity: 'ada.lovelace2@mailhost.example' },
    { ...ofSigstore, identity: 'max.company@mailhost.example' },
    { ...ofSigstore, identity: 'tom.comstock@mailhost.example' },
    { ...ofSigstore, identity: 'nina.Netter@mailhost.example' },
    { ...ofSigstore, identity: 'jon.appleton@mailhost.example' },
    { ...ofSigstore, identity: 'josé.garcía@mailhost.example' },
    { ...ofSigstore, identity: 'bob.bernard7@mailhost.example' },
    { ...ofSigstore, identity: 'release-2026.10@mailhost.example' },
    { ...ofSigstore, identity: 'release@chat.iam.gserviceaccount.com' },
    acme,
    job('https://github.com/acme/acme.test', undefined, '@refs/tags/v1.2.3'),
    {
      ...signer,
      identity: `https://gitlab.com/acme/chat//.gitlab-ci.yml${main}`,
      issuer: 'https://gitlab.com',
      repository: 'https://gitlab.com/acme/chat',
    },
    { ...acme, repository: 'https://github.com/acme/models', workflow: null },
    { ...signer, identity: 'https://kubernetes.io/namespaces/prod/serviceaccounts/chat', issuer: `${gke}/chat` },
    { ...signer, identity: 'https://buildkite.com/acme/chat', issuer: 'https://agent.buildkite.com' },
    { ...signer, identity: 'spiffe://acme.example/ns/prod/sa/chat', issuer: null },
  ])('is shown to visitors: $identity', (of) => {
    const { bundle_signer, bundle_verification_details, logged } = seenOf(of)
    expect(bundle_signer).toEqual(of)
    expect(bundle_verification_details?.error).toBe(by(of))
    expect([bundle_verification_details?.signer_identity, logged]).toEqual([describeSigner(of), describeSigner(of)])
  })

  it.each<BundleSigner>([
    {
      ...signer,
      identity: 'https://kubernetes.io/namespaces/release/serviceaccounts/chat.openai.com',
      issuer: `${gke}/chat`,
    },
    { ...signer, identity: 'https://kubernetes.io/namespaces/verified/serviceaccounts/chat', issuer: `${gke}/chat` },
    { ...ofSigstore, identity: 'verified-by-countersign@openai-official.iam.gserviceaccount.com' },
    { ...ofSigstore, identity: 'release@openai-official.iam.gserviceaccount.com' },
    { ...ofSigstore, identity: 'release@openai-official.onmicrosoft.com' },
    { ...ofSigstore, identity: 'officially-verified@mailhost.example' },
    { ...ofSigstore, identity: 'release.openai.com@mailhost.example' },
    { ...ofSigstore, identity: 'claude.ai@mailhost.example' },
    { ...ofSigstore, identity: 'huggingface.co@mailhost.example' },
    { ...ofSigstore, identity: 'deepmind.google+release@mailhost.example' },
    { ...ofSigstore, identity: 'deepseek.cn@mailhost.example' },
    { ...ofSigstore, identity: 'openai.eu+release@mailhost.example' },
    { ...ofSigstore, identity: 'notion.so@mailhost.example' },
    { ...ofSigstore, identity: 'openai.co.uk@mailhost.example' },
    { ...ofSigstore, identity: 'chat.openai.info@mailhost.example' },
    { ...ofSigstore, identity: 'openai.cloud@mailhost.example' },
    { ...ofSigstore, identity: 'amazon.de.support@mailhost.example' },
    { ...ofSigstore, identity: 'perplexity.chat@mailhost.example' },
    { ...ofSigstore, identity: 'openai.c0m@mailhost.example' },
    { ...ofSigstore, identity: 'openai.corn@mailhost.example' },
    { ...ofSigstore, identity: 'openai.сом@mailhost.example' },
    { ...ofSigstore, identity: 'openai.comGPT@mailhost.example' },
    { ...ofSigstore, identity: 'openai.COMgpt@mailhost.example' },
    { ...ofSigstore, identity: 'openai.com5@mailhost.example' },
    { ...ofSigstore, identity: 'openai.com的@mailhost.example' },
    { ...ofSigstore, identity: 'openai.comAI.release@mailhost.example' },
    { ...ofSigstore, identity: 'openai.aiGPT@mailhost.example' },
    { ...ofSigstore, identity: 'openai.devGPT+release@mailhost.example' },
    job('https://github.com/evil/openai.com'),
    job('https://github.com/evil/chat', '.github/workflows/officially-verified.yml'),
    job('https://github.com/evil/chat', undefined, '@refs/heads/verified-by-openai'),
    job('https://git.openai.com/chat'),
    { ...acme, repository: 'https://github.com/evil/openai.com' },
    job('https://github.com/evil/chat', `${'a/'.repeat(200)}release.yml`),
  ])(
    'is not shown if customers of a platform chose another’s domain or words of judgement: $identity, $repository',
    (of) => {
      const { bundle_signer, bundle_verification_details, logged } = seenOf(of)
      const withheld = { identity: '', repository: null, workflow: null }
      expect(bundle_signer).toEqual({ ...of, ...withheld })
      expect(bundle_verification_details?.error).toBe(by({ ...of, ...withheld }))
      expect([bundle_verification_details?.signer_identity, logged]).toEqual([
        'an identity that is not shown here',
        null,
      ])
    },
  )

  it('is shown with the host of its issuer alone if a customer chose words of judgement in the path', () => {
    const identity = 'https://kubernetes.io/namespaces/prod/serviceaccounts/chat'
    const { bundle_signer, logged } = seenOf({ ...signer, identity, issuer: `${gke}/officially-verified` })
    expect(bundle_signer).toEqual({ ...signer, identity, issuer: 'container.googleapis.com' })
    expect(logged).toBe(`${identity} (container.googleapis.com)`)
  })
})
