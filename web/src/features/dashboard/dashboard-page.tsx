import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { dashboard } from '#messages/dashboard.ts'
import { formatLocalTime, site } from '#messages/site.ts'
import { useOwnProvider } from '../../data/provider.ts'
import { useMay } from '../../data/role.ts'
import { useDocumentTitle } from '../../hooks/use-document-title.ts'
import { useHotkey } from '../../hooks/use-hotkey.ts'
import { useOnline } from '../../hooks/use-online.ts'
import { Spinner } from '../../ui/controls/spinner.tsx'
import { PageMain } from '../../ui/layout/page-main.tsx'
import { DashboardMenu } from './dashboard-menu.tsx'
import { Deactivated } from './deactivated.tsx'
import { mintParameter } from './mint/open-mint.ts'
import { tabOf } from './shared/tab-names.ts'
import { Suspended } from './suspended.tsx'
import { tabs } from './tabs.ts'
import { Watched } from './watched.tsx'

const words = dashboard

const MintDialog = lazy(() => import('./mint/mint-dialog.tsx').then(({ MintDialog }) => ({ default: MintDialog })))
const KeyboardHelp = lazy(() => import('./keyboard-help.tsx').then(({ KeyboardHelp }) => ({ default: KeyboardHelp })))

/** The dashboard: its menu, and the tab named in the address. */
export const DashboardPage = () => (
  <Watched>{(notReloadedSince) => <Dashboard notReloadedSince={notReloadedSince} />}</Watched>
)

const Dashboard = ({ notReloadedSince }: { notReloadedSince: string | undefined }) => {
  const { provider, refresh } = useOwnProvider()
  const [search] = useSearchParams()
  const isOnline = useOnline()
  const name = tabOf(search)
  const may = useMay()
  const [isHelpOpen, setIsHelpOpen] = useState(false)
  useHotkey('?', () => setIsHelpOpen(true))
  useDocumentTitle(site.title(name === 'overview' ? words.title : `${words.menu.tabs[name]} · ${words.title}`))
  if (provider === undefined) return null
  const Tab = tabs[name]
  return (
    <div className="mx-auto flex w-full max-w-site grow flex-col px-4 sm:px-6 md:flex-row md:gap-8">
      <DashboardMenu current={name} provider={provider} />
      <div className="flex min-w-0 grow flex-col">
        <p role="status" className="mt-4 border-warn border-s-4 bg-warn-bg px-4 py-2 text-small empty:hidden">
          {isOnline ? notReloadedSince && words.notReloaded(formatLocalTime(notReloadedSince)) : words.offline}
        </p>
        <Suspense fallback={<TabLoading />}>
          {provider.is_suspended && <Suspended provider={provider} />}
          {provider.is_active || provider.is_suspended || name === 'settings' ? (
            <Tab key={name} {...{ provider, refresh }} />
          ) : (
            <Deactivated provider={provider} />
          )}
        </Suspense>
        {isHelpOpen && (
          <Suspense>
            <KeyboardHelp onClose={() => setIsHelpOpen(false)} />
          </Suspense>
        )}
        {provider.is_active && search.has(mintParameter) && may('verifications.create') && (
          <Suspense>
            <MintDialog provider={provider} />
          </Suspense>
        )}
      </div>
    </div>
  )
}

const TabLoading = () => (
  <PageMain state="loading" busy className="pt-8">
    <Spinner>{site.layout.loading}</Spinner>
  </PageMain>
)
