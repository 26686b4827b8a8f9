/** Browser storage. If it is blocked, nothing is stored and the page still works. */
export const readStored = (name: string): string | null => {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

export const store = (name: string, value: string | null) => {
  try {
    if (value === null) localStorage.removeItem(name)
    else localStorage.setItem(name, value)
  } catch {
    // Blocked or full.
  }
}

export const forgetTab = () => {
  try {
    sessionStorage.clear()
  } catch {
    // Blocked: there is nothing to forget.
  }
}

/** Display preferences are not secret, so they stay after signing out. */
const keptName = 'theme'

export const forgetEverything = () => {
  try {
    for (const name of Object.keys(localStorage)) if (name !== keptName) localStorage.removeItem(name)
  } catch {
    // Blocked: there is nothing to forget.
  }
  forgetTab()
}

/** Removes all keys with this prefix, except those that begin with `kept`. */
export const forgetOfTab = (beginning: string, exception: string) => {
  try {
    for (const name of Object.keys(sessionStorage))
      if (name.startsWith(beginning) && !name.startsWith(exception)) sessionStorage.removeItem(name)
  } catch {
    // Blocked: there is nothing to forget.
  }
}

/** Only in this tab. */
export const readOfTab = (name: string): string | null => {
  try {
    return sessionStorage.getItem(name)
  } catch {
    return null
  }
}

export const storeForTab = (name: string, value: string | null) => {
  try {
    if (value === null) sessionStorage.removeItem(name)
    else sessionStorage.setItem(name, value)
  } catch {
    // Blocked or full.
  }
}
