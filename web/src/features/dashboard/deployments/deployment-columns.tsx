import type { Deployment } from '@countersign/sdk/contract'
import { deploymentsTab } from '#messages/dashboard/deployments.ts'
import { formatDay, formatTime } from '#messages/site.ts'
import { type Column, Line, RowTitle } from '../../../lists/row-table.tsx'
import { StatusDot } from '../../../ui/values/status-dot.tsx'
import { proofOf } from './last-proof.tsx'
import { labelsOf, nameOf } from './matching.ts'

const { columns, row, statuses, lastProof } = deploymentsTab

const Proof = ({ deployment }: { deployment: Deployment }) => {
  const { tone, text } = proofOf(deployment)
  const { last_proven_at } = deployment
  return (
    <>
      <StatusDot tone={tone}>{text}</StatusDot>
      {last_proven_at !== null && (
        <span title={formatTime(last_proven_at)} className="block truncate text-micro text-muted">
          {formatTime(last_proven_at)}
        </span>
      )}
    </>
  )
}

const modelsOf = ({ authorized_models: [first, ...others] }: Deployment) => {
  if (first === undefined) return row.noModel
  const name = row.model(first.display_name, first.version)
  return others.length === 0 ? name : row.modelAnd(name, others.length)
}

export const deploymentColumns: readonly Column<Deployment>[] = [
  {
    key: 'name',
    name: columns.name,
    isSortable: true,
    cell: (deployment) => (
      <RowTitle
        title={nameOf(deployment)}
        under={deployment.deployment_id}
        onPhone={row.statusOf(statuses[deployment.status], proofOf(deployment).text)}
      />
    ),
  },
  {
    key: 'status',
    name: columns.status,
    isSortable: true,
    className: 'hidden w-24 sm:table-cell',
    cell: ({ status }) => <Line isMuted={status !== 'enabled'}>{statuses[status]}</Line>,
  },
  {
    key: 'proof',
    name: lastProof.heading,
    isSortable: true,
    className: 'hidden w-48 lg:table-cell',
    cell: (deployment) => <Proof deployment={deployment} />,
  },
  {
    key: 'models',
    name: columns.models,
    isSortable: true,
    className: 'hidden w-44 sm:table-cell',
    cell: (deployment) => (
      <>
        <Line isMuted={deployment.authorized_models.length === 0}>{modelsOf(deployment)}</Line>
        <span title={labelsOf(deployment).join(', ')} className="block truncate text-micro text-muted">
          {labelsOf(deployment).join(', ')}
        </span>
      </>
    ),
  },
  {
    key: 'created',
    name: columns.created,
    isSortable: true,
    className: 'hidden w-28 xl:table-cell',
    cell: ({ created_at }) => <Line isMuted>{formatDay(created_at)}</Line>,
  },
]
