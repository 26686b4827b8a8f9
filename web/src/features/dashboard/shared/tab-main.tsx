import type { ReactNode } from 'react'
import { PageMain } from '../../../ui/layout/page-main.tsx'

interface TabMainProps {
  state: string
  busy?: boolean
  heading: string
  /** The status in one sentence. */
  status?: ReactNode
  /** Buttons beside the heading. */
  actions?: ReactNode
  children?: ReactNode
}

/** The content of a tab, beside the dashboard's menu. */
export const TabMain = ({ state, busy, heading, status, actions, children }: TabMainProps) => (
  <PageMain state={state} {...(busy !== undefined && { busy })} className="min-w-0 pt-6 pb-12 md:pt-8">
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
      <div className="min-w-0">
        <h1 className="font-bold text-app">{heading}</h1>
        {status !== undefined && <p className="mt-1 max-w-prose text-muted text-small">{status}</p>}
      </div>
      {actions !== undefined && <div className="flex flex-wrap gap-3">{actions}</div>}
    </div>
    {children}
  </PageMain>
)
