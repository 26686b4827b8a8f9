import { decodeBase64url } from '#base64url'
import { importPublicKey, verifySignature } from '#ed25519'
import type { LogCheck, LogCheckState } from '../../verify/log-check.ts'
import type { TokenReading } from '../../verify/token.ts'
import { LogError, utf8 } from '../bytes.ts'
import { isDisclosed, isPrivate, type LogEntry, type OpenEntry, parseEntry } from '../entries/entries.ts'
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
  types: readonly LogEntry['type'][]
  says: Readonly<Record<string, string | null>>
  hidden?: Readonly<Record<string, string>>
  token?: TokenReading | undefined
}

const requirementsOf = ({
  provider,
  domain,
  model,
  digest,
  identifier,
  deployment,
  token,
  platform,
}: ExpectedFacts): Requirement[] => [
  { fact: `domain ${domain}`, types: ['domain.proven'], says: { provider, domain } },
  {
    fact: 'version',
    types: ['version.registered', 'version.edited'],
    says: { provider, model, digest },
    hidden: { identifier },
  },
  ...(deployment
    ? [
        {
          fact: `authorization ${model}`,
          types: ['deployment.authorized'] as const,
          says: {
            provider,
            model,
            deployment: deployment.id,
            ...(deployment.spki !== undefined && { spki: deployment.spki }),
          },
        },
      ]
    : []),
  ...(deployment && platform
    ? [
        {
          fact: 'platform',
          types: ['platform.trusted'] as const,
          says: { provider, deployment: deployment.id, issuer: platform.issuer },
          hidden: { subject: platform.subject },
        },
      ]
    : []),
  { fact: 'key', types: ['registry_key.added'], says: token ? { kid: String(token.header.kid) } : {}, token },
]

const isHere = (entry: LogEntry, { says, hidden = {} }: Requirement, { disclosures }: FactProof): boolean => {
  const fields = entry as unknown as Readonly<Record<string, unknown>>
  const shows = ([field, value]: [string, string]) =>
    disclosures.some(
      (shown) =>
        shown.field === field &&
        shown.value === value &&
        isDisclosed(entry, { field, value, salt: decodeBase64url(shown.salt) ?? new Uint8Array() }),
    )
  return Object.entries(says).every(([field, value]) => fields[field] === value) && Object.entries(hidden).every(shows)
}

/** A registry could serve another key than it logged under the same ID. */
const isSignedBy = async (entry: OpenEntry, { signedBytes, signature }: TokenReading): Promise<boolean> => {
  if (entry.type !== 'registry_key.added') return false
  const key = await importPublicKey({ kty: 'OKP', crv: 'Ed25519', x: entry.x })
  return verifySignature(key, signedBytes, signature)
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const hasTexts = (value: unknown, names: readonly string[]): value is Readonly<Record<string, unknown>> =>
  isRecord(value) && names.every((name) => typeof value[name] === 'string')

const isTextOrNull = (value: unknown) => value === null || typeof value === 'string'

const isFactProof = (value: unknown): value is FactProof =>
  hasTexts(value, ['fact', 'state']) &&
  isTextOrNull(value.entry) &&
  isTextOrNull(value.proof) &&
  Array.isArray(value.disclosures) &&
  value.disclosures.every((each) => hasTexts(each, ['field', 'salt', 'value']))

/** The facts of an answer of `log.proofs`; undefined if it is another answer. */
export const readFactProofs = (answer: unknown): FactProof[] | undefined =>
  isRecord(answer) && Array.isArray(answer.facts) && answer.facts.every(isFactProof) ? answer.facts : undefined

const claimed = ['being_logged', 'logged_privately'] as const

const checkOne = async (facts: readonly FactProof[], required: Requirement, policy: LogPolicy): Promise<LogCheck> => {
  // Which identity it is, only the registry knows: its fact is “platform” with an ID.
  const found = facts.find(
    ({ fact }) => fact === required.fact || (fact.startsWith('platform ') && required.fact === 'platform'),
  )
  const named = `“${required.fact}”`
  const state = claimed.find((each) => each === found?.state)
  if (state) return { state, detail: state === 'being_logged' ? `${named} is being logged` : `${named} is private` }
  if (!found?.entry || !found.proof) return { state: 'not_logged', detail: `${named} is not in the log` }
  const leaf = utf8(found.entry)
  const entry = parseEntry(leaf)
  if (isPrivate(entry) || !required.types.includes(entry.type) || !isHere(entry, required, found))
    return { state: 'not_logged', detail: `The log says something else about ${named}` }
  if (required.token && !(await isSignedBy(entry, required.token)))
    return { state: 'not_logged', detail: 'The log has another key than the one that signed the token' }
  const { isWitnessed } = await verifyProof(parseProof(found.proof), leafHash(leaf), policy)
  return isWitnessed
    ? { state: 'logged', detail: '' }
    : { state: 'could_not_check', detail: 'Too few of the policy’s witnesses have seen this checkpoint' }
}

const worst: readonly LogCheckState[] = ['not_logged', 'logged_privately', 'could_not_check', 'being_logged']

/** Whether the log of a pinned policy has the facts that a verified link rests on. Never throws for what the registry sent. */
export const checkFacts = async (
  facts: readonly FactProof[],
  expected: ExpectedFacts,
  policy: LogPolicy,
): Promise<LogCheck> => {
  const checks = await Promise.all(
    requirementsOf(expected).map((required) =>
      checkOne(facts, required, policy).catch((error: unknown): LogCheck => {
        if (!(error instanceof LogError)) throw error
        return { state: 'not_logged', detail: error.message }
      }),
    ),
  )
  const failed = worst
    .map((state) => checks.find((check) => check.state === state))
    .find((check) => check !== undefined)
  const seen = policy.quorum === 'none' ? 'seen by no one else' : 'seen by the policy’s witnesses'
  return failed ?? { state: 'logged', detail: `Every fact is in the log, ${seen}` }
}
