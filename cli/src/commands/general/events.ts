import { setTimeout as wait } from 'node:timers/promises'
import {
  type TrailAction,
  type TrailEvent,
  type TrailSubject,
  trailActions,
  trailSubjects,
} from '@countersign/sdk/contract'
import { type Declare, example } from '../../args/command.ts'
import { readCount } from '../../args/read-count.ts'
import { readMoment } from '../../args/read-moment.ts'
import { usage } from '../../failure.ts'
import { collect } from '../../registry/collect.ts'
import { table } from '../../render/output.ts'
import { shownTime } from '../../render/shown-time.ts'
import { followEvents } from './follow-events.ts'

const everyMs = 3_000

export const declareEvents: Declare = (events) => {
  example(events, 'events list --subject key --since 2026-11-01')
  const list = events
    .command('list')
    .summary('List changes to your account')
    .description(
      'Lists every change to your account and records, newest first, with its time and the key or session that made it.',
    )
    .option('--subject <kind>', 'only events about this kind of record', { choices: trailSubjects })
    .option('--action <action>', 'only this action', { choices: trailActions })
    .option('--id <id>', 'only events about this record', 'text')
    .option('--since <time>', 'from this day or time, UTC', 'time')
    .option('--until <time>', 'before this day or time, UTC', 'time')
    .option('--limit <count>', 'show at most this many; default: 100', 'number')
    .option('--follow', 'print events as they happen, one a line, until interrupted')
    .action(async ({ connect, out, now, signal }, { flags }) => {
      const filter = {
        subject_type: flags.text('subject') as TrailSubject | undefined,
        subject_id: flags.text('id'),
        action: flags.text('action') as TrailAction | undefined,
        since: readMoment('--since', flags.text('since')),
        until: readMoment('--until', flags.text('until')),
      }
      const most = readCount(flags.text('limit'), 'events list')
      const trail = (await connect()).account
      const list = (more: Parameters<typeof trail.events>[0], count: number) =>
        collect(
          (page) => trail.events({ ...filter, ...more, ...page }),
          ({ events: items }) => items,
          count,
        )
      if (flags.isOn('follow')) {
        if (filter.until !== undefined) throw usage('--follow cannot be combined with --until')
        return followEvents(filter.since === undefined ? now() : new Date(filter.since), {
          list: async (since) => (await list({ since }, Number.POSITIVE_INFINITY)).items,
          print: (event) =>
            out.printLine({ value: event, ids: [event.id], text: () => rowOf(event).filter(Boolean).join('  ') }),
          wait: () => wait(everyMs, undefined, { signal }),
        })
      }
      const { items: found, next_cursor } = await list({}, most)
      out.print({
        value: { events: found, next_cursor },
        ids: found.map(({ id }) => id),
        text: (paint) => (found.length === 0 ? 'No events' : table(heads, found.map(rowOf), paint)),
      })
    })
  example(
    list,
    'events list --action key.revoked',
    'events list --id mdl_06dh0e3x7c9bw4vjz2n8qk5ytm --json',
    'events list --follow',
  )
}

const heads = ['AT', 'ACTION', 'WHAT', 'NAME', 'BY']

const rowOf = ({ at, action, subject_id, subject_name, actor, actor_name }: TrailEvent) => [
  shownTime(at),
  action,
  subject_id,
  subject_name ?? '',
  actor_name === null ? actor : `${actor} (${actor_name})`,
]
