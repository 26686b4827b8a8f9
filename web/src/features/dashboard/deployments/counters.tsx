import type { Deployment } from '@countersign/sdk/contract'
import { deploymentsTab } from '#messages/dashboard/deployments.ts'
import { formatNumber } from '#messages/site.ts'

const words = deploymentsTab.counters

export const Counters = ({ deployments }: { deployments: readonly Deployment[] }) => {
  const enabled = deployments.filter(({ status }) => status === 'enabled').length
  const counted = [
    { name: words.total, count: deployments.length },
    { name: words.enabled, count: enabled },
    { name: words.disabled, count: deployments.length - enabled },
  ]
  return (
    <dl aria-label={words.label} className="grid grid-cols-3 gap-4 border-line border-y py-4">
      {counted.map(({ name, count }) => (
        <div key={name}>
          <dt className="text-muted text-small">{name}</dt>
          <dd className="font-bold text-app">{formatNumber(count)}</dd>
        </div>
      ))}
    </dl>
  )
}
