import type { Deployment, Workload } from '@countersign/sdk/contract'
import { useSearchParams } from 'react-router-dom'
import { workloadsSection as words } from '#messages/dashboard/workloads.ts'
import { formatDay, formatTime } from '#messages/site.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { CodeBlock } from '../../../../ui/values/code-block.tsx'
import { Allowed } from '../../shared/allowed.tsx'
import { nameOf } from '../matching.ts'
import { snippetOf } from './workload-rules.ts'

/** The identity in one line. */
export const lineOf = ({ platform, subject, claims }: Workload): string => words.line(platform, claims.email ?? subject)

interface WorkloadRowProps {
  workload: Workload
  /** Undefined while the list above does not have it. */
  deployment: Deployment | undefined
  scene: Parameters<typeof snippetOf>[1]
  /** Undefined if the role does not allow it. */
  onRemove: (() => void) | undefined
}

/** An identity: what is trusted, the deployment that it stands for, its last use, and the code its server needs. */
export const WorkloadRow = ({ workload, deployment, scene, onRemove }: WorkloadRowProps) => {
  const { issuer, subject, claims, audience, deployment_id, created_at, last_used_at } = workload
  const [, setParams] = useSearchParams()
  const line = lineOf(workload)
  const open = (dialog: 'deployment' | 'authorize') => () =>
    setParams(
      (before) => {
        before.set(dialog, deployment_id)
        return before
      },
      { preventScrollReset: true },
    )
  return (
    <li className="grid grid-cols-1 gap-3 border-line border-t py-4 text-small">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="grid min-w-0 gap-1.5">
          <p className="wrap-anywhere font-semibold">{line}</p>
          <p className="wrap-anywhere">{words.issuedBy(issuer)}</p>
          <ul aria-label={words.claims} className="grid gap-0.5 wrap-anywhere font-mono">
            {Object.entries({ sub: subject, ...claims, aud: audience }).map(([name, value]) => (
              <li key={name}>{words.claim(name, value)}</li>
            ))}
          </ul>
          <p className="flex flex-wrap gap-x-4 text-muted">
            <span>
              {words.standsFor}{' '}
              <Button look="text" className="min-h-0! py-0!" aria-haspopup="dialog" onClick={open('deployment')}>
                {nameOf(deployment ?? { deployment_id, spki_fingerprint: null })}
              </Button>
            </span>
            <span>{words.added(formatDay(created_at))}</span>
            <span>{last_used_at === null ? words.neverUsed : words.used(formatTime(last_used_at))}</span>
          </p>
          {!workload.is_issuer_accepted && <p className="text-warn">{words.notAccepted}</p>}
          {deployment?.authorized_models.length === 0 && (
            <p className="flex flex-wrap items-center gap-x-4">
              {words.noModels}
              <Allowed action="models.allowDeployment">
                <Button look="text" className="min-h-0! py-0!" aria-haspopup="dialog" onClick={open('authorize')}>
                  {words.addModel}
                </Button>
              </Allowed>
            </p>
          )}
        </div>
        {onRemove && (
          <Button look="dangerPlain" aria-haspopup="dialog" aria-label={words.remove.of(line)} onClick={onRemove}>
            {words.remove.button}
          </Button>
        )}
      </div>
      <details>
        <summary className="cursor-pointer py-1.5 text-link" aria-label={words.snippet.of(line)}>
          {words.snippet.show}
        </summary>
        <p className="my-2">{words.snippet.text}</p>
        <CodeBlock code={snippetOf(workload, scene)} what={words.snippet.what} />
      </details>
    </li>
  )
}
