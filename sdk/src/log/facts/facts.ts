import { decodeBase64url } from '#base64url'
import type { LogCheck } from '../../verify/log-check.ts'
import { isProof } from '../../verify/proven-domain.ts'
import type { TokenReading } from '../../verify/token.ts'
import { isText } from '../../verify/values.ts'
import { ensure, LogError, utf8 } from '../bytes.ts'
import { isSignedBy } from '../ed25519.ts'
import { hideTextLater } from '../entries/commitment.ts'
import { isHashed, readFact } from '../entries/fact.ts'
import type { LogPolicy } from '../policy.ts'
import { parseProof, verifyProof } from '../proof.ts'
import { digestSteps } from '../steps.ts'
import { leafStep } from '../tree.ts'
import type { ClaimedBundle } from './bundle.ts'
import type { ClaimedName } from './claimed-name.ts'

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
export type ExpectedFacts = Readonly<Partial<Record<ExpectedClaim, unknown>>> & {
  /** The signature of the model file that the registry's answer claims. Tokens claim none. */
  bundle?: ClaimedBundle | undefined
  /** The name of the version that the registry's answer claims. Tokens claim none. */
  named?: ClaimedName | undefined
}

type ExpectedClaim =
  | 'provider_id'
  | 'provider_domain'
  | 'model_id'
  | 'model_digest'
  | 'model_identifier'
  | 'version'
  | 'deployment_id'
  | 'deployment_binding'
  | 'spki_fingerprint'
  | 'workload_issuer'
  | 'workload_subject'

type Required = readonly [fact: string, type: string, said?: Readonly<Record<string, unknown>>]

/** Which facts a link rests on, each with the beginning of its entry's type, and what only this entry must say. */
const requiredBy = ({
  bundle,
  deployment_binding,
  model_id,
  provider_domain,
  workload_issuer,
}: ExpectedFacts): Required[] => [
  [`domain ${provider_domain ?? 'proof'}`, 'domain.proven'],
  ['version', 'version.'],
  ['key', 'registry_key.added'],
  ...(isProof(deployment_binding)
    ? [
        [`authorization ${model_id}`, 'deployment.authorized'] as const,
        ...(deployment_binding === 'workload' || workload_issuer ? [['platform', 'platform.trusted'] as const] : []),
      ]
    : []),
  // Its key is the signer's, not the server's.
  ...(bundle ? [['bundle', bundle.type, { spki: bundle.spki }] as const] : []),
]

/** What an entry must say in each of these fields that it has. */
const saidBy = (claims: ExpectedFacts, token: TokenReading | undefined) => ({
  provider: claims.provider_id,
  domain: claims.provider_domain,
  model: claims.model_id,
  digest: claims.model_digest ?? null,
  identifier: claims.model_identifier,
  version: claims.version,
  ...claims.named,
  deployment: claims.deployment_id,
  // A platform vouches for keys of a workload one by one; they are not the deployment's own.
  ...(claims.deployment_binding !== 'workload' && { spki: claims.spki_fingerprint }),
  issuer: claims.workload_issuer,
  // The registry may withhold it.
  ...(claims.workload_subject !== null && { subject: claims.workload_subject }),
  ...(token && { kid: token.header.kid }),
})

const isFactProof = ({ fact, state, disclosures }: Record<keyof FactProof, unknown>) =>
  isText(fact) && isText(state) && Array.isArray(disclosures)

/** The facts in an answer of `log.proofs`. Throws if it is not one. */
export const readFactProofs = (answer: unknown): FactProof[] => {
  const { facts } = Object(answer)
  if (Array.isArray(facts) && facts.every(isFactProof)) return facts
  throw new Error('Invalid proofs')
}

const checkOne = async (
  facts: readonly FactProof[],
  [fact, type, said]: Required,
  claims: ExpectedFacts,
  policy: LogPolicy,
  token: TokenReading | undefined,
): Promise<LogCheck> => {
  const found =
    // It ended in the log, as even the registry says.
    facts.find((each) => each.entry && each.state === 'not_logged') ??
    // Only the registry knows which identity a platform vouched for: its fact is “platform” with an ID.
    facts.find((each) => `${each.fact} `.startsWith(`${fact} `))
  const state = found?.state
  if (state === 'being_logged' || state === 'logged_privately')
    return { state, detail: `“${fact}” is ${state.replace('_', ' ')}` }
  ensure(found?.entry && found.proof, `“${fact}” is not in the log`)
  const other = `The log says something else about “${found.fact}”`
  ensure(state !== 'not_logged', other)
  const entry = readFact(found.entry)
  ensure(entry.type.startsWith(type), other)
  for (const [field, value] of Object.entries({ ...saidBy(claims, token), ...said })) {
    // Instead of a version that it withholds, the registry shows the number.
    if (!(field in entry) || /^version#\d+$/.test(field + value)) continue
    const salt = decodeBase64url(found.disclosures.find((each) => each.field === field)?.salt ?? '')
    const logged = isHashed(field) && isText(value) ? await hideTextLater(field, value, salt) : value
    ensure(entry[field] === logged, other)
  }
  // A registry could serve a different key from the one it logged under this ID.
  if (fact === 'key' && token)
    ensure(
      await isSignedBy(entry.x as string, token.signedBytes, token.signature),
      'The key in the log did not sign the token',
    )
  const leaf = await digestSteps(utf8(found.entry), leafStep)
  if (!(await verifyProof(parseProof(found.proof), leaf, policy)).isWitnessed)
    throw new Error('Too few of the policy’s witnesses saw this')
  const seen = policy.quorum === 'none' ? 'no one else' : 'the policy’s witnesses'
  return { state: 'logged', detail: `Every fact is in the log, seen by ${seen}` }
}

/** What an error says about the log: only a LogError says that it lacks something. */
export const checkOfError = (error: Error): LogCheck => ({
  state: error instanceof LogError ? 'not_logged' : 'could_not_check',
  detail: error.message,
})

/** The names of the states are in the order of the alphabet from the best to the worst, if `logged` comes first. */
const rank = ({ state }: LogCheck) => (state === 'logged' ? '' : state)

/**
 * Whether the log of a pinned policy has the facts that a verified link rests on. For a token, the log must also have the key that signed it.
 * It compares IDs, domain, digest, server, identifier, version and name of the model, not what else an answer says, such as the company's name.
 * Never throws for what the registry sent.
 */
export const checkFacts = async (
  facts: readonly FactProof[],
  expected: ExpectedFacts,
  policy: LogPolicy,
  token?: TokenReading | undefined,
): Promise<LogCheck> => {
  const checks = await Promise.all(
    requiredBy(expected).map((required) => checkOne(facts, required, expected, policy, token).catch(checkOfError)),
  )
  return checks.reduce((worst, check) => (rank(check) > rank(worst) ? check : worst))
}
