import findMyWay, { type HTTPMethod } from 'find-my-way'

export interface Found<Answer> {
  answer: Answer
  params: Record<string, string | undefined>
}

interface Stored<Answer> {
  answer: Answer
  path: string
}

/** Longer than any token that a path carries. */
const maxParamLength = 16_384

const pathOf = (url: string): string => {
  const end = url.search(/[?#]/)
  return end === -1 ? url : url.slice(0, end)
}

/** Finds the endpoint for a path. Case and a trailing slash make no difference; HEAD finds GET. */
export const createRouter = <Answer>() => {
  const router = findMyWay({ caseSensitive: false, ignoreTrailingSlash: true, maxParamLength })
  const methods = new Set<HTTPMethod>()
  const unused = () => {}

  const find = (method: string, url: string) => {
    const found = router.find((method === 'HEAD' ? 'GET' : method) as HTTPMethod, pathOf(url))
    return found ? { ...(found.store as Stored<Answer>), params: found.params } : undefined
  }

  return {
    add: (method: HTTPMethod, path: string, answer: Answer) => {
      methods.add(method)
      router.on(method, path, unused, { answer, path })
    },
    find: (method: string, url: string): Found<Answer> | undefined => {
      const found = find(method, url)
      return found && { answer: found.answer, params: found.params }
    },
    /** The methods of the most specific path that matches; none if no path does. */
    methodsAt: (url: string): HTTPMethod[] => {
      const found = [...methods].flatMap((method) => {
        const path = find(method, url)?.path
        return path === undefined ? [] : [{ method, parameters: path.split('/:').length }]
      })
      const fewest = Math.min(...found.map(({ parameters }) => parameters))
      return found.filter(({ parameters }) => parameters === fewest).map(({ method }) => method)
    },
  }
}
