import type { OwnLogEntry } from '@countersign/sdk/contract'
import { useSearchParams } from 'react-router-dom'
import { logTab } from '#messages/dashboard/log.ts'
import { formatTime } from '#messages/site.ts'
import { useOwnProvider } from '../../../data/provider.ts'
import { useMay } from '../../../data/role.ts'
import { addressWith } from '../../../hooks/change-query.ts'
import { useAddressDialog } from '../../../hooks/use-address-dialog.ts'
import { ExportButton } from '../../../lists/export-button.tsx'
import { type Column, Line, RowTitle } from '../../../lists/row-table.tsx'
import { usePagedItems } from '../../../lists/use-paged-items.ts'
import { FirstStep } from '../shared/first-step.tsx'
import { ListBar, ListTab } from '../shared/list-tab.tsx'
import { DisputeDialog } from './dispute-dialog.tsx'
import { LogEntryDetails } from './log-entry-details.tsx'
import { NearNames } from './near-names.tsx'
import { canDispute, proofAddressOf, readOwnLog, useOwnLog } from './own-log.ts'

const words = logTab
const command = 'countersign log list'

const placeOf = ({ index, state }: OwnLogEntry) => (index === null ? words.states[state] : words.entry(index))

const underOf = (entry: OwnLogEntry) =>
  [
    ...(entry.report_id === null ? [] : [words.dispute.reported]),
    placeOf(entry),
    formatTime(entry.at),
    ...(entry.state === 'logged_privately' ? [words.states.logged_privately] : []),
  ].join(' · ')

const columns: readonly Column<OwnLogEntry>[] = [
  { key: 'what', name: words.columns.what, cell: (entry) => <RowTitle title={entry.says} under={underOf(entry)} /> },
  {
    key: 'time',
    name: words.columns.time,
    className: 'hidden w-52 sm:table-cell',
    cell: ({ at }) => <Line isMuted>{formatTime(at)}</Line>,
  },
]

const csvColumns = [
  'index',
  'at',
  'type',
  'subject',
  'says',
  'state',
  'leaf_hash',
] as const satisfies (keyof OwnLogEntry)[]

const idOf = ({ leaf_hash }: OwnLogEntry) => leaf_hash
const nameOf = ({ says }: OwnLogEntry) => says
const clear = () => {}

/** What the transparency log says about the provider. */
export const LogTab = () => {
  const [params] = useSearchParams()
  const list = useOwnLog()
  const mayDispute = useMay()('log.dispute')
  const { provider } = useOwnProvider()
  const paged = usePagedItems(list)
  const details = useAddressDialog('entry')
  const detailsOf = (entry: OwnLogEntry) => addressWith(params, 'entry', entry.leaf_hash)
  const dispute = useAddressDialog('dispute')
  const disputeOf = (entry: OwnLogEntry) => addressWith(params, 'dispute', entry.leaf_hash)
  const find = (leaf: string | null) => list.items?.find(({ leaf_hash }) => leaf_hash === leaf)
  const [opened, disputed] = [find(details.value), find(dispute.value)]
  return (
    <ListTab<OwnLogEntry>
      list={list}
      paged={paged}
      words={words}
      columns={columns}
      idOf={idOf}
      nameOf={nameOf}
      addressOf={detailsOf}
      menuOf={(entry) => {
        const proof = proofAddressOf(entry)
        return [
          { label: words.open, to: detailsOf(entry) },
          ...(proof === undefined ? [] : [{ label: words.proof, act: () => window.open(proof, '_blank', 'noopener') }]),
          ...(mayDispute && canDispute(entry) ? [{ label: words.dispute.open, to: disputeOf(entry) }] : []),
        ]
      }}
      actions={
        provider !== undefined && (
          <a
            href={`/log/feed/providers/${provider.id}.atom`}
            className="link inline-flex min-h-11 items-center text-small"
          >
            {words.feed}
          </a>
        )
      }
      isFiltered={false}
      clear={clear}
      firstStep={<FirstStep {...words.firstStep} command={command} />}
      bar={
        <ListBar found={words.found(list.items?.length ?? 0, list.hasMore)} isFiltered={false} clear={clear}>
          <ExportButton<OwnLogEntry> list="log" filters={[]} columns={csvColumns} rows={readOwnLog} hasLines />
        </ListBar>
      }
    >
      <NearNames />
      {opened && !disputed && (
        <LogEntryDetails entry={opened} onClose={details.close} onDispute={() => dispute.open(opened.leaf_hash)} />
      )}
      {mayDispute && disputed && <DisputeDialog entry={disputed} onDone={list.again} onClose={dispute.close} />}
    </ListTab>
  )
}
