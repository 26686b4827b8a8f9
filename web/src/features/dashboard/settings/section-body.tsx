import type { ReactNode } from 'react'
import { settingsTab } from '#messages/dashboard/settings.ts'
import { Failed } from '../../../failures/failed.tsx'
import { useSteadyLoading } from '../../../hooks/use-steady-loading.ts'
import { SkeletonRows } from '../../../ui/layout/skeleton.tsx'

interface SectionBodyProps<Data> {
  /** Undefined before the first response. */
  data: Data | undefined
  failure: unknown
  /** The heading if loading fails. */
  failed: string
  again: () => unknown
  rows?: number
  children: (data: Data) => ReactNode
}

/** A section's content: loading, failed, empty or loaded. */
export const SectionBody = <Data,>({ data, failure, failed, again, rows = 3, children }: SectionBodyProps<Data>) => {
  const { isLoading, isShown } = useSteadyLoading(data === undefined && failure === undefined)
  if (isLoading || (data === undefined && failure === undefined))
    return (
      <div aria-busy="true">
        <p role="status" className="sr-only">
          {isShown ? settingsTab.loading : ''}
        </p>
        {isShown && <SkeletonRows count={rows} />}
      </div>
    )
  if (data === undefined) return <Failed heading={failed} failure={failure} again={() => void again()} />
  return children(data)
}
