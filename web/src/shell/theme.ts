import { useSyncExternalStore } from 'react'

export type Theme = 'system' | 'light' | 'dark'

const storageKey = 'theme'
const nextTheme = { system: 'light', light: 'dark', dark: 'system' } as const satisfies Record<Theme, Theme>
const listeners = new Set<() => void>()

const readTheme = (): Theme => {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

const setTheme = (theme: Theme) => {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  try {
    if (theme === 'system') localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, theme)
  } catch {
    // Storage is blocked: the choice applies only to this page.
  }
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The chosen theme; `public/theme.js` applies it before the first paint. */
export const useTheme = () => {
  const theme = useSyncExternalStore(subscribe, readTheme)
  return { theme, change: () => setTheme(nextTheme[theme]) }
}
