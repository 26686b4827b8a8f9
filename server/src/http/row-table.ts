interface Branch<Answer> {
  fixed: Map<string, Branch<Answer>>
  parameter: Branch<Answer> | undefined
  /** By method, each with the names that its row gives the parameters. */
  rows: Map<string, { answer: Answer; names: readonly string[] }>
}

export interface FoundRow<Answer> {
  answer: Answer
  params: Record<string, string>
}

const createBranch = <Answer>(): Branch<Answer> => ({ fixed: new Map(), parameter: undefined, rows: new Map() })

/** Letters that mean themselves, so that nothing needs to be decoded (RFC 3986 §2.3). */
const plainPath = /^(?:\/[\w.~-]+)+$/

/**
 * Finds a row in as many steps as its path has parts; Express tries one pattern after another. Only plain spellings are
 * found: escapes, other cases, a slash at the end and HEAD are left to Express, which knows the same rows.
 */
export const createRowTable = <Answer>() => {
  const root = createBranch<Answer>()

  return {
    add: (method: string, path: string, answer: Answer) => {
      const parts = path.slice(1).split('/')
      let branch = root
      for (const part of parts) {
        const isParameter = part.startsWith(':')
        const next = (isParameter ? branch.parameter : branch.fixed.get(part)) ?? createBranch<Answer>()
        if (isParameter) branch.parameter = next
        else branch.fixed.set(part, next)
        branch = next
      }
      branch.rows.set(method, { answer, names: parts.filter((part) => part.startsWith(':')).map((part) => part.slice(1)) })
    },

    find: (method: string, url: string): FoundRow<Answer> | undefined => {
      const end = url.indexOf('?')
      const path = end === -1 ? url : url.slice(0, end)
      if (!plainPath.test(path)) return undefined
      let branch = root
      const values: string[] = []
      for (let from = 1; from <= path.length; ) {
        const slash = path.indexOf('/', from)
        const to = slash === -1 ? path.length : slash
        const part = path.slice(from, to)
        const fixed = branch.fixed.get(part)
        const next = fixed ?? branch.parameter
        if (!next) return undefined
        if (!fixed) values.push(part)
        branch = next
        from = to + 1
      }
      const row = branch.rows.get(method)
      return row && { answer: row.answer, params: Object.fromEntries(row.names.map((name, index) => [name, values[index] ?? ''])) }
    },
  }
}

export type RowTable<Answer> = ReturnType<typeof createRowTable<Answer>>
