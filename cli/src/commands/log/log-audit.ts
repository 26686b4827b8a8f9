import { LogProofs } from '@countersign/sdk/contract'
import { isQuorum, LogError, type LogPolicy, parseProof, verifyCheckpoint } from '@countersign/sdk/log'
import { createReplay, type ReplayResult } from '@countersign/sdk/log/audit'
import { checkFacts, type LogCheck, policyForProofs } from '@countersign/sdk/log/facts'
import { z } from 'zod'
import type { Call } from '../../args/command.ts'
import type { Context } from '../../context.ts'
import { Failure } from '../../failure.ts'
import { facts as pairs } from '../../render/output.ts'
import { shownTime } from '../../render/shown-time.ts'
import { backfillToleranceMs } from './evidence.ts'
import { expectedFactsOf } from './expected-facts.ts'
import { asFailure } from './log-checkpoint.ts'
import { chooseLog } from './log-policy.ts'
import { createFetcher, type LogSource } from './log-source.ts'
import { advance, compareTrees, fetchCheckpoint, type Shown } from './monitor/follow-log.ts'
import { readState } from './monitor/monitor-state.ts'
import { isSignedBy, readStatement, statedPlatform } from './statement.ts'
import { isUnchangedOnItsWay, witnessSources } from './witness-sources.ts'

/** What `verify --save` writes, as far as it is read here. */
const Saved = z.looseObject({
  saved_at: z.iso.datetime(),
  verdict: z.looseObject({
    result: z.string(),
    claims: z.record(z.string(), z.unknown()).nullable(),
    provider: z.looseObject({ id: z.string(), domain: z.string().nullable() }).nullable(),
    model: z.looseObject({}).nullable(),
  }),
  proofs: LogProofs,
})
type Saved = z.infer<typeof Saved>

const readSaved = async ({ files }: Pick<Context, 'files'>, name: string): Promise<Saved> => {
  const text = Buffer.from(await files.read(name)).toString('utf8')
  try {
    return Saved.parse(JSON.parse(text))
  } catch (cause) {
    throw new Failure('file', 2, `${name} is not a saved verdict`, 'Save one: countersign verify LINK --save FILE', {
      cause,
    })
  }
}

const provenBindings: readonly unknown[] = ['mtls', 'proxy', 'signed', 'workload']

/** Each tree that the file has proofs in must be the start of the newest one. */
const compareSaved = async (
  { proofs }: Saved,
  {
    policy,
    shown,
    source,
  }: Pick<Awaited<ReturnType<typeof chooseLog>>, 'source'> & {
    policy: LogPolicy
    shown: Awaited<ReturnType<typeof fetchCheckpoint>>
  },
) => {
  const notes = proofs.facts.flatMap(({ proof }) => (proof === null ? [] : [parseProof(proof).checkpoint]))
  for (const note of new Set(notes)) {
    const then = { ...(await verifyCheckpoint(note, policy)), note }
    if (then.size > shown.size) throw new Failure('log_behind', 9, 'The log shows an older tree than the file has')
    await compareTrees(then, shown, source)
  }
}

const factWords: Readonly<Record<string, string>> = {
  domain: 'The proof of the domain',
  provider: 'The provider’s account',
  version: 'The version',
  archived: 'The version',
  bundle: 'The signature of the model file',
  authorization: 'The approval of the server',
  deployment: 'The server',
  platform: 'The trust in the server’s platform',
  key: 'The registry’s key',
}

const unmetWords = ({ fact, ended_by }: ReplayResult['unmet'][number]) =>
  ended_by === null
    ? `${factWords[fact]} was not in the log`
    : `${factWords[fact]} had ended: entry ${ended_by.index}, ${ended_by.type}, ${shownTime(ended_by.at)}`

/** `refused` if a fact did not hold, `unknown` if that could not be checked. */
const conclude = (
  then: LogCheck,
  unmet: ReplayResult['unmet'],
  { isWitnessed, isLater }: { isWitnessed: boolean; isLater: boolean },
) => {
  if (unmet.length > 0) return { result: 'refused', says: unmet.map(unmetWords) } as const
  if (then.state === 'logged') {
    if (!isWitnessed)
      return { result: 'unknown', says: ['Too few of the policy’s witnesses have seen the log'] } as const
    return isLater
      ? ({ result: 'held', says: ['Every fact held at that time'] } as const)
      : ({ result: 'unknown', says: [notLater] } as const)
  }
  const isOpen = then.state === 'could_not_check' || then.state === 'being_logged' || !isWitnessed
  return { result: isOpen ? 'unknown' : 'refused', says: [then.detail] } as const
}

const notLater =
  'Try again later: the log has no entry yet from more than ten minutes after the verdict, so the end of a fact may still be missing'

/** The witnesses that have seen no larger tree than the one that the log shows. An old tree keeps its cosignatures. */
const askWitnesses = async (context: Context, source: LogSource, shown: Shown): Promise<Set<string>> => {
  const agreeing = new Set<string>()
  for (const [name, witness] of witnessSources(shown.policy, await createFetcher(context))) {
    try {
      const note = await witness.checkpoint()
      const seen = { ...(await verifyCheckpoint(note, shown.policy)), note }
      if (seen.size > shown.size)
        throw new Failure('log_behind', 9, `The log shows an older tree than its witness ${name} has seen`)
      if (!isUnchangedOnItsWay(witness.url)) throw new LogError('Its address is not encrypted, so anyone could answer')
      if (!seen.cosigned.has(name)) throw new LogError('Its tree has no cosignature of this witness')
      await compareTrees(seen, shown, source)
      agreeing.add(name)
    } catch (error) {
      const isOlder = error instanceof Failure && error.code === 'log_behind'
      if (isOlder || !(error instanceof Failure || error instanceof LogError)) throw error
      context.out.warn(`${witness.url}: ${error.message}`)
    }
  }
  return agreeing
}

/**
 * Whether the tree is from a time when every end before the verdict must have been in it: a monitor reports an entry that is logged more than
 * ten minutes after its time.
 */
const isFromLater = (
  { policy, cosigned }: Shown,
  { moment, latest, now, agreeing }: { moment: number; latest: number; now: number; agreeing: ReadonlySet<string> },
) => {
  const until = moment + backfillToleranceMs
  const timeOf = (name: string) => (agreeing.has(name) ? now : (cosigned.get(name) ?? 0) * 1_000)
  const later = new Set([...policy.witnesses.keys()].filter((name) => timeOf(name) > until))
  return now > until && (latest > until || (policy.quorum !== 'none' && isQuorum(policy, later)))
}

/** Checks a saved verdict against the proofs that it came with, and against every entry of the log up to its time. */
const audit = async (context: Context, saved: Saved, log: Omit<Awaited<ReturnType<typeof chooseLog>>, 'isPinned'>) => {
  if (saved.verdict.result === 'not_verified')
    throw new LogError('The verdict in the file is that the link was not verified')
  const { verdict, proofs } = saved
  const statement = readStatement(proofs, Date.parse(saved.saved_at))
  const platform = statedPlatform(proofs)
  // Whatever the file says of its server.
  const claims = { ...expectedFactsOf(verdict), ...(platform && { deployment_binding: 'workload' }) }
  const hasProvenServer = provenBindings.includes(claims.deployment_binding)
  if (hasProvenServer && statement.strength !== 'deployment')
    throw new LogError('The file names a server that proved its key; the registry stated that none did')
  const text = (name: keyof typeof claims) => String(claims[name] ?? '')
  const texts = proofs.facts.map(({ proof }) => proof)
  const policy = await policyForProofs(texts, log.policy, async () => (await log.describe())?.successors ?? [])
  const then = await checkFacts(proofs.facts, claims, policy)
  const shown = await fetchCheckpoint(log)
  await compareSaved(saved, { ...log, policy: shown.policy, shown })
  const checked = {
    provider: text('provider_id'),
    domain: text('provider_domain'),
    model: text('model_id'),
    digest: claims.model_digest === undefined ? null : text('model_digest'),
    deployment: hasProvenServer ? text('deployment_id') : null,
  }
  const replay = createReplay(
    {
      ...checked,
      workload: platform && 'workload' in platform ? platform.workload : null,
      kid: statement.kid,
      bundle: claims.bundle?.type,
    },
    statement.moment,
  )
  const { latest } = await advance(readState(undefined), shown, { ...log, policy: shown.policy }, async (entries) => {
    for (const { entry, index } of entries) if (entry) replay.read(entry, index)
  })
  const { unmet, held, key } = replay.conclude()
  if (key !== null && !isSignedBy(key, statement))
    throw new LogError('The registry’s signature on its statement is invalid')
  const isLater = isFromLater(shown, {
    moment: statement.moment,
    latest: latest?.at ?? 0,
    now: context.now().getTime(),
    agreeing: await askWitnesses(context, log.source, shown),
  })
  const { result, says } = conclude(then, unmet, { isWitnessed: shown.isWitnessed, isLater })
  return {
    result,
    at: new Date(statement.moment).toISOString(),
    link: statement.link,
    says,
    checked,
    unmet,
    held,
    origin: shown.origin,
    size: shown.size,
    is_witnessed: shown.isWitnessed && policy.quorum !== 'none',
  }
}

const colors = { held: 'green', refused: 'red', unknown: 'yellow' } as const
const exits = { held: 0, refused: 3, unknown: 9 } as const

/** `countersign log audit` */
export const auditVerdict = async (context: Context, { args, flags }: Call) => {
  const saved = await readSaved(context, args[0] ?? '')
  const { isPinned, ...log } = await chooseLog(context, flags)
  const found = await audit(context, saved, log).catch((error: unknown) => {
    throw asFailure(error)
  })
  const { result, at, says, checked, origin, size, is_witnessed } = found
  context.out.print({
    value: { ...found, is_pinned: isPinned },
    ids: [result],
    text: (paint) =>
      [
        paint[colors[result]](says.join('\n')),
        pairs(
          [
            ['Verdict of', shownTime(at)],
            ['Provider', `${checked.domain} (${checked.provider})`],
            ['Version', checked.model],
            ['Digest', checked.digest && `${checked.digest} (stated by the provider)`],
            ['Server', checked.deployment ?? 'not checked: the file names none that proved its key'],
            ['Not checked', 'everything else in the file: names, versions, phrase, origin, answer and times'],
            ['Log', `${origin}, ${size} entries replayed`],
            ['Witnesses', is_witnessed ? 'a quorum has seen it' : 'seen by no one else'],
            ['Checked with', isPinned ? 'your policy' : 'the key that the registry shows; pin one with --policy'],
          ],
          paint,
        ),
      ].join('\n\n'),
  })
  return exits[result]
}
