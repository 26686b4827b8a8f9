import type { Publisher, PublisherKind, PublisherList } from '@countersign/sdk/contract'

/** The fields of all kinds, so that changing the kind loses nothing. */
export interface PublisherForm {
  kind: PublisherKind
  /** If empty, the first issuer that the registry accepts for the kind. */
  issuer: string
  repository: string
  workflow: string
  environment: string
  repository_id: string
  subject: string
}
export type PublisherField = Exclude<keyof PublisherForm, 'kind'>

export const emptyPublisherForm: PublisherForm = {
  kind: 'github',
  issuer: '',
  repository: '',
  workflow: '',
  environment: '',
  repository_id: '',
  subject: '',
}

export const fieldsOf = {
  github: ['repository', 'workflow', 'environment', 'repository_id', 'issuer'],
  gitlab: ['repository', 'workflow', 'environment', 'repository_id', 'issuer'],
  other: ['issuer', 'subject'],
} as const satisfies Record<PublisherKind, readonly PublisherField[]>

/** Only the issuers whose tokens the registry accepts. */
export const kindsOf = ({ issuers }: Pick<PublisherList, 'issuers'>): PublisherKind[] => [
  ...new Set(issuers.map(({ kind }) => kind)),
]

export const issuersOf = ({ issuers }: Pick<PublisherList, 'issuers'>, kind: PublisherKind): string[] =>
  issuers.filter((each) => each.kind === kind).map(({ issuer }) => issuer)

/** The values to send, without empty optional ones. */
export const newPublisherOf = (form: PublisherForm, known: Pick<PublisherList, 'issuers'>): Record<string, string> => {
  const issuers = issuersOf(known, form.kind)
  const issuer = issuers.includes(form.issuer) ? form.issuer : (issuers[0] ?? '')
  const given = fieldsOf[form.kind].map((name) => [name, name === 'issuer' ? issuer : form[name].trim()] as const)
  return { kind: form.kind, ...Object.fromEntries(given.filter(([, value]) => value !== '')) }
}

interface Scene {
  /** The provider to publish as. */
  provider: string
  /** The registry's URL, which is the token's audience. */
  registry: string
}

/** Uses the release as version, because changed files need a new one. */
const register = (release: string) => [
  'countersign models register model.safetensors --if-not-exists \\',
  `  --new-version --version "$${release}" \\`,
  '  --identifier acme-chat --display-name "Acme Chat" \\',
  '  --endpoint https://api.acme.example/v1/chat \\',
  '  --description "Answers questions about our products"',
]
const indented = (by: number, release: string) =>
  register(release)
    .map((line) => `${' '.repeat(by)}${line}`)
    .join('\n')

/** Quotes a name for YAML if needed. */
const scalar = (text: string) => (/^[A-Za-z][\w./-]*$/.test(text) ? text : JSON.stringify(text))

const ofGithub = ({ environment }: Publisher, { provider, registry }: Scene) => `name: Release
on:
  push:
    tags: ['v*']
jobs:
  publish:
    runs-on: ubuntu-latest
${environment === null ? '' : `    environment: ${scalar(environment)}\n`}    permissions:
      contents: read
      id-token: write
    env:
      COUNTERSIGN_API_URL: ${registry}
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 24
      - run: npm install --global @countersign/cli
      - run: countersign auth login --oidc --provider ${provider}
      - run: |
${indented(10, 'GITHUB_REF_NAME')}`

const ofGitlab = ({ environment }: Publisher, { provider, registry }: Scene) => `publish:
  image: node:24
  rules:
    - if: $CI_COMMIT_TAG
${environment === null ? '' : `  environment: ${scalar(environment)}\n`}  id_tokens:
    COUNTERSIGN_ID_TOKEN:
      aud: ${registry}
  variables:
    COUNTERSIGN_API_URL: ${registry}
  script:
    - npm install --global @countersign/cli
    - countersign auth login --oidc --provider ${provider}
    - |
${indented(6, 'CI_COMMIT_TAG')}`

const ofOther = (
  _: Publisher,
  { provider, registry }: Scene,
) => `# COUNTERSIGN_ID_TOKEN: the job's token, for the audience ${registry}; VERSION: the release
export COUNTERSIGN_API_URL=${registry}
countersign auth login --oidc --provider ${provider}
${indented(0, 'VERSION')}`

const snippets = { github: ofGithub, gitlab: ofGitlab, other: ofOther } as const satisfies Record<
  PublisherKind,
  unknown
>

/** The workflow steps that publish, for pasting. */
export const snippetOf = (publisher: Publisher, scene: Scene): string => snippets[publisher.kind](publisher, scene)
