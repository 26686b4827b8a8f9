const mostOfOneSession = 16

interface Coded {
  readonly code: string
}

/**
 * The links of each session: at most `size` in all and sixteen per session. The least recently used session is forgotten first, as a
 * whole.
 */
export const createIssuedLinks = <Link extends Coded>(size: number) => {
  /** Least recently used session first; links oldest first. */
  const sessions = new Map<string, readonly Link[]>()
  const owners = new Map<string, string>()
  const none: readonly Link[] = Object.freeze([])

  const use = (session: string, links: readonly Link[]) => {
    sessions.delete(session)
    sessions.set(session, links)
  }

  const forget = (links: readonly Link[]) => {
    for (const { code } of links) owners.delete(code)
  }

  return {
    add: (session: string, link: Link) => {
      const all = [...(sessions.get(session) ?? none), link]
      forget(all.slice(0, -mostOfOneSession))
      use(session, Object.freeze(all.slice(-mostOfOneSession)))
      owners.set(link.code, session)
      for (const [quietest, links] of sessions) {
        if (owners.size <= size || quietest === session) break
        sessions.delete(quietest)
        forget(links)
      }
    },
    /** The links of a session, oldest first: the same array until a link is added. Counts as use. */
    of: (session: string): readonly Link[] => {
      const links = sessions.get(session)
      if (links !== undefined) use(session, links)
      return links ?? none
    },
    ownerOf: (code: string): string | undefined => owners.get(code),
  }
}
