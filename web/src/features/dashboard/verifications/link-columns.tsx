import type { IssuedVerification } from '@countersign/sdk/contract'
import { isShown, linkTones, linkWords } from '@countersign/sdk/words'
import { verificationsTab } from '#messages/dashboard/verifications.ts'
import { formatClock, formatDay, formatTime } from '#messages/site.ts'
import { type Column, Line, RowTitle } from '../../../lists/row-table.tsx'
import type { Tone } from '../../../ui/values/status-chip.tsx'
import { StatusDot } from '../../../ui/values/status-dot.tsx'
import { stateOf } from './link-state.ts'

const words = verificationsTab

export const titleOf = ({ model_name, model_version }: IssuedVerification) => words.version(model_name, model_version)

/** The result that visitors see now, and until when, with and without the day. */
export const describeState = (link: IssuedVerification, now: number) => {
  const { outcome, change } = stateOf(link, now)
  const untilAt = isShown(outcome)
    ? words.state.expires
    : Date.parse(link.expires_at) <= now
      ? words.state.expired
      : words.state.wouldHave
  return {
    tone: outcome === 'expired' ? ('unk' satisfies Tone) : linkTones[outcome],
    text: (change && words.changes[change]) ?? words.states[outcome] ?? linkWords.bands[outcome],
    until: untilAt(formatTime(link.expires_at)),
    untilClock: untilAt(formatClock(link.expires_at)),
  }
}

const Two = ({ first, second, isMuted = false }: { first: string; second: string; isMuted?: boolean }) => (
  <>
    <Line isMuted={isMuted}>{first}</Line>
    <span title={second} className="block truncate text-micro text-muted">
      {second}
    </span>
  </>
)

/** `now` decides which links have expired. */
export const linkColumns = (now: number): readonly Column<IssuedVerification>[] => [
  {
    key: 'model',
    name: words.columns.model,
    cell: (link) => {
      const { tone, text } = describeState(link, now)
      const time = formatTime(link.issued_at)
      return (
        <RowTitle
          title={titleOf(link)}
          under={words.issued(time)}
          underClassName="md:hidden"
          onPhone={<StatusDot tone={tone}>{words.stateAt(text, time)}</StatusDot>}
        />
      )
    },
  },
  {
    key: 'created',
    name: words.columns.created,
    isSortable: true,
    className: 'hidden w-32 md:table-cell',
    cell: ({ issued_at }) => <Two first={formatDay(issued_at)} second={formatClock(issued_at)} />,
  },
  {
    key: 'state',
    name: words.columns.state,
    className: 'hidden w-48 sm:table-cell',
    cell: (link) => {
      const { tone, text, until, untilClock } = describeState(link, now)
      return (
        <>
          <StatusDot tone={tone}>{text}</StatusDot>
          <span title={until} className="block truncate text-micro text-muted">
            {untilClock}
          </span>
        </>
      )
    },
  },
  {
    key: 'deployment',
    name: words.columns.deployment,
    className: 'hidden w-44 lg:table-cell',
    cell: ({ deployment_id, deployment_binding }) =>
      deployment_id === null ? (
        <Line isMuted>{words.deployment.none}</Line>
      ) : (
        <Two
          first={deployment_id}
          second={deployment_binding === null ? '' : words.deployment.proven[deployment_binding]}
        />
      ),
  },
  {
    key: 'opened',
    name: words.columns.opened,
    className: 'hidden w-36 xl:table-cell',
    cell: ({ opened_at, opened_count }) =>
      opened_at === null ? (
        <Line isMuted>{words.opened.never}</Line>
      ) : (
        <Two first={words.opened.often(opened_count)} second={words.opened.firstOn(formatDay(opened_at))} />
      ),
  },
]
