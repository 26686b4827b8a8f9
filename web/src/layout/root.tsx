import { useEffect, useRef } from 'react'
import { Outlet, ScrollRestoration, useLocation } from 'react-router-dom'
import { Toaster, toast } from 'sonner'
import { SWRConfig } from 'swr'
import { site } from '#messages/site.ts'
import { onSessionExpired } from '../data/session.ts'
import { useForgetting } from '../data/use-forgetting.ts'
import { focusPageMain, SkipLink } from '../ui/page-main.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { useTheme } from './theme.ts'

// The client tries once more by itself.
const fetching = { shouldRetryOnError: false, revalidateOnFocus: false }

/** What every page stands in. */
export const Root = () => {
  const { theme } = useTheme()
  useFocusOnNavigation()
  useForgetting()
  useEffect(() => onSessionExpired(() => toast.error(site.layout.expired)), [])
  return (
    <SWRConfig value={fetching}>
      <div className="flex min-h-screen flex-col">
        <SkipLink>{site.layout.skip}</SkipLink>
        <Header />
        <Outlet />
        <Footer />
      </div>
      <ScrollRestoration />
      <Toaster theme={theme} position="bottom-center" />
    </SWRConfig>
  )
}

const useFocusOnNavigation = () => {
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    focusPageMain()
  }, [pathname])
}
