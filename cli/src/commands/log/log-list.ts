import type { OwnLogEntry } from '@countersign/sdk/contract'
import type { Call } from '../../args/command.ts'
import { readCount } from '../../args/read-count.ts'
import type { Context } from '../../context.ts'
import { collect } from '../../registry/collect.ts'
import { printable, table } from '../../render/output.ts'
import { shownTime } from '../../render/shown-time.ts'

const placeOf = ({ state, index }: OwnLogEntry) =>
  state === 'being_logged' ? 'being logged' : state === 'not_logged' ? 'not logged' : String(index)

/** `countersign log list` */
export const listOwnEntries = async ({ connect, out, setting }: Context, { flags }: Call) => {
  const client = await connect()
  const most = readCount(flags.text('limit'), 'log list')
  const { items: entries, next_cursor } = await collect(
    (page) => client.log.entries(page),
    (page) => page.entries,
    most,
  )
  out.print({
    value: { entries, next_cursor },
    ids: entries.flatMap(({ index }) => (index === null ? [] : [String(index)])),
    text: (paint) =>
      entries.length === 0
        ? 'The log says nothing about you. It starts with your first proven domain.'
        : table(
            ['ENTRY', 'AT', 'WHAT'],
            entries.map((entry) => [
              placeOf(entry),
              shownTime(entry.at),
              `${printable(entry.says)}${entry.state === 'logged_privately' ? ' (private)' : ''}`,
            ]),
            paint,
          ),
  })
  const provider = entries.find(({ subject }) => subject.startsWith('prv_'))?.subject
  if (provider !== undefined)
    out.say(`hint: Public entries as a feed: ${setting('api_url')}/log/feed/providers/${provider}.atom`)
}
