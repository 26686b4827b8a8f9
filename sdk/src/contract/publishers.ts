import { z } from 'zod'
import { type Endpoints, endpoint, publisherScope } from './endpoint.ts'
import { ProviderId, PublisherId, Time, textOrNull } from './fields.ts'
import { limits } from './limits.ts'
import { routes } from './routes.ts'

/** The kinds of trusted publishers. */
export const publisherKinds = ['github', 'gitlab', 'other'] as const
/** A kind of trusted publisher. */
export type PublisherKind = (typeof publisherKinds)[number]

/** The default issuers. */
export const publisherIssuers = {
  github: 'https://token.actions.githubusercontent.com',
  gitlab: 'https://gitlab.com',
} as const satisfies Partial<Record<PublisherKind, string>>

/** RFC 8693 §2.1 and §3. */
export const tokenExchange = {
  grantType: 'urn:ietf:params:oauth:grant-type:token-exchange',
  idToken: 'urn:ietf:params:oauth:token-type:id_token',
  jwt: 'urn:ietf:params:oauth:token-type:jwt',
  accessToken: 'urn:ietf:params:oauth:token-type:access_token',
} as const

const claimText = (what: string, max: number) =>
  z
    .string(`${what} is required`)
    .max(max, { abort: true, error: `Must have at most ${max} characters` })
    .overwrite((value) => value.trim())
    .min(1, `${what} is required`)

const Issuer = claimText('Issuer', 2_048)
  .overwrite((value) => value.replace(/\/+$/, ''))
  .regex(/^https?:\/\/[^\s?#@]+$/, 'Must be the address of an issuer, such as https://gitlab.acme.example')

/** The path of a repository's address; input may be the whole address. */
const repositoryPath = (value: string) =>
  value
    .replace(/^https:\/\/[^/]+\//, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')

const GithubRepository = claimText('Repository', 200)
  .overwrite(repositoryPath)
  .regex(/^[A-Za-z0-9-]{1,39}\/[A-Za-z0-9._-]{1,100}$/, 'Must be owner and repository, such as acme/models')

const GitlabProject = claimText('Project', 500)
  .overwrite(repositoryPath)
  .regex(/^[A-Za-z0-9_][\w.-]*(\/[A-Za-z0-9_][\w.-]*)+$/, 'Must be group and project, such as acme/models')

const GithubWorkflow = claimText('Workflow', 200)
  .overwrite((value) => value.replace(/^\.github\/workflows\//, ''))
  .regex(/^[^\s/@]+\.ya?ml$/, 'Must be the name of a file in .github/workflows, such as release.yml')

const GitlabWorkflow = claimText('Pipeline file', 200).regex(
  /^(?!\/)[^\s@]+\.ya?ml$/,
  'Must be the path of the pipeline’s file in its repository, such as .gitlab-ci.yml',
)

const NumericId = z
  .string()
  .overwrite((value) => value.trim())
  .regex(/^[1-9]\d{0,19}$/, 'Must be the numeric ID, such as 123456789')

const ids = {
  /** `repository_id` of GitHub, `project_id` of GitLab. By default the first use fixes it. */
  repository_id: NumericId.optional(),
  /** `repository_owner_id` of GitHub, `namespace_id` of GitLab. By default the first use fixes it. */
  repository_owner_id: NumericId.optional(),
}
const Environment = claimText('Environment', 255).optional()

/** A workflow that may publish. With `environment`, only its jobs in that environment may. */
export const NewPublisher = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('github'),
    issuer: Issuer.optional(),
    repository: GithubRepository,
    ...ids,
    workflow: GithubWorkflow,
    environment: Environment,
  }),
  z.strictObject({
    kind: z.literal('gitlab'),
    issuer: Issuer.optional(),
    repository: GitlabProject,
    ...ids,
    workflow: GitlabWorkflow.default('.gitlab-ci.yml'),
    environment: Environment,
  }),
  /** `subject` must equal the entire `sub`. */
  z.strictObject({ kind: z.literal('other'), issuer: Issuer, subject: claimText('Subject', 500) }),
])
export type NewPublisher = z.output<typeof NewPublisher>

/** A workflow that may publish without a key. */
export const Publisher = z.strictObject({
  id: PublisherId,
  kind: z.enum(publisherKinds),
  issuer: z.string(),
  repository: textOrNull,
  /** Null until the first use fixes it. */
  repository_id: textOrNull,
  repository_owner_id: textOrNull,
  workflow: textOrNull,
  environment: textOrNull,
  subject: textOrNull,
  created_at: Time,
  last_used_at: Time.nullable(),
  /** The last rejected job of this repository, and the claim that did not match. Updated at most every ten minutes. */
  last_refusal: z.strictObject({ at: Time, claim: z.string() }).nullable(),
  /** Whether the registry still accepts the issuer. Otherwise its jobs get no tokens. */
  is_issuer_accepted: z.boolean(),
})
export type Publisher = z.infer<typeof Publisher>

/** Trusted publishers, and the issuers that the registry accepts. */
export const PublisherList = z.strictObject({
  publishers: z.array(Publisher),
  /** The issuers whose tokens this registry accepts. */
  issuers: z.array(z.strictObject({ kind: z.enum(publisherKinds), issuer: z.string() })),
  /** The required `aud` of a token. */
  audience: z.string(),
})
export type PublisherList = z.infer<typeof PublisherList>

/** A token exchange (RFC 8693 §2.1). */
export const TokenExchange = z.strictObject({
  grant_type: z.literal(tokenExchange.grantType, `Must be ${tokenExchange.grantType}`),
  subject_token: z.string().min(1).max(16_000),
  subject_token_type: z.enum([tokenExchange.idToken, tokenExchange.jwt]),
  requested_token_type: z.literal(tokenExchange.accessToken).optional(),
  /** The provider to publish as. The job names it, so that another provider trusting the same repository cannot change where it publishes. */
  provider_id: ProviderId,
})
export type TokenExchange = z.output<typeof TokenExchange>

/** RFC 8693 §2.2.1. The token is used like an API key, expires and cannot be renewed. */
export const ExchangedToken = z.strictObject({
  access_token: z.string(),
  issued_token_type: z.literal(tokenExchange.accessToken),
  token_type: z.literal('Bearer'),
  /** Seconds. */
  expires_in: z.number().int(),
  scope: z.literal(publisherScope),
  provider_id: ProviderId,
  publisher_id: PublisherId,
})
export type ExchangedToken = z.infer<typeof ExchangedToken>

/** Endpoints of trusted publishers. */
export const publishers = {
  list: endpoint(routes.publishers.list, {
    summary: 'Workflows that may publish without a key, and the accepted issuers',
    caller: 'provider',
    whileDeactivated: true,
    response: PublisherList,
  }),
  add: endpoint(routes.publishers.add, {
    summary: 'Trust a workflow: its jobs get 15-minute tokens that can register models and versions and upload bundles',
    caller: 'provider',
    scope: 'full',
    body: NewPublisher,
    response: Publisher,
    status: 201,
    errors: ['publisher_exists'],
  }),
  remove: endpoint(routes.publishers.remove, {
    summary: 'Stop trusting a workflow; its tokens stop working at the next request',
    caller: 'provider',
    scope: 'full',
    whileDeactivated: true,
    params: z.strictObject({ id: PublisherId }),
    response: Publisher,
  }),
  exchange: endpoint(routes.publishers.exchange, {
    summary: 'Exchange the identity token of a CI job for a 15-minute token (RFC 8693); each identity token works once',
    caller: 'public',
    body: TokenExchange,
    maxBodyBytes: limits.bodyBytes,
    response: ExchangedToken,
    errors: ['identity_token_invalid', 'publisher_mismatch', 'upstream_unavailable'],
  }),
} satisfies Endpoints<typeof routes.publishers>
