import { useEffect } from 'react'
import { useBlocker } from 'react-router-dom'

/** Makes the browser ask before it closes the page. */
export const useUnloadQuestion = (isUnsaved: boolean) =>
  useEffect(() => {
    if (!isUnsaved) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isUnsaved])

/** Asks before unsaved changes are lost: the browser if the page closes, `asks` if only the route changes. */
export const useUnsaved = (isUnsaved: boolean) => {
  const blocker = useBlocker(
    ({ currentLocation: now, nextLocation: next }) =>
      isUnsaved &&
      (now.pathname !== next.pathname ||
        new URLSearchParams(now.search).get('tab') !== new URLSearchParams(next.search).get('tab')) &&
      !next.pathname.startsWith('/login'),
  )
  useUnloadQuestion(isUnsaved)
  return {
    asks: blocker.state === 'blocked',
    leave: () => blocker.proceed?.(),
    stay: () => blocker.reset?.(),
  }
}
