import { setTimeout as wait } from 'node:timers/promises'
import type { Countersign } from '@countersign/sdk'
import {
  type TrailAction,
  type TrailEvent,
  type TrailSubject,
  trailActions,
  trailSubjects,
} from '@countersign/sdk/contract'
import { csvOf, trailColumns } from '@countersign/sdk/contract/csv'
import { quote } from '@countersign/sdk/words'
import { type Command, type Declare, example } from '../../args/command.ts'
import { readCount } from '../../args/read-count.ts'
import { readMoment } from '../../args/read-moment.ts'
import { usage } from '../../failure.ts'
import { writeWhole } from '../../io/files.ts'
import { collect } from '../../registry/collect.ts'
import { type Paint, table } from '../../render/output.ts'
import { shownTime } from '../../render/shown-time.ts'
import { followEvents } from './follow-events.ts'

const everyMs = 3_000

export const declare: Declare = (events) => {
  example(events, 'events list --subject key --since 2026-11-01')
  declareList(events)
  declareExport(events)
}

const declareList = (events: Command) => {
  const list = events
    .command('list')
    .summary('List changes to your account')
    .description(
      'Lists every change to your account and records, newest first unless --sort says otherwise, with its time and the key or session that made it.',
    )
    .option('--subject <kind>', 'only events about this kind of record', { choices: trailSubjects })
    .option('--action <action>', 'only this action', { choices: trailActions })
    .option('--id <id>', 'only events about this record', 'text')
    .option('--since <time>', 'from this day or time, UTC', 'time')
    .option('--until <time>', 'before this day or time, UTC', 'time')
    .option('--sort <order>', 'order of the list; default: -created, newest first', {
      choices: ['-created', 'created'],
    })
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
      const sort = flags.text('sort') as 'created' | undefined
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
        if (sort !== undefined) throw usage('--follow cannot be combined with --sort')
        return followEvents(filter.since === undefined ? now() : new Date(filter.since), {
          list: async (since) => (await list({ since }, Number.POSITIVE_INFINITY)).items,
          print: (event) =>
            out.printLine({ value: event, ids: [event.id], text: () => rowOf()(event).filter(Boolean).join('  ') }),
          wait: () => wait(everyMs, undefined, { signal }),
        })
      }
      const { items: found, next_cursor } = await list({ sort }, most)
      out.print({
        value: { events: found, next_cursor },
        ids: found.map(({ id }) => id),
        text: (paint) =>
          found.length === 0 ? 'No events' : table(heads, found.map(rowOf(paint)), paint, { spare: ['WHAT', 'NAME'] }),
      })
    })
  example(
    list,
    'events list --action key.revoked',
    'events list --id mdl_06dh0e3x7c9bw4vjz2n8qk5ytm --json',
    'events list --follow',
  )
}

const declareExport = (events: Command) => {
  const save = events
    .command('export')
    .summary('Write the changes to your account to a file')
    .description(
      'Writes every change to your account in a period, oldest first, for an audit: one JSON object a line, or CSV. Writes to stdout unless --file is given.',
    )
    .option('--since <time>', 'from this day or time, UTC', 'time')
    .option('--until <time>', 'before this day or time, UTC', 'time')
    .option('--format <format>', 'jsonl (JSON Lines, the default) or csv', { choices: ['jsonl', 'csv'] })
    .option('--file <file>', 'the file to write; default: stdout', 'file')
    .action(async ({ connect, out, files }, { flags }) => {
      const range = {
        since: readMoment('--since', flags.text('since')),
        until: readMoment('--until', flags.text('until')),
      }
      const found = await readAll((await connect()).account, range)
      const text = flags.text('format') === 'csv' ? csvOf(trailColumns, found) : found.map(lineOf).join('')
      const file = flags.text('file')
      if (file === undefined)
        return out.print({ value: { events: found }, ids: found.map(({ id }) => id), text: () => text })
      writeWhole(files.pathOf(file), text)
      out.print({
        value: { file, events: found.length },
        ids: [file],
        text: () => `Wrote ${found.length === 1 ? 'one event' : `${found.length} events`} to ${file}`,
      })
    })
  example(save, 'events export --since 2026-10-01 --until 2026-11-01 --format csv --file october.csv')
}

const readAll = async (account: Countersign['account'], range: Parameters<typeof account.events>[0]) => {
  const { items } = await collect(
    (page) => account.events({ ...range, ...page }),
    ({ events: found }) => found,
    Number.POSITIVE_INFINITY,
  )
  return items.toReversed()
}

const lineOf = (event: TrailEvent) => `${JSON.stringify(event)}\n`

const heads = ['AT', 'ACTION', 'WHAT', 'NAME', 'BY']

/** The width from which there is room for the ID of a key or session beside its name. */
const roomyColumns = 120

const rowOf =
  ({ columns = roomyColumns }: Pick<Paint, 'columns'> = {}) =>
  ({ at, action, subject_id, subject_name, actor, actor_name }: TrailEvent) => [
    shownTime(at),
    action,
    subject_id,
    subject_name === null ? '' : quote(subject_name),
    actor_name === null ? actor : columns < roomyColumns ? quote(actor_name) : `${actor} (${quote(actor_name)})`,
  ]
