import type { Deployment } from '@countersign/sdk/contract'
import type { Sort } from '../../../lists/sorting.ts'
import { nameOf } from './matching.ts'

const compareText = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1)

type Compare = (a: Deployment, b: Deployment) => number
const comparisons = {
  name: (a, b) => compareText(nameOf(a), nameOf(b)),
  status: (a, b) => compareText(b.status, a.status),
  proof: (a, b) => compareText(a.last_proven_at ?? '', b.last_proven_at ?? ''),
  models: (a, b) => a.authorized_models.length - b.authorized_models.length,
  created: (a, b) => compareText(a.created_at, b.created_at),
} satisfies Record<string, Compare>

export const deploymentSorts = Object.keys(comparisons)
export const usualSort: Sort = { column: 'created', isDescending: true }

/** Equal ones come newest first. */
export const sortDeployments = (deployments: readonly Deployment[], { column, isDescending }: Sort): Deployment[] => {
  const compare = comparisons[column as keyof typeof comparisons]
  return deployments.toSorted(
    (a, b) =>
      (isDescending ? -1 : 1) * compare(a, b) ||
      compareText(`${b.created_at} ${b.deployment_id}`, `${a.created_at} ${a.deployment_id}`),
  )
}
