import { lazy, Suspense, useEffect, useRef } from 'react'
import { type Location, Outlet, ScrollRestoration, useLocation } from 'react-router-dom'
import { SWRConfig } from 'swr'
import { site } from '#messages/site.ts'
import { onSessionExpired } from '../data/session.ts'
import { useForgetting } from '../data/use-forgetting.ts'
import { usePresenceRequest } from '../data/use-presence-request.ts'
import { toast, useAreToastsWanted } from '../ui/controls/toast.ts'
import { focusPageMain, SkipLink } from '../ui/layout/page-main.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { PlainToast } from './plain-toast.tsx'

const Toasts = lazy(() =>
  import('./toasts.tsx').then(
    ({ Toasts }) => ({ default: Toasts }),
    () => ({ default: PlainToast }),
  ),
)

const PresencePrompt = lazy(() =>
  import('./presence-prompt.tsx').then(({ PresencePrompt }) => ({ default: PresencePrompt })),
)

// The client already retries once.
const fetching = { shouldRetryOnError: false, revalidateOnFocus: false }

/** The layout around every page. */
export const Root = () => {
  const areToastsWanted = useAreToastsWanted()
  const presenceRequest = usePresenceRequest()
  useFocusOnNavigation()
  useForgetting()
  useEffect(
    () =>
      onSessionExpired(({ wasKeyAlone }) =>
        toast.error(site.layout.expired, wasKeyAlone ? { description: site.layout.keyRefused } : undefined),
      ),
    [],
  )
  return (
    <SWRConfig value={fetching}>
      <div className="flex min-h-screen flex-col">
        <SkipLink>{site.layout.skip}</SkipLink>
        <Header />
        <Outlet />
        <Footer />
      </div>
      <ScrollRestoration getKey={placeOf} />
      {presenceRequest && (
        <Suspense>
          <PresencePrompt request={presenceRequest} />
        </Suspense>
      )}
      {areToastsWanted && (
        <Suspense>
          <Toasts />
        </Suspense>
      )}
    </SWRConfig>
  )
}

/** A tab's first history entry has no key; another address typed there is a new entry. */
const placeOf = ({ key, pathname, search, hash }: Location) => (key === 'default' ? `${pathname}${search}${hash}` : key)

const useFocusOnNavigation = () => {
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    focusPageMain()
  }, [pathname])
}
