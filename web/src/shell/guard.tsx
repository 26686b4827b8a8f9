import { useEffect, useRef } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router-dom'
import { SWRConfig } from 'swr'
import { failures } from '#messages/failures.ts'
import { site } from '#messages/site.ts'
import { isRegistered, useOwnProvider } from '../data/provider.ts'
import { rememberTarget } from '../data/redirect.ts'
import { Failed } from '../failures/failed.tsx'
import { keptCurrent } from '../hooks/kept-current.ts'
import { Spinner } from '../ui/controls/spinner.tsx'
import { toast } from '../ui/controls/toast.ts'
import { PageMain } from '../ui/layout/page-main.tsx'

/** Without a reason given here, the login page says that signing in is required. */
const whyToSignIn = (target: string): string | undefined => {
  const { pathname, searchParams } = new URL(target, location.origin)
  if (pathname === '/dashboard/models/register') return site.layout.signInFirst.registerPage
  const isForm = searchParams.get('tab') === 'models' && searchParams.has('register')
  return isForm ? site.layout.signInFirst.registerDialog : undefined
}

/** Lets only signed-in users through; others return here after signing in. */
export const Guard = () => {
  const { isSignedIn, isLoading, provider, failure, refresh } = useOwnProvider()
  const { pathname, search, hash } = useLocation()
  const target = `${pathname}${search}${hash}`
  const wasSignedIn = useRef(isSignedIn)
  useEffect(() => {
    // A user who signed out in another tab wants to leave no trace; the login page's address still has the target.
    if (!isSignedIn && !wasSignedIn.current) rememberTarget(target)
    if (isSignedIn) wasSignedIn.current = true
  }, [isSignedIn, target])

  const mustSignIn = !isSignedIn && !wasSignedIn.current
  useEffect(() => {
    const why = mustSignIn && whyToSignIn(target)
    if (why) toast.error(why)
  }, [mustSignIn, target])

  // The dashboard shows what is missing and asks for it.
  const isUnregistered = provider !== undefined && !isRegistered(provider) && pathname !== '/dashboard'
  const isToRegisterModel = isUnregistered && pathname === '/dashboard/models/register'
  useEffect(() => {
    if (isToRegisterModel) toast.error(site.layout.setUpFirst)
  }, [isToRegisterModel])

  // A person who signs out here goes to another page, which may not have rendered yet. They must not end at the login page.
  if (!isSignedIn && location.pathname !== pathname) return null
  if (!isSignedIn) return <Navigate to={`/login?redirect=${encodeURIComponent(target)}`} replace />
  if (isLoading)
    return (
      <PageMain state="loading" busy className="mx-auto max-w-record px-4 pt-20">
        <Spinner>{site.layout.loading}</Spinner>
      </PageMain>
    )
  if (failure !== undefined && provider === undefined)
    return (
      <PageMain state="failed" className="mx-auto w-full max-w-record px-4 pt-20">
        <Failed
          heading={site.layout.providerFailed}
          failure={failure}
          wordsOfStatus={failures.currentProvider}
          again={() => void refresh()}
        />
      </PageMain>
    )
  if (isUnregistered) return <Navigate to="/register" replace />
  // Another tab, person or program may have changed something in the meantime.
  return (
    <SWRConfig value={keptCurrent}>
      <Outlet />
    </SWRConfig>
  )
}
