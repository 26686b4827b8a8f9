import type { Deployment } from '@countersign/sdk/contract'
import { X } from 'lucide-react'
import { memo } from 'react'
import { deploymentsTab } from '#messages/dashboard/deployments.ts'
import { formatTime } from '#messages/site.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { CopyButton } from '../../../ui/controls/copy-button.tsx'
import { Chip } from '../../../ui/values/chip.tsx'
import { StatusChip } from '../../../ui/values/status-chip.tsx'
import { LastProof } from './last-proof.tsx'
import { nameOf } from './matching.ts'

const words = deploymentsTab.row

export type Model = Deployment['authorized_models'][number]

/** The actions of a row. */
export type Act =
  | { kind: 'choose' | 'switch' | 'add' | 'delete'; deployment: Deployment }
  | { kind: 'revoke'; deployment: Deployment; model: Model }

interface DeploymentRowProps {
  deployment: Deployment
  isChosen: boolean
  act: (act: Act) => void
}

const Row = ({ deployment, isChosen, act }: DeploymentRowProps) => {
  const { deployment_id, status, created_at, spiffe_id, cloud_identity } = deployment
  const name = nameOf(deployment)
  const isEnabled = status === 'enabled'
  const action = (kind: 'switch' | 'add' | 'delete', label: string, longer = words.of(label, name)) => (
    <Button
      aria-label={longer}
      aria-haspopup={kind === 'switch' ? undefined : 'dialog'}
      onClick={() => act({ kind, deployment })}
    >
      {label}
    </Button>
  )
  return (
    <li
      aria-label={words.name(name)}
      className="grid grid-cols-[auto_1fr] gap-x-3 border-line border-b py-5 [contain-intrinsic-block-size:auto_12rem] [content-visibility:auto]"
    >
      <input
        type="checkbox"
        checked={isChosen}
        onChange={() => act({ kind: 'choose', deployment })}
        aria-label={words.choose(name)}
        className="m-1 mt-1.5 size-4 accent-ink"
      />
      <div className="grid min-w-0 gap-x-6 gap-y-4 lg:grid-cols-[1.1fr_1fr]">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <h2 className="font-mono font-semibold">{name}</h2>
            <CopyButton text={deployment.spki_fingerprint} what={words.fingerprint} />
            {isEnabled ? (
              <Chip>{deploymentsTab.statuses.enabled}</Chip>
            ) : (
              <StatusChip tone="unk">{deploymentsTab.statuses.disabled}</StatusChip>
            )}
          </div>
          <p className="flex flex-wrap items-center text-muted text-small">
            <code className="font-mono">{deployment_id}</code>
            <CopyButton text={deployment_id} what={words.id} />
          </p>
          <p className="text-muted text-small">{words.created(formatTime(created_at))}</p>
          {[spiffe_id, cloud_identity].map(
            (identity) => identity !== null && <Identity key={identity}>{identity}</Identity>,
          )}
          <Labels labels={deployment.labels} />
        </div>
        <div className="grid min-w-0 content-start gap-4">
          <div>
            <h3 className="mb-1 text-muted text-small">{deploymentsTab.lastProof.heading}</h3>
            <LastProof deployment={deployment} />
          </div>
          <div>
            <h3 className="mb-1 text-muted text-small">{words.models}</h3>
            <Models deployment={deployment} act={act} />
          </div>
        </div>
        <div className="flex flex-wrap gap-2 lg:col-span-2">
          {action('switch', isEnabled ? words.disable : words.enable)}
          {action('add', words.addModel, words.addModelTo(name))}
          {action('delete', words.delete)}
        </div>
      </div>
    </li>
  )
}

export const DeploymentRow = memo(Row)

const Identity = ({ children }: { children: string }) => (
  <p className="text-small">
    <bdi>{children}</bdi>
  </p>
)

const Labels = ({ labels }: Pick<Deployment, 'labels'>) => {
  const entries = Object.entries(labels)
  if (entries.length === 0) return null
  return (
    <ul aria-label={words.labels} className="mt-2 flex flex-wrap gap-1.5">
      {entries.map(([name, value]) => (
        <li key={name}>
          <Chip>
            <bdi>{value === '' ? name : `${name}=${value}`}</bdi>
          </Chip>
        </li>
      ))}
    </ul>
  )
}

const Models = ({ deployment, act }: Pick<DeploymentRowProps, 'deployment' | 'act'>) => {
  if (deployment.authorized_models.length === 0) return <p className="text-small">{words.noModels}</p>
  return (
    <ul aria-label={words.models} className="flex flex-wrap gap-2">
      {deployment.authorized_models.map((model) => {
        const title = words.model(model.display_name, model.version)
        return (
          <li
            key={model.id}
            className="flex max-w-full items-center rounded-control border border-line ps-2.5 text-small"
          >
            <bdi className="min-w-0">{title}</bdi>
            <Button
              look="icon"
              className="w-8! min-h-8!"
              aria-haspopup="dialog"
              aria-label={words.revokeOf(title)}
              title={words.revokeOf(title)}
              onClick={() => act({ kind: 'revoke', deployment, model })}
            >
              <X aria-hidden size={14} />
            </Button>
          </li>
        )
      })}
    </ul>
  )
}
