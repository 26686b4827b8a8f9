import { type TrailAction, type TrailEvent, type TrailSubject, trailActions, trailSubjects } from '@countersign/sdk/contract'
import { type Declare, example } from '../../args/command.ts'
import { readCount } from '../../args/read-count.ts'
import { readMoment } from '../../args/read-moment.ts'
import { table } from '../../render/output.ts'
import { shownTime } from '../../render/shown-time.ts'

export const declareEvents: Declare = (events) => {
  example(events, 'events list --subject key --since 2026-11-01')
  const list = events
    .command('list')
    .summary('What happened to your account, newest first')
    .description('Lists every change to what you own, newest first: what, when, and which key or session did it.')
    .option('--subject <kind>', 'of this kind of thing', { choices: trailSubjects })
    .option('--action <action>', 'this action alone', { choices: trailActions })
    .option('--id <id>', 'of this one thing', 'text')
    .option('--since <time>', 'from this day or moment on, UTC', 'time')
    .option('--until <time>', 'before this day or moment, UTC', 'time')
    .option('--limit <count>', 'at most so many; 100 by default', 'number')
    .action(async ({ connect, out }, { flags }) => {
      const asked = {
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
          ...asked,
          limit,
          ...(next_cursor !== null && { cursor: next_cursor }),
        })
        found.push(...page.events)
        next_cursor = page.next_cursor
      } while (next_cursor !== null && found.length < most)
      out.print({
        value: { events: found, next_cursor },
        ids: found.map(({ id }) => id),
        text: (paint) => (found.length === 0 ? 'Nothing happened' : table(heads, found.map(rowOf), paint)),
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
