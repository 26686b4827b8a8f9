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

type Required = readonly [fact: string, type: string, said: Readonly<Record<string, unknown>>]

/** Which facts a link rests on, each with the beginning of its entry's type, and everything that this entry must say. */
const requiredBy = (
  {
    bundle,
    deployment_binding: binding,
    deployment_id: deployment,
    model_digest,
    model_id: model,
    model_identifier: identifier,
    named,
    provider_domain: domain,
    provider_id: provider,
    spki_fingerprint: spki,
    version,
    workload_issuer: issuer,
    workload_subject: subject,
  }: ExpectedFacts,
  token: TokenReading | undefined,
): Required[] => {
  const digest = model_digest ?? null
  const isWorkload = binding === 'workload'
  return [
    [`domain ${domain ?? 'proof'}`, 'domain.proven', { provider, domain }],
    ['version', 'version.', { provider, model, digest, identifier, version, ...named }],
    ['key', 'registry_key.added', token ? { kid: token.header.kid } : {}],
    ...(isProof(binding)
      ? ([
          // A platform vouches for keys of a workload one by one; they are not the deployment's own.
          [
            `authorization ${model}`,
            'deployment.authorized',
            { provider, model, deployment, ...(!isWorkload && { spki }) },
          ],
          // The registry may withhold the subject.
          ...(isWorkload || issuer
            ? [['platform', 'platform.trusted', { provider, deployment, issuer, ...(subject !== null && { subject }) }]]
            : []),
        ] as Required[])
      : []),
    // Its key is the signer's, not the server's.
    ...(bundle ? [['bundle', bundle.type, { provider, model, digest, spki: bundle.spki }] as const] : []),
  ]
}

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
  policy: LogPolicy,
  token: TokenReading | undefined,
  origins: Set<string>,
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
  const other = `The log says something else about “${found.fact.replace(/ ?[^\w. -].*/, '')}”`
  ensure(state !== 'not_logged', other)
  const entry = readFact(found.entry)
  ensure(entry.type.startsWith(type), other)
  for (const [field, value] of Object.entries(said)) {
    // Instead of a version that it withholds, the registry shows the number.
    if (/^version#\d+$/.test(field + value)) continue
    const salt = decodeBase64url(found.disclosures.find((each) => each.field === field)?.salt ?? '')
    const logged = isHashed(field) && isText(value) ? await hideTextLater(field, value, salt) : value
    ensure(entry[field] === logged, other)
  }
  // A registry could serve a different key from the one it logged under this ID.
  if (fact === 'key' && token)
    ensure(
      await isSignedBy(entry.x as string, token.signedBytes, token.signature),
      'The logged key did not sign the token',
    )
  const leaf = await digestSteps(utf8(found.entry), leafStep)
  const { isWitnessed, origin } = await verifyProof(parseProof(found.proof), leaf, policy)
  // Facts of different registries prove nothing together.
  ensure(origins.add(origin).size < 2, `“${fact}” is not in the same log`)
  if (!isWitnessed) throw new Error('Too few of the policy’s witnesses saw this')
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
  const origins = new Set<string>()
  const checks = await Promise.all(
    requiredBy(expected, token).map((required) =>
      checkOne(facts, required, policy, token, origins).catch(checkOfError),
    ),
  )
  return checks.reduce((worst, check) => (rank(check) > rank(worst) ? check : worst))
}
