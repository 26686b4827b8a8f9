import { ApiError } from '@countersign/sdk'
import type { LoggedFact } from '@countersign/sdk/contract'
import { LogError, type LogPolicy, leafHash, parseProof, verifyProof } from '@countersign/sdk/log'
import { endsFact } from '@countersign/sdk/log/audit'
import { factOf, isDisclosed, isPrivate, type LogEntry, parseEntry } from '@countersign/sdk/log/entries'
import { policyForProofs } from '@countersign/sdk/log/facts'
import { quote } from '@countersign/sdk/words'
import type { Call } from '../../args/command.ts'
import type { Context } from '../../context.ts'
import { Failure, usage } from '../../failure.ts'
import { writeWhole } from '../../io/files.ts'
import { facts as pairs, table } from '../../render/output.ts'
import { refusalWords } from '../../render/refusal-words.ts'
import { exitOf } from '../../render/report.ts'
import { shownTime } from '../../render/shown-time.ts'
import { cosignedAt } from './log-checkpoint.ts'
import { chooseLog } from './log-policy.ts'
import { refusalIn } from './statement.ts'

interface CheckedFact extends LoggedFact {
  /** The proof is valid, and the entry and its texts are those of the leaf. */
  is_proven: boolean
  witnesses: { name: string; at: string }[]
  is_witnessed: boolean
}

/** Else an ID of a provider, version, deployment, signer or signing key. */
const isLink = (asked: string) => !/^((prv|mdl|dep|sgn)_.*|[\w-]{43})$/.test(asked)

/** A private entry is a keyed hash of another one, and only that one says what it is about. */
const entryBehind = (entry: LogEntry, { fact, disclosures }: LoggedFact): LogEntry => {
  if (!isPrivate(entry)) return entry
  const hidden = disclosures.find(({ field }) => field === 'private')
  if (!hidden || !isDisclosed(entry, { ...hidden, salt: Buffer.from(hidden.salt, 'base64url') }))
    throw new LogError(`The registry does not show what the private entry for ${quote(fact)} stands for`)
  return parseEntry(Buffer.from(hidden.value))
}

/** Checks a fact's proof and the texts shown for it. Throws a `LogError` if the registry shows something else than it logged. */
const checkFact = async (
  fact: LoggedFact,
  { asked, origin, policy }: { asked: string; origin: string; policy: LogPolicy },
): Promise<CheckedFact> => {
  if (!policy.logs.some(({ key }) => key.name === origin)) throw new LogError(`The policy names no log “${origin}”`)
  const unproven = { ...fact, is_proven: false, witnesses: [], is_witnessed: false }
  if (fact.entry === null || fact.proof === null) return unproven
  const leaf = Buffer.from(fact.entry)
  const entry = parseEntry(leaf)
  const proof = parseProof(fact.proof)
  const found = await verifyProof(proof, leafHash(leaf), policy)
  const own = entryBehind(entry, fact)
  const hasOwnTexts = fact.disclosures.every(
    ({ field, salt, value }) =>
      field === 'private' || isDisclosed(own, { field, salt: Buffer.from(salt, 'base64url'), value }),
  )
  const about = factOf(own)
  const isAsked = isLink(asked) || fact.subject === asked
  if (about?.subject !== fact.subject || about.fact !== fact.fact || !isAsked)
    throw new LogError(`The registry shows an entry about something else for ${quote(fact.fact)}`)
  if (!hasOwnTexts || own.type !== fact.type || own.at !== fact.at || proof.index !== fact.index)
    throw new LogError(`The log and the registry show different entries for ${quote(fact.fact)}`)
  if (found.origin !== origin)
    throw new LogError(`The proof for ${quote(fact.fact)} is of the log ${quote(found.origin)}`)
  const is_witnessed = found.isWitnessed && policy.quorum !== 'none'
  return { ...fact, is_proven: true, witnesses: cosignedAt(found.cosigned), is_witnessed }
}

const words = {
  logged: 'logged',
  being_logged: 'being logged',
  logged_privately: 'logged privately',
  not_logged: 'not logged',
} as const

const linkNote = 'those that the registry names for this link; verify --log-policy compares them with the link'

const namingSubjects = (error: unknown): never => {
  if (!(error instanceof ApiError) || error.code !== 'link_malformed') throw error
  throw new Failure(
    error.code,
    exitOf(error.code, error.status),
    'This is not a link, a link code, a token, or the ID of a provider, version, deployment or signer',
    'IDs are prv_, mdl_, dep_ or sgn_ and 26 characters',
    { cause: error },
  )
}

/** `countersign log proof` */
export const proveFacts = async (context: Context, { args, flags }: Call) => {
  const { out, files } = context
  const asked = args[0] ?? ''
  if (asked.trim() === '') throw usage('The subject is empty', 'Give a link, its code or token, or an ID')
  const client = await context.connect({ key: 'optional' })
  const answer = await client.log.proofs(asked).catch(namingSubjects)
  if (answer.facts.length === 0)
    throw new Failure('not_found', 5, 'The log shows nothing about it', 'It is unknown, private, or was never logged')
  const { isPinned, describe, policy: pinned } = await chooseLog(context, flags)
  const policy = await policyForProofs(
    answer.facts.map(({ proof }) => proof),
    pinned,
    async () => (await describe())?.successors ?? [],
  )
  const facts: CheckedFact[] = []
  for (const fact of answer.facts)
    facts.push(
      await checkFact(fact, { asked, origin: answer.origin, policy }).catch((error: unknown) => {
        throw error instanceof LogError ? new Failure('log_invalid', 3, error.message) : error
      }),
    )
  const file = flags.text('save')
  if (file !== undefined) writeWhole(files.pathOf(file), `${JSON.stringify(answer, null, 2)}\n`)
  const hasEnded = ({ state, type }: CheckedFact) =>
    isLink(asked) && state === 'logged' && type !== null && endsFact(type as LogEntry['type'])
  const stateOf = (fact: CheckedFact) => {
    if (fact.state === 'logged' && !fact.is_proven) return 'no proof'
    return hasEnded(fact) ? 'ended' : words[fact.state]
  }
  const refusal = isLink(asked) ? refusalIn(answer) : undefined
  const value = {
    origin: answer.origin,
    state: answer.state,
    facts,
    is_pinned: isPinned,
    refusal: refusal === 'unsaid' ? { reason: 'unsaid', change: null } : (refusal ?? null),
  }
  out.print({
    value,
    ids: facts.flatMap(({ index }) => (index === null ? [] : [String(index)])),
    text: (paint) =>
      [
        table(
          ['ENTRY', 'STATE', 'AT', 'TYPE', 'FACT'],
          facts.map((each) => [
            each.index === null ? '' : String(each.index),
            stateOf(each),
            each.at === null ? '' : shownTime(each.at),
            each.type ?? '',
            each.is_proven ? `${each.fact} of ${each.subject}` : quote(`${each.fact} of ${each.subject}`),
          ]),
          paint,
        ),
        pairs(
          [
            ...(refusal === undefined
              ? []
              : [
                  [
                    'Link',
                    refusal === 'unsaid' ? 'the registry does not say' : `not verified: ${refusalWords(refusal)}`,
                  ] as const,
                ]),
            ...(isLink(asked) ? [['Facts', linkNote] as const] : []),
            ['Log', answer.origin],
            ['Proofs', `${facts.filter(({ is_proven }) => is_proven).length} of ${facts.length} are valid`],
            ['Witnesses', facts.every(({ is_witnessed }) => is_witnessed) ? 'a quorum has seen them' : 'no quorum'],
            ['Checked with', isPinned ? 'your policy' : 'the key that the registry shows; pin one with --policy'],
          ],
          paint,
        ),
      ].join('\n\n'),
  })
  if (
    (refusal !== undefined && refusal !== 'unsaid') ||
    facts.some((fact) => fact.state === 'not_logged' || hasEnded(fact))
  )
    return 3
  if (facts.some(({ state }) => state === 'being_logged'))
    out.say('hint: Facts that are being logged are in the log within a minute. Try again')
  const isEnough = facts.every(({ is_proven, is_witnessed }) => is_proven && (is_witnessed || policy.quorum === 'none'))
  return isEnough && refusal === undefined ? 0 : 9
}
