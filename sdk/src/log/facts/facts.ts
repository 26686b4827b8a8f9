import { decodeBase64url } from '#base64url'
import { importPublicKey, verifySignature } from '#ed25519'
import type { LogCheck } from '../../verify/log-check.ts'
import type { TokenReading } from '../../verify/token.ts'
import { isObject, isText } from '../../verify/values.ts'
import { LogError, utf8 } from '../bytes.ts'
import { hideText } from '../entries/commitment.ts'
import { type FactEntry, readFact } from '../entries/fact.ts'
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

/** What a verified link says, from its record or its token: the log must say the same. */
export interface ExpectedFacts {
  /** The provider. */
  provider: string
  /** Its proven domain. */
  domain: string
  /** The version. */
  model: string
  /** The version's digest. */
  digest: string | null
  /** The model's identifier. */
  identifier: string
  /** The server that proved its key; null if none did. Without `spki`, its platform vouched for the key. */
  deployment: { id: string; spki: string | undefined } | null
  /** The link as a token: the log must have the key that signed it. */
  token?: TokenReading | undefined
  /** The platform that vouched for the server. */
  platform?: { issuer: string; subject: string } | undefined
}

interface Requirement {
  fact: string
  /** The beginning of the entry's type. */
  type: string
  says: Readonly<Record<string, string | null>>
  hidden?: Readonly<Record<string, string>>
  token?: TokenReading | undefined
}

const requirementsOf = (expected: ExpectedFacts): Requirement[] => {
  const { provider, domain, model, digest, identifier, deployment, token, platform } = expected
  const required: Requirement[] = [
    { fact: `domain ${domain}`, type: 'domain.proven', says: { provider, domain } },
    { fact: 'version', type: 'version.', says: { provider, model, digest }, hidden: { identifier } },
    { fact: 'key', type: 'registry_key.added', says: token ? { kid: String(token.header.kid) } : {}, token },
  ]
  if (!deployment) return required
  const { id, spki } = deployment
  const says = { provider, deployment: id }
  const authorized = { ...says, model, ...(spki !== undefined && { spki }) }
  required.push({ fact: `authorization ${model}`, type: 'deployment.', says: authorized })
  if (platform) {
    const { issuer, subject } = platform
    required.push({ fact: 'platform', type: 'platform.', says: { ...says, issuer }, hidden: { subject } })
  }
  return required
}

/** A registry could serve another key than it logged under the same ID. */
const isSignedBy = async ({ x }: FactEntry, { signedBytes, signature }: TokenReading): Promise<boolean> => {
  const key = await importPublicKey({ kty: 'OKP', crv: 'Ed25519', x: String(x) })
  return verifySignature(key, signedBytes, signature)
}

const isFactProof = ({ fact, state, entry, proof, disclosures }: Record<keyof FactProof, unknown>) =>
  [fact, state, entry ?? '', proof ?? ''].every(isText) &&
  Array.isArray(disclosures) &&
  disclosures.every(({ field, salt, value }) => [field, salt, value].every(isText))

/** The facts of an answer of `log.proofs`; undefined if it is another answer. */
export const readFactProofs = (answer: unknown): FactProof[] | undefined =>
  isObject(answer) && Array.isArray(answer.facts) && answer.facts.every(isFactProof) ? answer.facts : undefined

const checkOne = async (
  facts: readonly FactProof[],
  { fact, type, says, hidden = {}, token }: Requirement,
  policy: LogPolicy,
): Promise<LogCheck> => {
  const found = facts.find(
    // Which identity it is, only the registry knows: its fact is “platform” with an ID.
    (each) => each.fact === fact || (fact === 'platform' && each.fact.startsWith('platform ')),
  )
  const notLogged = (detail: string): LogCheck => ({ state: 'not_logged', detail })
  const named = `“${fact}”`
  const state = found?.state
  if (state === 'being_logged') return { state, detail: `${named} is being logged` }
  if (state === 'logged_privately') return { state, detail: `${named} is private` }
  if (!found?.entry || !found.proof) return notLogged(`${named} is not in the log`)
  const leaf = utf8(found.entry)
  const entry = readFact(leaf)
  const isHidden = ([field, value]: [string, string]) =>
    found.disclosures.some(
      (shown) =>
        shown.field === field &&
        shown.value === value &&
        entry[field] === hideText(field, value, decodeBase64url(shown.salt) ?? new Uint8Array()),
    )
  if (
    !entry.type.startsWith(type) ||
    !Object.entries(says).every(([field, value]) => entry[field] === value) ||
    !Object.entries(hidden).every(isHidden)
  )
    return notLogged(`The log says something else about ${named}`)
  if (token && !(await isSignedBy(entry, token)))
    return notLogged('The log has another key than the one that signed the token')
  const { isWitnessed } = await verifyProof(parseProof(found.proof), leafHash(leaf), policy)
  const seen = policy.quorum === 'none' ? 'seen by no one else' : 'seen by the policy’s witnesses'
  return isWitnessed
    ? { state: 'logged', detail: `Every fact is in the log, ${seen}` }
    : { state: 'could_not_check', detail: 'Too few of the policy’s witnesses have seen this checkpoint' }
}

const worstFirst = ['not_logged', 'logged_privately', 'could_not_check', 'being_logged', 'logged']

/** Whether the log of a pinned policy has the facts that a verified link rests on. Never throws for what the registry sent. */
export const checkFacts = async (
  facts: readonly FactProof[],
  expected: ExpectedFacts,
  policy: LogPolicy,
): Promise<LogCheck> => {
  const checks = await Promise.all(
    requirementsOf(expected).map((required) =>
      checkOne(facts, required, policy).catch(
        (error: Error): LogCheck => ({
          state: error instanceof LogError ? 'not_logged' : 'could_not_check',
          detail: error.message,
        }),
      ),
    ),
  )
  const rank = ({ state }: LogCheck) => worstFirst.indexOf(state)
  return checks.reduce((worst, check) => (rank(check) < rank(worst) ? check : worst))
}
