import type { Deployment } from '@countersign/sdk/contract'
import { useState } from 'react'
import { modelParts } from '#messages/pages/model-parts.ts'
import { site } from '#messages/site.ts'
import { useMay } from '../../../data/role.ts'
import { Failed } from '../../../failures/failed.tsx'
import { explainFailure } from '../../../failures/failure.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Dialog } from '../../../ui/controls/dialog.tsx'
import { toast } from '../../../ui/controls/toast.ts'
import { Empty } from '../../../ui/layout/empty.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { SkeletonRows } from '../../../ui/layout/skeleton.tsx'
import { InlineCode } from '../../../ui/values/inline-code.tsx'
import { AuthorizeDialog } from './authorize-dialog.tsx'
import { fingerprintOf } from './deployment-words.ts'
import { useAuthorizations } from './use-authorizations.ts'

const words = modelParts.authorization

interface AuthorizationCardProps {
  modelId: string
  /** The message if revoking fails. */
  revokeFailed?: string
  /** In a dialog, which has its own heading. */
  isHeaded?: boolean
}

/** The provider's deployments that may request links for this model. */
export const AuthorizationCard = ({
  modelId,
  revokeFailed = words.revokeFailed,
  isHeaded = false,
}: AuthorizationCardProps) => {
  const { authorized, others, failure, again, authorize, revoke, refresh } = useAuthorizations(modelId)
  const may = useMay()
  const [isChoosing, setIsChoosing] = useState(false)
  const [leaving, setLeaving] = useState<Deployment | null>(null)

  const withdraw = async (deployment: Deployment) => {
    setLeaving(null)
    try {
      await revoke(deployment.deployment_id)
      toast.success(words.revoked)
    } catch (error) {
      toast.error(revokeFailed, { description: explainFailure(error) })
    }
    await refresh()
  }

  const content = (
    <>
      <p className="mb-3 text-muted text-small">{words.about}</p>
      {authorized === undefined && failure === undefined && <SkeletonRows count={2} />}
      {failure !== undefined && <Failed failure={failure} again={again} />}
      {authorized?.length === 0 && <Empty heading={words.none}>{words.noneText}</Empty>}
      {authorized !== undefined && authorized.length > 0 && (
        <ul className="border-line border-t">
          {authorized.map((deployment) => (
            <Row
              key={deployment.deployment_id}
              deployment={deployment}
              {...(may('models.revokeDeployment') && { revoke: () => setLeaving(deployment) })}
            />
          ))}
        </ul>
      )}
      {others !== undefined && may('models.allowDeployment') && (
        <Button className="mt-4" aria-haspopup="dialog" onClick={() => setIsChoosing(true)}>
          {words.authorize}
        </Button>
      )}
      {isChoosing && others !== undefined && (
        <AuthorizeDialog
          others={others}
          hasAny={(authorized?.length ?? 0) > 0}
          authorize={authorize}
          refresh={refresh}
          onClose={() => setIsChoosing(false)}
        />
      )}
      {leaving !== null && (
        <Dialog
          isOpen
          onClose={() => setLeaving(null)}
          title={words.revokeHeading}
          description={words.revokeText(fingerprintOf(leaving))}
        >
          <div className="flex flex-wrap justify-end gap-3">
            <Button onClick={() => setLeaving(null)}>{site.dialog.cancel}</Button>
            <Button look="primary" onClick={() => void withdraw(leaving)}>
              {words.revoke}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  )
  return isHeaded ? content : <Section heading={words.heading}>{content}</Section>
}

const Row = ({ deployment, revoke }: { deployment: Deployment; revoke?: () => void }) => (
  <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-b py-2">
    <div className="min-w-0 grow">
      <InlineCode>{fingerprintOf(deployment)}</InlineCode>
      <p className="text-muted text-small">
        {deployment.status === 'enabled' ? words.enabled : words.disabled}
        {deployment.spiffe_id !== null && <bdi> · {deployment.spiffe_id}</bdi>}
      </p>
    </div>
    {revoke && (
      <Button aria-haspopup="dialog" aria-label={words.revokeOf(fingerprintOf(deployment))} onClick={revoke}>
        {words.revoke}
      </Button>
    )}
  </li>
)
