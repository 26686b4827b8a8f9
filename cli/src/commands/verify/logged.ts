import { createHash } from 'node:crypto'
import { type LoggedFact, type LogProofs, shownByLink, workloadPlatforms } from '@countersign/sdk/contract'
import { LogError, type LogPolicy, leafHash, parsePolicy, parseProof, verifyProof } from '@countersign/sdk/log'
import { parseEntry } from '@countersign/sdk/log/entries'
import { checkFacts, type LogCheck, policyForProofs } from '@countersign/sdk/log/facts'
import { formatLinkCode, provenDomain, readLink, readToken } from '@countersign/sdk/verify'
import { linkWords, quoteExactly } from '@countersign/sdk/words'
import type { Context } from '../../context.ts'
import { Failure, usage } from '../../failure.ts'
import { unreadable, writeWhole } from '../../io/files.ts'
import { lookUp } from '../../look-up.ts'
import { quotedDetailOf } from '../../render/detail.ts'
import { expectedFactsOf } from '../log/expected-facts.ts'
import { describeLog } from '../log/log-policy.ts'
import { isSignedBy, readStatement, statedPlatform } from '../log/statement.ts'
import { refused, type Verdict } from './verdict.ts'

/** The pinned policy: which logs and witnesses to trust. */
export const readLogPolicy = async ({ files }: Pick<Context, 'files'>, name: string): Promise<LogPolicy> => {
  const bytes = await files.read(name).catch((cause) => {
    throw new Failure('file', 2, `--log-policy: ${unreadable(cause, name)}`, undefined, { cause })
  })
  try {
    const policy = parsePolicy(new TextDecoder().decode(bytes))
    if (policy.logs.length > 0) return policy
  } catch (error) {
    if (error instanceof LogError) throw usage(`--log-policy: ${name}: ${error.message}`)
    throw error
  }
  throw usage(`--log-policy: ${name} names no log`, 'Add a line: log VKEY')
}

interface Asked {
  policy: LogPolicy
  input: string
  at: number
  findKey: (kid: string) => Promise<LogProofs>
}

const checkProofs = async (verdict: Verdict, proofs: LogProofs, asked: Asked): Promise<LogCheck> => {
  // The registry's answer was rejected, or it does not know the link.
  if (verdict.provider === null)
    return {
      state: 'could_not_check',
      detail: 'The provider of this link is unknown, so the log could not be checked',
    }
  const reading = readLink(asked.input)
  const token = reading.kind === 'token' ? readToken(reading.token) : undefined
  const log = await checkFacts(proofs.facts, expectedFactsOf(verdict), asked.policy, token)
  if (log.state === 'logged' && verdict.result === 'verified') await checkStatement(verdict, proofs, asked)
  return log
}

/**
 * The entries in the log are those of any link of the version. That the registry issued this link and found it verified just now, and how
 * its server proved itself, only its statement says, which the log's key must have signed. Throws unless it does.
 */
const checkStatement = async (
  { strength, claims }: Verdict,
  proofs: LogProofs,
  { policy, input, at, findKey }: Asked,
): Promise<void> => {
  const stated = readStatement(proofs, at)
  const reading = readLink(input)
  const isSame =
    reading.kind === 'code'
      ? stated.link === `sha256:${sha256(formatLinkCode(reading.code))}`
      : reading.kind === 'token' && stated.jti === readToken(reading.token)?.claims.jti
  if (!isSame || stated.jti !== claims?.jti) throw new LogError('The registry’s statement is about a different link')
  if (strength === 'deployment' && stated.strength !== 'deployment')
    throw new LogError('The registry stated that no server proved its key')
  const binding = claims?.deployment_binding
  const isOtherProof = strength === 'deployment' && binding !== stated.binding
  if (isOtherProof || (binding !== 'workload' && statedPlatform(proofs)))
    throw new LogError('The registry stated that the server proved its key in a different way')
  if (stated.shown === undefined)
    throw new LogError('The registry’s statement does not say which phrase, origin and bound answer the link has')
  if (stated.shown !== `sha256:${sha256(shownBy(claims, stated.jti))}`)
    throw new LogError('The registry stated a different phrase, origin or bound answer')
  if (stated.exp !== claims?.exp)
    throw new LogError('The registry’s statement does not say that the link ends at this time')
  const isKey = ({ fact, subject }: LoggedFact) => fact === 'key' && subject === stated.kid
  const key = proofs.facts.find(isKey) ?? (await findKey(stated.kid)).facts.find(isKey)
  if (!key?.entry || !key.proof) throw new LogError('The key of the registry’s statement is not in the log')
  const leaf = Buffer.from(key.entry)
  const entry = parseEntry(leaf)
  const { isWitnessed } = await verifyProof(parseProof(key.proof), leafHash(leaf), policy)
  if (!isWitnessed || !('x' in entry) || entry.kid !== stated.kid || !isSignedBy(entry.x, stated))
    throw new LogError('The registry’s signature on its statement is invalid')
}

/** What the answer shows, as the registry hashes it. */
const shownBy = (claims: Verdict['claims'], jti = '') => {
  const said = (name: string) => {
    const value = claims?.[name]
    return typeof value === 'string' ? value : null
  }
  return shownByLink({
    jti,
    challenge: said('challenge'),
    origin: said('origin'),
    response_hash: said('response_hash'),
    bound_by: said('bound_by'),
  })
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Facts and keys of different logs prove nothing together. */
const onlyLog = (origin: string, policy: LogPolicy): LogPolicy => ({
  ...policy,
  logs: policy.logs.filter(({ key }) => key.name === origin),
})

const madeHere: readonly string[] = ['answer', 'expectation']

/** Without proofs in the log, no check has passed. */
const withLog = (said: Verdict, log: LogCheck): Verdict => {
  if (log.state === 'logged') return { ...said, log }
  const checks = said.checks.map((each) =>
    each.passed && !madeHere.includes(each.check) ? { ...each, passed: null, detail: 'Not checked' } : each,
  )
  const verdict = { ...said, checks }
  if (verdict.result !== 'verified') return { ...verdict, log }
  const isKnown = log.state === 'not_logged' || log.state === 'logged_privately'
  return {
    ...(isKnown ? refused(verdict, 'not_verified', 'not_logged') : refused(verdict, 'unknown', 'keys_unavailable')),
    log,
  }
}

/** The log has the issuer of a server's platform, not what the registry calls it. */
const platformOf = (issuer: string) =>
  workloadPlatforms.find((known) => known.issuer.test(issuer))?.name ?? quoteExactly(URL.parse(issuer)?.host || issuer)

/** Checks without the registry's words. Failed ones keep them, as they promise nothing; that of the answer is made here. */
const inOwnWords = (checks: Verdict['checks']): Verdict['checks'] =>
  checks
    // What the registry says of its log, the policy decides.
    .filter(({ check }) => check !== 'log' && lookUp(linkWords.checks.names, check) !== undefined)
    .map((each) =>
      each.passed === false || (each.passed && each.check === 'answer')
        ? each
        : { ...each, detail: each.passed ? linkWords.checks.names[each.check] : 'Not checked' },
    )

/** Without the registry's words: a registry that has to prove its answers may lie in them. Why it could not be checked, we say ourselves. */
export const withOwnWords = (said: Verdict, log: LogCheck): Verdict =>
  said.result === 'unknown'
    ? said
    : describeWorkload({ ...said, checks: inOwnWords(said.checks), claims: withoutNumber(said.claims) }, log)

/** Without the number that the registry shows instead of a version: the log does not have it. */
const withoutNumber = (claims: Verdict['claims']): Verdict['claims'] =>
  claims && { ...claims, version: /^#/.test(String(claims.version)) ? undefined : claims.version }

/** Names the platform of a server only if the log does. */
const describeWorkload = (verdict: Verdict, { state }: LogCheck): Verdict => {
  const { claims, steps, checks } = verdict
  if (claims?.deployment_binding !== 'workload') return verdict
  const { workload_issuer, workload_subject } = claims
  const isLogged = state === 'logged'
  const text = linkWords.steps.words.server_workload({
    domain: provenDomain(verdict) ?? 'the provider',
    platform: isLogged ? platformOf(String(workload_issuer)) : 'A platform',
    subject: isLogged && typeof workload_subject === 'string' ? workload_subject : null,
    when: '',
    isKnown: true,
  })
  return {
    ...verdict,
    steps: steps?.server.state === 'proven' ? { ...steps, server: { ...steps.server, text } } : steps,
    checks: checks.map((each) => (each.check === 'deployment' && each.passed ? { ...each, detail: text } : each)),
  }
}

interface Wanted {
  policy: LogPolicy | undefined
  /** Where to keep the verdict with its proofs. */
  save: string | undefined
}

/** Asks the registry for the proofs of a verdict, and checks them against the pinned policy. */
export const checkLogged = async (
  context: Context,
  input: string,
  verdict: Verdict,
  { policy, save }: Wanted,
): Promise<Verdict> => {
  let proofs: LogProofs | undefined
  let log: LogCheck
  try {
    const client = await context.connect({ key: 'none' })
    proofs = await client.log.proofs(input, { signal: context.signal })
    log = policy
      ? await checkProofs(verdict, proofs, {
          policy: onlyLog(
            proofs.origin,
            await policyForProofs(
              proofs.facts.map(({ proof }) => proof),
              policy,
              async () => (await describeLog(context))?.successors ?? [],
            ),
          ),
          input,
          at: context.now().getTime(),
          findKey: (kid) => client.log.proofs(kid, { signal: context.signal }),
        })
      : { state: proofs.state, detail: 'As the registry says' }
  } catch (error) {
    log = { state: 'could_not_check', detail: quotedDetailOf(error) }
  }
  const final = policy ? withLog(withOwnWords(verdict, log), log) : { ...verdict, log }
  if (save !== undefined && proofs) {
    const saved = { saved_at: context.now().toISOString(), verdict: final, proofs }
    writeWhole(context.files.pathOf(save), `${JSON.stringify(saved, null, 2)}\n`)
    context.out.say(`Saved the verdict and its proofs to ${save}`)
  }
  return final
}
