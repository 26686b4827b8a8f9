/** What the console keeps in the browser. Where storage is blocked, nothing is kept, and the page works on. */
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

/** How the pages look is nobody's secret. */
const keptName = 'theme'

export const forgetEverything = () => {
  try {
    for (const name of Object.keys(localStorage)) if (name !== keptName) localStorage.removeItem(name)
  } catch {
    // Blocked: there is nothing to forget.
  }
  forgetTab()
}

/** What a tab keeps whose name begins so, except what begins like `kept`. */
export const forgetOfTab = (beginning: string, kept: string) => {
  try {
    for (const name of Object.keys(sessionStorage))
      if (name.startsWith(beginning) && !name.startsWith(kept)) sessionStorage.removeItem(name)
  } catch {
    // Blocked: there is nothing to forget.
  }
}

/** For this tab alone. */
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
