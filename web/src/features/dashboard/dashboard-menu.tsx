import type { Provider } from '@countersign/sdk/contract'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router-dom'
import { dashboard } from '#messages/dashboard.ts'
import { formatNumber } from '#messages/site.ts'
import { classes } from '../../ui/classes.ts'
import { Membership } from './membership.tsx'
import { addressOf, type TabName, tabNames } from './shared/tab-names.ts'
import { useAttention } from './shared/use-attention.ts'

const words = dashboard.menu

/** The tabs: beside the content, or on a phone in one line above it. */
export const DashboardMenu = ({
  current,
  provider,
}: {
  current: TabName
  provider: Pick<Provider, 'id' | 'is_active'>
}) => {
  const { attention } = useAttention(provider.id, provider.is_active)
  const list = useRef<HTMLUListElement>(null)
  const open = attention?.open_incidents ?? 0
  // On a phone the line is wider than the screen, and the number of reports moves the tabs.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the number changes the widths
  useEffect(() => {
    const shown = list.current?.querySelector<HTMLElement>(`[data-tab=${current}]`)
    if (list.current && shown)
      list.current.scrollLeft = shown.offsetLeft - (list.current.clientWidth - shown.offsetWidth) / 2
  }, [current, open])
  return (
    <nav aria-label={words.label} className="min-w-0 md:w-48 md:shrink-0 md:pt-8 print:hidden">
      <div className="md:sticky md:top-4">
        <Membership />
        <ul
          ref={list}
          className="relative flex gap-1 overflow-x-auto border-line border-b py-2 md:grid md:border-b-0 md:py-0"
        >
          {tabNames.map((tab) => (
            <li key={tab} data-tab={tab} className="shrink-0">
              <Link
                to={addressOf(tab)}
                aria-current={tab === current ? 'page' : undefined}
                className={classes(
                  'flex min-h-10 items-center rounded-control px-3 text-small hover:bg-sunken',
                  tab === current ? 'bg-sunken font-semibold' : 'text-muted',
                )}
              >
                {words.tabs[tab]}
                {tab === 'incidents' && <Count count={open} />}
              </Link>
            </li>
          ))}
        </ul>
        <p className="mt-6 hidden border-line border-t px-3 pt-4 text-small md:block">
          <Link to={`/providers/${provider.id}`} className="link">
            {words.profile}
          </Link>
        </p>
      </div>
    </nav>
  )
}

/** The number of open reports; nothing for zero. */
const Count = ({ count }: { count: number }) =>
  count > 0 && (
    <span className="ms-2 rounded-chip border border-control px-1.5 font-normal text-micro tabular-nums">
      {formatNumber(count)}
      <span className="sr-only"> {words.open}</span>
    </span>
  )
