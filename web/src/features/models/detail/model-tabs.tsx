import { Link } from 'react-router-dom'
import { modelPage } from '#messages/pages/model-page.ts'
import { classes } from '../../../ui/classes.ts'

const words = modelPage.tabs

const tabs = ['overview', 'security', 'versions', 'reports'] as const
export type Tab = (typeof tabs)[number]

export const readTab = (query: URLSearchParams): Tab => tabs.find((tab) => tab === query.get('tab')) ?? 'overview'

/** Each tab has its own address. */
export const ModelTabs = ({ shown }: { shown: Tab }) => (
  <nav aria-label={words.label} className="mt-8 flex flex-wrap gap-x-4 sm:gap-x-6 border-line border-b print:hidden">
    {tabs.map((tab) => (
      <Link
        key={tab}
        to={tab === 'overview' ? '?' : `?tab=${tab}`}
        preventScrollReset
        aria-current={tab === shown ? 'page' : undefined}
        className={classes(
          '-mb-px flex min-h-11 items-center border-b-2 font-semibold text-small',
          tab === shown ? 'border-ink' : 'border-transparent text-muted hover:text-ink',
        )}
      >
        {words.names[tab]}
      </Link>
    ))}
  </nav>
)
