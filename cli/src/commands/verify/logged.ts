import { type LogProofs, workloadPlatforms } from '@countersign/sdk/contract'
import { LogError, type LogPolicy, parsePolicy } from '@countersign/sdk/log'
import { checkFacts, type LogCheck, policyForProofs } from '@countersign/sdk/log/facts'
import { provenDomain, readLink, readToken } from '@countersign/sdk/verify'
import { linkWords, quote } from '@countersign/sdk/words'
import type { Context } from '../../context.ts'
import { Failure, usage } from '../../failure.ts'
import { unreadable, writeWhole } from '../../io/files.ts'
import { detailOf } from '../../render/detail.ts'
import { expectedFactsOf } from '../log/expected-facts.ts'
import { describeLog } from '../log/log-policy.ts'
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

const checkProofs = async (
  verdict: Verdict,
  { facts }: LogProofs,
  { policy, input }: { policy: LogPolicy; input: string },
): Promise<LogCheck> => {
  // The registry's answer was rejected, or it does not know the link.
  if (verdict.provider === null)
    return {
      state: 'could_not_check',
      detail: 'The provider of this link is unknown, so the log could not be checked',
    }
  const reading = readLink(input)
  const token = reading.kind === 'token' ? readToken(reading.token) : undefined
  return checkFacts(facts, expectedFactsOf(verdict), policy, token)
}

const withLog = (verdict: Verdict, log: LogCheck): Verdict => {
  if (verdict.result !== 'verified' || log.state === 'logged') return { ...verdict, log }
  const isKnown = log.state === 'not_logged' || log.state === 'logged_privately'
  return {
    ...(isKnown ? refused(verdict, 'not_verified', 'not_logged') : refused(verdict, 'unknown', 'keys_unavailable')),
    log,
  }
}

/** The log has the issuer of a server's platform, not what the registry calls it. */
const platformOf = (issuer: string) =>
  workloadPlatforms.find((known) => known.issuer.test(issuer))?.name ?? quote(issuer)

/** Describes the platform of a server without the registry's words: a registry that has to prove its answers may lie about it. */
export const withOwnWords = (verdict: Verdict, { state }: LogCheck): Verdict => {
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
          policy: await policyForProofs(
            proofs.facts.map(({ proof }) => proof),
            policy,
            async () => (await describeLog(context))?.successors ?? [],
          ),
          input,
        })
      : { state: proofs.state, detail: 'As the registry says' }
  } catch (error) {
    log = { state: 'could_not_check', detail: detailOf(error) }
  }
  const final = policy ? withLog(withOwnWords(verdict, log), log) : { ...verdict, log }
  if (save !== undefined && proofs) {
    const saved = { saved_at: context.now().toISOString(), verdict: final, proofs }
    writeWhole(context.files.pathOf(save), `${JSON.stringify(saved, null, 2)}\n`)
    context.out.say(`Saved the verdict and its proofs to ${save}`)
  }
  return final
}
