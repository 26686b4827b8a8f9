import type { Deployment } from '@countersign/sdk/contract'
import { quoteExactly } from '@countersign/sdk/words'
import { X } from 'lucide-react'
import { deploymentsTab } from '#messages/dashboard/deployments.ts'
import { formatTime } from '#messages/site.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { CopyButton } from '../../../ui/controls/copy-button.tsx'
import { Dialog } from '../../../ui/controls/dialog.tsx'
import { FactRow, FactRows } from '../../../ui/layout/facts.tsx'
import { Chip } from '../../../ui/values/chip.tsx'
import { Allowed } from '../shared/allowed.tsx'
import { LastProof } from './last-proof.tsx'
import { labelsOf, nameOf } from './matching.ts'

const words = deploymentsTab.row

export type AuthorizedModel = Deployment['authorized_models'][number]

interface DeploymentDetailsProps {
  deployment: Deployment
  addModel: () => void
  revoke: (model: AuthorizedModel) => void
  remove: () => void
  onClose: () => void
}

/** All about a deployment that its row has no room for. */
export const DeploymentDetails = ({ deployment, addModel, revoke, remove, onClose }: DeploymentDetailsProps) => {
  const { spiffe_id, cloud_identity, labels, status, disabled_at, revoked_models } = deployment
  return (
    <Dialog isOpen onClose={onClose} title={words.name(nameOf(deployment))}>
      <FactRows>
        <FactRow name={words.idName}>
          <Copied text={deployment.deployment_id} what={words.id} />
        </FactRow>
        <FactRow name={words.fingerprint}>
          {deployment.spki_fingerprint === null ? (
            words.noKey
          ) : (
            <Copied text={deployment.spki_fingerprint} what={words.fingerprint} />
          )}
        </FactRow>
        <FactRow name={deploymentsTab.status}>
          {disabled_at === null ? deploymentsTab.statuses[status] : words.disabledSince(formatTime(disabled_at))}
        </FactRow>
        <FactRow name={deploymentsTab.columns.created}>{formatTime(deployment.created_at)}</FactRow>
        {spiffe_id !== null && (
          <FactRow name={words.spiffe}>
            <bdi>{quoteExactly(spiffe_id)}</bdi>
          </FactRow>
        )}
        {cloud_identity !== null && (
          <FactRow name={words.cloud}>
            <bdi>{quoteExactly(cloud_identity)}</bdi>
          </FactRow>
        )}
        {Object.keys(labels).length > 0 && (
          <FactRow name={words.labels}>
            <Labels deployment={deployment} />
          </FactRow>
        )}
        <FactRow name={deploymentsTab.lastProof.heading}>
          <LastProof deployment={deployment} />
        </FactRow>
        <FactRow name={words.models}>
          <Models models={deployment.authorized_models} revoke={revoke} />
        </FactRow>
        {revoked_models.length > 0 && (
          <FactRow name={words.revoked}>
            <ul>
              {revoked_models.map(({ id, display_name, version, revoked_at }) => (
                <li key={id}>
                  <bdi>{words.model(display_name, version)}</bdi>, {formatTime(revoked_at)}
                </li>
              ))}
            </ul>
          </FactRow>
        )}
      </FactRows>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Allowed action="deployments.delete" isExplained>
          <Button look="dangerPlain" aria-haspopup="dialog" onClick={remove}>
            {words.delete}
          </Button>
        </Allowed>
        <Allowed action="models.allowDeployment">
          <Button look="primary" aria-haspopup="dialog" onClick={addModel}>
            {words.addModel}
          </Button>
        </Allowed>
      </div>
    </Dialog>
  )
}

const Copied = ({ text, what }: { text: string; what: string }) => (
  <span className="-my-2 flex items-center justify-between gap-2">
    <code className="min-w-0 break-all font-mono text-small">{text}</code>
    <CopyButton text={text} what={what} />
  </span>
)

const Labels = ({ deployment }: { deployment: Deployment }) => (
  <ul aria-label={words.labels} className="flex flex-wrap gap-1.5">
    {labelsOf(deployment).map((label) => (
      <li key={label} className="max-w-full">
        <Chip>
          <bdi className="break-all">{label}</bdi>
        </Chip>
      </li>
    ))}
  </ul>
)

const Models = ({
  models,
  revoke,
}: {
  models: readonly AuthorizedModel[]
  revoke: DeploymentDetailsProps['revoke']
}) => {
  if (models.length === 0) return <p className="text-small">{words.noModels}</p>
  return (
    <ul aria-label={words.models} className="flex flex-wrap gap-2">
      {models.map((model) => {
        const title = words.model(model.display_name, model.version)
        return (
          <li
            key={model.id}
            className="flex max-w-full items-center rounded-control border border-line ps-2.5 text-small"
          >
            <bdi className="min-w-0">{title}</bdi>
            <Allowed action="models.revokeDeployment">
              <Button
                look="icon"
                className="w-8! min-h-8!"
                aria-haspopup="dialog"
                aria-label={words.revokeOf(title)}
                title={words.revokeOf(title)}
                onClick={() => revoke(model)}
              >
                <X aria-hidden size={14} />
              </Button>
            </Allowed>
          </li>
        )
      })}
    </ul>
  )
}
