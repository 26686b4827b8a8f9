import type { Countersign } from '@countersign/sdk'
import { type ActorActivity, idPrefixes, isId, maxActs, type PastAct, type UndoneAct } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import { addConfirmation, type Command, type Declare, example, type Flags } from '../../args/command.ts'
import { readMoment } from '../../args/read-moment.ts'
import { Failure, usage } from '../../failure.ts'
import { printRequest } from '../../registry/request.ts'
import { type Paint, table } from '../../render/output.ts'
import { shownTime } from '../../render/shown-time.ts'

const exampleKey = 'key_06dh0e3x7c9bw4vjz2n8qk5ytm'

export const declare: Declare = (activity) => {
  example(activity, 'activity list --since 2026-11-20', `activity undo ${exampleKey} --since 2026-11-20`)
  declareList(activity)
  declareUndo(activity)
}

const withPeriod = (command: Command) =>
  command
    .option('--since <time>', 'from this day or time, UTC; default: seven days ago', 'time')
    .option('--until <time>', 'before this day or time, UTC', 'time')

const periodOf = (flags: Flags) => {
  const [since, until] = [readMoment('--since', flags.text('since')), readMoment('--until', flags.text('until'))]
  return { ...(since !== undefined && { since }), ...(until !== undefined && { until }) }
}

const declareList = (activity: Command) => {
  const list = withPeriod(
    activity
      .command('list')
      .summary('List what keys, sessions and jobs did without a person')
      .description(
        'Lists what each key, session and job of a trusted publisher did without presence, and how many links each key minted. If someone else had a key or a session, these are the acts to look at. Only owners and admins may list them.',
      )
      .option('--by <actor>', 'only this key, session or job', 'text'),
  ).action(async ({ connect, out }, { flags }) => {
    const actor = flags.text('by')
    const found = await (await connect()).activity.list({ ...periodOf(flags), ...(actor !== undefined && { actor }) })
    out.print({
      value: found,
      ids: found.actors.flatMap(({ acts }) => acts.map(({ event_id }) => event_id)),
      text: (paint) =>
        found.actors.length === 0
          ? 'Nothing was done in this period'
          : found.actors.map((each) => textOf(each, found.links_are_lower_bounds, paint)).join('\n\n'),
    })
    if (found.has_more) out.say('\nThe period has older acts. Choose a shorter one with --since and --until.')
  })
  example(list, 'activity list --since 2026-11-20', `activity list --by ${exampleKey} --json`)
}

const textOf = ({ actor, kind, name, acts, links }: ActorActivity, areLowerBounds: boolean, paint: Paint) => {
  const minted = links
    ? `, ${areLowerBounds ? 'at least ' : ''}${links === 1 ? 'one link' : `${links} links`} minted`
    : ''
  const heading = `${kind} ${actor}${name === null ? '' : ` (${quote(name)})`}${minted}`
  return acts.length === 0 ? heading : `${heading}\n${table(heads, acts.map(rowOf), paint)}`
}

const heads = ['ID', 'AT', 'ACTION', 'WHAT', 'NAME', 'UNDO']

const rowOf = ({ event_id, at, action, subject_id, subject_name, undo, obstacle }: PastAct) => [
  event_id,
  shownTime(at),
  action,
  subject_id,
  subject_name === null ? '' : quote(subject_name),
  undo ?? (obstacle === null ? '' : obstacleWords[obstacle]),
]

const obstacleWords = {
  already_undone: 'undone before',
  changed_since: 'changed again since',
  named_by_links: 'links name it: archive the version',
  gone: 'deleted since',
  by_hand: 'by hand',
} as const satisfies Record<NonNullable<PastAct['obstacle']>, string>

const declareUndo = (activity: Command) => {
  const undo = addConfirmation(
    withPeriod(
      activity
        .command('undo')
        .summary('Undo what a key, session or job did')
        .description(
          'Undoes what a key, a session or a job did without presence: archives the versions it registered, reverts edits, restores what it archived, and withdraws answers. Prints what happened to each act, and why the others stay. In a protected provider a person has to approve it, in a browser.',
        )
        .argument('<actor>', 'key_… or ses_…, or the job', 'text')
        .option('--act <id>', 'only this act, evt_…; repeatable', { kind: 'text', isRepeated: true }),
    ),
  ).action(async (context, { args: [actor = ''], flags }) => {
    const chosen = flags.list('act')
    const period = periodOf(flags)
    if (chosen.length > 0 && Object.keys(period).length > 0)
      throw usage('--act cannot be combined with --since or --until')
    if (context.isDryRun && chosen.length > 0)
      return printRequest(context, 'activity', 'undo', {}, { actor, events: chosen })
    if (!isActor(actor))
      throw usage(
        `${JSON.stringify(actor)} is not a key, session or job; their IDs are key_, ses_ or pub_ and 26 characters`,
        'See: countersign activity list',
      )
    const client = await context.connect()
    const events = chosen.length > 0 ? chosen : idsOf((await client.activity.list({ actor, ...period })).actors)
    if (events.length === 0 && isId('key', actor)) await checkKeyExists(client, actor)
    if (context.isDryRun) return printRequest(context, 'activity', 'undo', {}, { actor, events })
    if (events.length > 0)
      await context.confirm(`Undo ${events.length === 1 ? 'one act' : `${events.length} acts`} of ${actor}?`)
    const acts: UndoneAct[] = []
    for (let from = 0; from < events.length; from += maxActs.undone)
      acts.push(...(await client.activity.undo({ actor, events: events.slice(from, from + maxActs.undone) })).acts)
    const undone = acts.filter(({ is_undone }) => is_undone)
    context.out.print({
      value: { actor, undone: undone.length, acts },
      ids: undone.map(({ event_id }) => event_id),
      text: (paint) =>
        acts.length === 0
          ? 'Nothing to undo in this period'
          : `${table(undoneHeads, acts.map(undoneRowOf), paint)}\n\nUndone: ${undone.length} of ${acts.length}`,
    })
  })
  example(undo, `activity undo ${exampleKey} --since 2026-11-20`)
}

/** The actor of a job is its publisher’s ID and the name of the run. */
const isActor = (text: string) => idPrefixes.some((prefix) => isId(prefix, text.split(' ')[0] ?? ''))

/** Only keys have a list with all that ever were. */
const checkKeyExists = async (client: Countersign, id: string) => {
  if ((await client.keys.list()).some((key) => key.id === id)) return
  throw new Failure('not_found', 5, `You have no API key with the ID ${id}`, 'See: countersign keys list')
}

/** What can still be undone. */
const idsOf = (actors: readonly ActorActivity[]) =>
  actors.flatMap(({ acts }) => acts.filter(({ undo }) => undo !== null).map(({ event_id }) => event_id))

const undoneHeads = ['ID', 'ACTION', 'WHAT', 'NAME', 'RESULT']

const undoneRowOf = ({ event_id, action, subject_id, subject_name, undo, obstacle }: UndoneAct) => [
  event_id,
  action,
  subject_id,
  subject_name === null ? '' : quote(subject_name),
  obstacle === null ? `undone: ${undo}` : `kept: ${obstacleWords[obstacle]}`,
]
