import type { Publisher, PublisherKind, PublisherList } from '@countersign/sdk/contract'

/** What the form holds, of every kind, so that changing the kind loses nothing. */
export interface PublisherForm {
  kind: PublisherKind
  /** Empty: the first that the registry takes of the kind. */
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

/** Only what the registry takes tokens of. */
export const kindsOf = ({ issuers }: Pick<PublisherList, 'issuers'>): PublisherKind[] => [...new Set(issuers.map(({ kind }) => kind))]

export const issuersOf = ({ issuers }: Pick<PublisherList, 'issuers'>, kind: PublisherKind): string[] =>
  issuers.filter((each) => each.kind === kind).map(({ issuer }) => issuer)

/** What is sent. Left out where it is empty and may be. */
export const newPublisherOf = (form: PublisherForm, known: Pick<PublisherList, 'issuers'>): Record<string, string> => {
  const issuers = issuersOf(known, form.kind)
  const issuer = issuers.includes(form.issuer) ? form.issuer : (issuers[0] ?? '')
  const given = fieldsOf[form.kind].map((name) => [name, name === 'issuer' ? issuer : form[name].trim()] as const)
  return { kind: form.kind, ...Object.fromEntries(given.filter(([, value]) => value !== '')) }
}

interface Scene {
  /** Whom to publish as. */
  provider: string
  /** Where the registry is reached, which is the audience. */
  registry: string
}

/** Of whatever release: files that changed need a version of their own. */
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

/** A name that YAML takes as it is, or in quotes. */
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

const snippets = { github: ofGithub, gitlab: ofGitlab, other: ofOther } as const satisfies Record<PublisherKind, unknown>

/** What makes a job publish, to be pasted. */
export const snippetOf = (publisher: Publisher, scene: Scene): string => snippets[publisher.kind](publisher, scene)
