import { useSyncExternalStore } from 'react'

interface Said {
  text: string
  description?: string
}

const listeners = new Set<() => void>()
let last: Said | undefined
let arrive: () => void = () => undefined
const isThere = new Promise<void>((resolve) => {
  arrive = resolve
})

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useLastSaid = () => useSyncExternalStore(subscribe, () => last)

/** Whether there was ever a toast; only then the toast library is loaded. */
export const useAreToastsWanted = () => useSyncExternalStore(subscribe, () => last !== undefined)

/** Call when the component that shows toasts is mounted. */
export const toastsAreThere = () => arrive()

const say = (kind: 'success' | 'error') => (text: string, more?: { description?: string | undefined }) => {
  last = { text, ...(more?.description !== undefined && { description: more.description }) }
  for (const listener of listeners) listener()
  void isThere.then(() => import('sonner')).then(({ toast }) => toast[kind](text, more))
}

/** A short note on the result of an action. Never the only place for something people need. */
export const toast = { success: say('success'), error: say('error') }
