/** What a session was given. Times are of two clocks; see `createLinkIssuer`. */
export interface Issued<T> {
  code: string
  link: T
}

const mostOfOneSession = 16

/**
 * Who was given which links: at most `size` links in all, of which one session holds at most sixteen. The session that was
 * quiet for longest is forgotten first, as a whole.
 */
export const createIssuedLinks = <T>(size: number) => {
  /** Least recently used first; the links of each, oldest first. */
  const sessions = new Map<string, Issued<T>[]>()
  const owners = new Map<string, string>()

  const forget = (issued: readonly Issued<T>[]) => {
    for (const { code } of issued) owners.delete(code)
  }

  const touch = (session: string): readonly Issued<T>[] => {
    const issued = sessions.get(session)
    if (issued === undefined) return []
    sessions.delete(session)
    sessions.set(session, issued)
    return issued
  }

  return {
    add: (session: string, code: string, link: T) => {
      const issued = [...touch(session), { code, link }]
      forget(issued.splice(0, issued.length - mostOfOneSession))
      sessions.delete(session)
      sessions.set(session, issued)
      owners.set(code, session)
      for (const [quietest, theirs] of sessions) {
        if (owners.size <= size || quietest === session) break
        sessions.delete(quietest)
        forget(theirs)
      }
    },
    /** The links of a session, oldest first. Asking keeps them from being forgotten. */
    of: touch,
    ownerOf: (code: string): string | undefined => owners.get(code),
  }
}
