import { createPublicKey, hash, type JsonWebKey, type KeyObject, constants as padding, verify } from 'node:crypto'
import { type NewPublisher, type PublisherKind, publisherIssuers } from '@countersign/sdk/contract'

export type Claims = Readonly<Record<string, unknown>>

/** A JWT in its parts (RFC 7515 §3.1), not yet verified. */
export interface ReadToken {
  alg: string
  kid: string
  claims: Claims
  signed: string
  signature: Buffer
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const readPart = (part: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

export const readToken = (token: string): ReadToken | undefined => {
  const [, head = '', body = '', written = ''] = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(token) ?? []
  const header = readPart(head)
  const claims = readPart(body)
  // RFC 7515 §4.1.11: a critical header that is not understood is rejected.
  if (!header || !claims || 'crit' in header) return undefined
  if (typeof header.alg !== 'string' || typeof header.kid !== 'string') return undefined
  const signature = Buffer.from(written, 'base64url')
  // The last character of a signature may have bits that count for nothing.
  if (signature.toString('base64url') !== written) return undefined
  return {
    alg: header.alg,
    kid: header.kid,
    claims,
    signed: `${head}.${body}`,
    signature,
  }
}

type Check = (key: KeyObject, signed: Buffer, signature: Buffer) => boolean
interface Algorithm {
  kty: string
  crv?: string
  check: Check
}

const rsa = (digest: string): Algorithm => ({
  kty: 'RSA',
  check: (key, signed, signature) =>
    (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2_048 && verify(digest, signed, key, signature),
})
const pss = (digest: string): Algorithm => ({
  kty: 'RSA',
  check: (key, signed, signature) =>
    (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2_048 &&
    verify(
      digest,
      signed,
      { key, padding: padding.RSA_PKCS1_PSS_PADDING, saltLength: padding.RSA_PSS_SALTLEN_DIGEST },
      signature,
    ),
})
const ecdsa = (crv: string, digest: string): Algorithm => ({
  kty: 'EC',
  crv,
  check: (key, signed, signature) => verify(digest, signed, { key, dsaEncoding: 'ieee-p1363' }, signature),
})
const ed25519: Algorithm = {
  kty: 'OKP',
  crv: 'Ed25519',
  check: (key, signed, signature) => verify(null, signed, key, signature),
}

/** RFC 7518 §3.1, RFC 8037. Asymmetric only: with a symmetric algorithm, a public key could make signatures. */
const algorithms = new Map<string, Algorithm>(
  Object.entries({
    RS256: rsa('sha256'),
    RS384: rsa('sha384'),
    RS512: rsa('sha512'),
    PS256: pss('sha256'),
    PS384: pss('sha384'),
    PS512: pss('sha512'),
    ES256: ecdsa('P-256', 'sha256'),
    ES384: ecdsa('P-384', 'sha384'),
    ES512: ecdsa('P-521', 'sha512'),
    EdDSA: ed25519,
    Ed25519: ed25519,
  }),
)

export const isKnownAlgorithm = (alg: string) => algorithms.has(alg)

/** Whether the key made the signature, by an algorithm that matches its type (RFC 8725 §3.1). */
export const isSignedBy = ({ alg, signed, signature }: ReadToken, jwk: JsonWebKey): boolean => {
  const algorithm = algorithms.get(alg)
  if (!algorithm || jwk.kty !== algorithm.kty || (algorithm.crv !== undefined && jwk.crv !== algorithm.crv))
    return false
  if ((jwk.alg !== undefined && jwk.alg !== alg) || (jwk.use !== undefined && jwk.use !== 'sig')) return false
  try {
    const { kty, crv, n, e, x, y } = jwk
    return algorithm.check(
      createPublicKey({ key: { kty, crv, n, e, x, y }, format: 'jwk' }),
      Buffer.from(signed),
      signature,
    )
  } catch {
    return false
  }
}

const skewSeconds = 30
const maxAgeSeconds = 24 * 3_600

export interface ClaimFault {
  claim: string
  detail: string
}

const isSeconds = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

/** Why the token is not for this registry or not valid now; the first reason. `now` in milliseconds. */
export const tokenFault = (
  claims: Claims,
  { audience, now }: { audience: string; now: number },
): ClaimFault | undefined => {
  const { iat, nbf, exp, jti, aud } = claims
  const at = now / 1_000
  const [only, ...others] = Array.isArray(aud) ? aud : [aud]
  if (only !== audience || others.length > 0)
    return {
      claim: 'aud',
      detail: `The token must be for the audience ${audience} only. Request it with that audience.`,
    }
  if (!isSeconds(exp)) return { claim: 'exp', detail: 'The token has no expiry.' }
  if (exp + skewSeconds <= at)
    return { claim: 'exp', detail: 'The token has expired. Request a new one just before you use it.' }
  if (!isSeconds(iat)) return { claim: 'iat', detail: 'The token has no time of issue.' }
  if (iat - skewSeconds > at)
    return {
      claim: 'iat',
      detail: 'The time of issue of the token is in the future. Check the clock of the machine that issued it.',
    }
  if (at - iat > maxAgeSeconds) return { claim: 'iat', detail: 'The token is older than a day. Request a new one.' }
  if (nbf !== undefined && (!isSeconds(nbf) || nbf - skewSeconds > at))
    return { claim: 'nbf', detail: 'The token is not valid yet. Check the clock of the machine that issued it.' }
  if (typeof jti !== 'string' || jti === '' || jti.length > 500)
    return { claim: 'jti', detail: 'The token has no jti, so it could be used twice.' }
  return undefined
}

/** Until when a valid token could be replayed, in milliseconds since 1970: at most a day, even if it claims a later expiry. */
export const usableUntil = ({ iat, exp }: Claims): number =>
  Math.ceil((Math.min(Number(exp), Number(iat) + maxAgeSeconds) + skewSeconds) * 1_000)

/** The hash of the signed part only: a signature can sometimes be changed and stay valid. */
export const signedHash = ({ signed }: Pick<ReadToken, 'signed'>) => hash('sha256', signed, 'base64url')

/** What is stored about a used token. */
export const usedTokenHash = (issuer: string, jti: string) => hash('sha256', JSON.stringify([issuer, jti]), 'base64url')

/* ---- publishers ---- */

/** What a publisher is matched by, as it is stored. */
export interface Trusted {
  kind: PublisherKind
  issuer: string
  repository: string | null
  repository_id: string | null
  repository_owner_id: string | null
  workflow: string | null
  environment: string | null
  subject: string | null
}

export const trustedOf = (input: NewPublisher): Trusted => {
  if (input.kind === 'other') return { ...nothing, kind: 'other', issuer: input.issuer, subject: input.subject }
  const { kind, repository, workflow } = input
  return {
    kind,
    issuer: input.issuer ?? publisherIssuers[kind],
    repository,
    repository_id: input.repository_id ?? null,
    repository_owner_id: input.repository_owner_id ?? null,
    workflow,
    environment: input.environment ?? null,
    subject: null,
  }
}

const nothing = {
  repository: null,
  repository_id: null,
  repository_owner_id: null,
  workflow: null,
  environment: null,
} as const

/** ASCII only: other letters that lowercase to these, such as the Kelvin sign, are different names. */
const folded = (value: string) => value.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
const lower = (value: string | null) => (value === null ? null : folded(value))

/** Equal for publishers that trust the same jobs. */
export const identityOf = ({ kind, issuer, repository, workflow, environment, subject }: Trusted) =>
  hash('sha256', JSON.stringify([kind, issuer, lower(repository), workflow, lower(environment), subject]), 'base64url')

/** `repository`: whether it is a job of this repository; only then the other claims may be reported. */
export interface ClaimCheck {
  claim: string
  isRepository: boolean
  passed: boolean
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isSame = (a: unknown, b: string | null) => isText(a) && b !== null && folded(a) === folded(b)
/** If none is pinned yet, any counts. */
const isSameId = (value: unknown, wanted: string | null) =>
  wanted === null ? isText(value) && /^\d{1,20}$/.test(value) : value === wanted

/** Only events that need write access, and never a pull request, which runs a stranger's code. */
const githubEvents = ['push', 'release', 'workflow_dispatch', 'repository_dispatch', 'schedule', 'create', 'deployment']
const gitlabSources = ['push', 'web', 'schedule', 'api', 'trigger', 'pipeline', 'parent_pipeline', 'ondemand_dast_scan']
const ownRef = /^refs\/(heads|tags)\/[^\s]+$/

const checksOf = {
  github: (trusted, claims) => {
    const { ref, sha } = claims
    const [file, at] = isText(claims.job_workflow_ref) ? splitAt(claims.job_workflow_ref, '@') : ['', '']
    const isFile =
      isSame(file, `${trusted.repository}/.github/workflows/${trusted.workflow}`) &&
      file.endsWith(`/${trusted.workflow}`)
    return [
      repositoryCheck('repository', isSame(claims.repository, trusted.repository)),
      repositoryCheck('repository_id', isSameId(claims.repository_id, trusted.repository_id)),
      repositoryCheck('repository_owner_id', isSameId(claims.repository_owner_id, trusted.repository_owner_id)),
      check('event_name', isText(claims.event_name) && githubEvents.includes(claims.event_name)),
      check('ref', isText(ref) && ownRef.test(ref)),
      check('job_workflow_ref', isFile && at !== '' && (at === ref || at === sha)),
      check('environment', trusted.environment === null || isSame(claims.environment, trusted.environment)),
    ]
  },
  gitlab: (trusted, claims) => {
    const { host } = new URL(trusted.issuer)
    const [file, at] = isText(claims.ci_config_ref_uri) ? splitAt(claims.ci_config_ref_uri, '@') : ['', '']
    const isFile =
      isSame(file, `${host}/${trusted.repository}//${trusted.workflow}`) && file.endsWith(`//${trusted.workflow}`)
    return [
      repositoryCheck('project_path', isSame(claims.project_path, trusted.repository)),
      repositoryCheck('project_id', isSameId(claims.project_id, trusted.repository_id)),
      repositoryCheck('namespace_id', isSameId(claims.namespace_id, trusted.repository_owner_id)),
      check('pipeline_source', isText(claims.pipeline_source) && gitlabSources.includes(claims.pipeline_source)),
      check('ci_config_ref_uri', isFile && ownRef.test(at)),
      check('environment', trusted.environment === null || claims.environment === trusted.environment),
    ]
  },
  other: (trusted, claims) => [repositoryCheck('sub', isText(claims.sub) && claims.sub === trusted.subject)],
} as const satisfies Record<PublisherKind, (trusted: Trusted, claims: Claims) => ClaimCheck[]>

const check = (claim: string, passed: boolean): ClaimCheck => ({ claim, isRepository: false, passed })
const repositoryCheck = (claim: string, passed: boolean): ClaimCheck => ({ claim, isRepository: true, passed })

/** Splits at the first: a ref may contain another. */
const splitAt = (text: string, mark: string): [before: string, after: string] => {
  const index = text.indexOf(mark)
  return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + mark.length)]
}

/** Every claim that a publisher is matched by, in order, each passed or failed. */
export const checkClaims = (trusted: Trusted, claims: Claims): ClaimCheck[] => checksOf[trusted.kind](trusted, claims)

export type Match<T extends Trusted> =
  | { state: 'trusted'; publisher: T }
  /** A job of the repository that may not publish. Both the owner and the job learn which claim failed. */
  | { state: 'refused'; publisher: T; claim: string }
  /** A job of this name, but not of this repository: only the owner learns about it. */
  | { state: 'stranger'; publisher: T | undefined; claim: string }

const isName = (claim: string) => claim === 'repository' || claim === 'project_path' || claim === 'sub'

/** The publisher that a token belongs to, or the closest one and the claim that differs. */
export const matchPublisher = <T extends Trusted>(publishers: readonly T[], claims: Claims): Match<T> => {
  const candidates = publishers.map((publisher) => ({
    publisher,
    failed: checkClaims(publisher, claims).filter(({ passed }) => !passed),
  }))
  const trusted = candidates.find(({ failed }) => failed.length === 0)
  if (trusted) return { state: 'trusted', publisher: trusted.publisher }
  const nearest = candidates
    .filter(({ failed }) => !failed.some(({ isRepository }) => isRepository))
    .toSorted((a, b) => a.failed.length - b.failed.length)[0]
  if (nearest) return { state: 'refused', publisher: nearest.publisher, claim: nearest.failed[0]?.claim ?? '' }
  const namesake = candidates.find(({ failed }) => !failed.some(({ claim }) => isName(claim)))
  const claim = namesake?.failed[0]?.claim ?? 'repository'
  return { state: 'stranger', publisher: namesake?.publisher, claim }
}

const shown = (value: unknown) => (isText(value) ? JSON.stringify(value.slice(0, 200)) : 'not there')

/** For the job: what its token says, never what was registered. */
export const describeMismatch = (
  match: Exclude<Match<Trusted>, { state: 'trusted' }>,
  issuer: string,
  claims: Claims,
): ClaimFault => {
  if (match.state === 'stranger') {
    const [claim, id] =
      'project_path' in claims
        ? ['project_path', 'project_id']
        : 'repository' in claims
          ? ['repository', 'repository_id']
          : ['sub']
    const number = id === undefined ? '' : ` with ${id} ${shown(claims[id])}`
    const again = id === undefined ? '' : ' A repository that was recreated or moved must be added again.'
    return {
      claim: claim ?? 'sub',
      detail: `This provider trusts no publisher of ${issuer} with ${claim} ${shown(claims[claim ?? 'sub'])}${number}. Its owner can add it with \`countersign publishers add\`.${again}`,
    }
  }
  const { claim } = match
  return {
    claim,
    detail: `${hints[claim] ?? 'It does not match the trusted publisher.'} The token says: ${claim} ${shown(claims[claim])}.`,
  }
}

const hints: Readonly<Record<string, string>> = {
  event_name:
    'Jobs for pull requests, comments and the like may not publish: run on push, release, schedule or workflow_dispatch.',
  pipeline_source: 'Pipelines for merge requests may not publish: run on push, a tag, a schedule or by hand.',
  ref: 'Only branches and tags of the repository itself may publish.',
  job_workflow_ref: 'The repository is trusted, but this workflow is not.',
  ci_config_ref_uri: 'The project is trusted, but this pipeline is not.',
  environment: 'The workflow is trusted in another environment only. Run the job in that environment.',
}

/** The job itself, for the trail: with harmless characters only. */
export const runOf = ({ kind }: Pick<Trusted, 'kind'>, claims: Claims): string => {
  const word = (value: unknown) =>
    typeof value === 'number' ? `${value}` : isText(value) ? value.replace(/[^\w.-]/g, '_').slice(0, 60) : '?'
  if (kind === 'github') return `run ${word(claims.run_id)}, attempt ${word(claims.run_attempt)}`
  if (kind === 'gitlab') return `pipeline ${word(claims.pipeline_id)}, job ${word(claims.job_id)}`
  return `token ${word(claims.jti)}`
}

const shownClaims = [
  'repository',
  'ref',
  'sha',
  'event_name',
  'environment',
  'project_path',
  'ref_path',
  'ci_config_sha',
  'pipeline_source',
  'sub',
]

/** Details of a job that the owner may want to see later. */
export const factsOf = (claims: Claims): Record<string, string> =>
  Object.fromEntries(
    shownClaims.flatMap((name) => {
      const value = claims[name]
      return isText(value) ? [[name, value.slice(0, 300)]] : []
    }),
  )
