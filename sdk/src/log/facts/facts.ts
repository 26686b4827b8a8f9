import { decodeBase64url } from '#base64url'
import type { LogCheck } from '../../verify/log-check.ts'
import { isProof } from '../../verify/proven-domain.ts'
import type { TokenReading } from '../../verify/token.ts'
import { isObject, isText } from '../../verify/values.ts'
import { ensure, LogError, utf8 } from '../bytes.ts'
import { isSignedBy } from '../ed25519.ts'
import { hideText } from '../entries/commitment.ts'
import { readFact } from '../entries/fact.ts'
import type { LogPolicy } from '../policy.ts'
import { parseProof, verifyProof } from '../proof.ts'
import { leafHash } from '../tree.ts'

/** One fact as the registry answers it (`log.proofs`). */
export interface FactProof {
  /** Which fact of its subject. */
  fact: string
  /** How far the registry says that it is logged. */
  state: string
  /** The entry as it is hashed; null if it is not public. */
  entry: string | null
  /** The texts that the entry has only a salted hash of. */
  disclosures: readonly { field: string; salt: string; value: string }[]
  /** c2sp.org/tlog-proof. */
  proof: string | null
}

/** What a verified link says, by the names of its token's claims: the log must say the same. */
export type ExpectedFacts = Readonly<Partial<Record<ExpectedClaim, unknown>>>

type ExpectedClaim =
  | 'provider_id'
  | 'provider_domain'
  | 'model_id'
  | 'model_digest'
  | 'model_identifier'
  | 'deployment_id'
  | 'deployment_binding'
  | 'spki_fingerprint'
  | 'workload_issuer'
  | 'workload_subject'

type Facts = Readonly<Record<string, unknown>>
/** A fact, the beginning of its entry's type, and what the entry must state, in clear and as salted hashes. */
type Requirement = [fact: string, type: string, states: Facts, hides?: Facts]

const requirementsOf = (claims: ExpectedFacts, token: TokenReading | undefined): Requirement[] => {
  const { provider_id: provider, provider_domain: domain, model_id: model, model_digest: digest = null } = claims
  const { deployment_binding: binding, spki_fingerprint: spki, workload_issuer: issuer } = claims
  const version = { provider, model, digest }
  const required: Requirement[] = [
    [`domain ${domain}`, 'domain.proven', { provider, domain }],
    ['version', 'version.', version, { identifier: claims.model_identifier }],
    ['key', 'registry_key.added', token ? { kid: token.header.kid } : {}],
  ]
  if (!isProof(binding)) return required
  // A platform vouches for keys of a workload one by one; they are not the deployment's own.
  const isVouchedFor = binding === 'workload'
  const server = { provider, deployment: claims.deployment_id }
  required.push([
    `authorization ${model}`,
    'deployment.authorized',
    { ...server, model, ...(!isVouchedFor && { spki }) },
  ])
  if (isVouchedFor || issuer)
    required.push(['platform', 'platform.trusted', { ...server, issuer }, { subject: claims.workload_subject }])
  return required
}

const isFactProof = ({ fact, state, entry, proof, disclosures }: Record<keyof FactProof, unknown>) =>
  [fact, state, entry ?? '', proof ?? ''].every(isText) &&
  Array.isArray(disclosures) &&
  disclosures.every(({ field, salt, value }) => [field, salt, value].every(isText))

/** The facts in an answer of `log.proofs`. Throws if it is not one. */
export const readFactProofs = (answer: unknown): FactProof[] => {
  if (isObject(answer) && Array.isArray(answer.facts) && answer.facts.every(isFactProof)) return answer.facts
  throw new Error('The registry’s answer has no proofs')
}

const checkOne = async (
  facts: readonly FactProof[],
  [fact, type, states, hides = {}]: Requirement,
  policy: LogPolicy,
  token: TokenReading | undefined,
): Promise<LogCheck> => {
  // Only the registry knows which identity a platform vouched for: its fact is “platform” with an ID.
  const found = facts.find((each) => each.fact === fact || (fact === 'platform' && each.fact.startsWith('platform ')))
  const state = found?.state
  if (state === 'being_logged' || state === 'logged_privately')
    return { state, detail: `“${fact}” is ${state.replace('_', ' ')}` }
  ensure(found?.entry && found.proof, `“${fact}” is not in the log`)
  const leaf = utf8(found.entry)
  const entry = readFact(leaf)
  const isHidden = ([field, value]: [string, unknown]) =>
    found.disclosures.some(
      (shown) =>
        shown.value === value &&
        entry[field] === hideText(field, shown.value, decodeBase64url(shown.salt) ?? new Uint8Array()),
    )
  ensure(
    entry.type.startsWith(type) &&
      Object.entries(states).every(([field, value]) => entry[field] === value) &&
      Object.entries(hides).every(isHidden),
    `The log says something else about “${fact}”`,
  )
  // A registry could serve a different key from the one it logged under this ID.
  if (fact === 'key' && token) {
    const isSigned = await isSignedBy(String(entry.x), token.signedBytes, token.signature)
    ensure(isSigned, 'The log has a different key from the one that signed the token')
  }
  const { isWitnessed } = await verifyProof(parseProof(found.proof), leafHash(leaf), policy)
  if (!isWitnessed) throw new Error('Too few of the policy’s witnesses have seen this checkpoint')
  const seen = policy.quorum === 'none' ? 'no one else' : 'the policy’s witnesses'
  return { state: 'logged', detail: `Every fact is in the log, seen by ${seen}` }
}

/** What an error says about the log: only a LogError says that it lacks something. */
export const checkOfError = (error: Error): LogCheck => ({
  state: error instanceof LogError ? 'not_logged' : 'could_not_check',
  detail: error.message,
})

const worstFirst = ['not_logged', 'logged_privately', 'could_not_check', 'being_logged', 'logged']

/**
 * Whether the log of a pinned policy has the facts that a verified link rests on. For a token, the log must also have the key that signed it.
 * Never throws for what the registry sent.
 */
export const checkFacts = async (
  facts: readonly FactProof[],
  expected: ExpectedFacts,
  policy: LogPolicy,
  token?: TokenReading | undefined,
): Promise<LogCheck> => {
  const checks = await Promise.all(
    requirementsOf(expected, token).map((required) => checkOne(facts, required, policy, token).catch(checkOfError)),
  )
  const rank = ({ state }: LogCheck) => worstFirst.indexOf(state)
  return checks.reduce((worst, check) => (rank(check) < rank(worst) ? check : worst))
}
