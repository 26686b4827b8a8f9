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

const usualPlaces = ['tab']

/**
 * Asks before unsaved changes are lost: the browser if the page closes, `asks` if only the route changes. `places` are the parameters
 * of the address that name another page.
 */
export const useUnsaved = (isUnsaved: boolean, places: readonly string[] = usualPlaces) => {
  const blocker = useBlocker(
    ({ currentLocation: now, nextLocation: next }) =>
      isUnsaved &&
      (now.pathname !== next.pathname ||
        places.some(
          (name) => new URLSearchParams(now.search).get(name) !== new URLSearchParams(next.search).get(name),
        )) &&
      !next.pathname.startsWith('/login'),
  )
  useUnloadQuestion(isUnsaved)
  return {
    asks: blocker.state === 'blocked',
    leave: () => blocker.proceed?.(),
    stay: () => blocker.reset?.(),
  }
}
