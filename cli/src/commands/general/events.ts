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
import { table } from '../../render/output.ts'
import { shownTime } from '../../render/shown-time.ts'

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
    .action(async ({ connect, out }, { flags }) => {
      const filter = {
        subject_type: flags.text('subject') as TrailSubject | undefined,
        subject_id: flags.text('id'),
        action: flags.text('action') as TrailAction | undefined,
        since: readMoment('--since', flags.text('since')),
        until: readMoment('--until', flags.text('until')),
      }
      const most = readCount(flags.text('limit'), 'events list')
      const found: TrailEvent[] = []
      let next_cursor: string | null = null
      const pages = (await connect()).account
      do {
        const limit = Math.min(100, most - found.length)
        const page: Awaited<ReturnType<typeof pages.events>> = await pages.events({
          ...filter,
          limit,
          ...(next_cursor !== null && { cursor: next_cursor }),
        })
        found.push(...page.events)
        next_cursor = page.next_cursor
      } while (next_cursor !== null && found.length < most)
      out.print({
        value: { events: found, next_cursor },
        ids: found.map(({ id }) => id),
        text: (paint) => (found.length === 0 ? 'No events' : table(heads, found.map(rowOf), paint)),
      })
    })
  example(list, 'events list --action key.revoked', 'events list --id mdl_06dh0e3x7c9bw4vjz2n8qk5ytm --json')
}

const heads = ['AT', 'ACTION', 'WHAT', 'NAME', 'BY']

const rowOf = ({ at, action, subject_id, subject_name, actor, actor_name }: TrailEvent) => [
  shownTime(at),
  action,
  subject_id,
  subject_name ?? '',
  actor_name === null ? actor : `${actor} (${actor_name})`,
]
