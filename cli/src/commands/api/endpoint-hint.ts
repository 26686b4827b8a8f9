import { ApiError } from '@countersign/sdk'
import { routes } from '@countersign/sdk/contract'
import { suggest } from '../../args/suggest.ts'
import { Failure } from '../../failure.ts'
import { exitOf } from '../../render/report.ts'
import { shellWord } from '../../render/shell-word.ts'

interface Endpoint {
  method: string
  path: string
}

const endpoints: readonly Endpoint[] = Object.values(routes).flatMap((group) => Object.values<Endpoint>(group))

const partsOf = (path: string) => path.replace(/[?#].*/, '').split('/')

/** As people write it, without a query. */
const shortOf = (path: string) =>
  partsOf(path)
    .join('/')
    .replace(/^\/api\/v1\//, '')

const isOf = (path: string, pattern: string) => {
  const [given, named] = [partsOf(path), partsOf(pattern)]
  return given.length === named.length && named.every((part, at) => part.startsWith(':') || part === given[at])
}

/** The registry's answer to a path that is not its own, or to another method, with what it has instead. */
export const withEndpointHint = (error: unknown, method: string, path: string): unknown => {
  if (!(error instanceof ApiError) || (error.status !== 404 && error.status !== 405)) return error
  const methods = endpoints.filter((endpoint) => isOf(path, endpoint.path)).map((endpoint) => endpoint.method)
  if (methods.includes(method)) return error
  const failure = (message: string, hint: string) =>
    new Failure(error.code, exitOf(error.code, error.status), message, hint, { cause: error })
  const [other] = methods
  if (other !== undefined)
    return failure(
      `The registry does not take ${method} at ${path}`,
      `Try: countersign api ${other} ${shellWord(path)}`,
    )
  const near = suggest(shortOf(path), [...new Set(endpoints.map((endpoint) => shortOf(endpoint.path)))])
  return failure(
    `The registry has no endpoint ${path}`,
    `${near.length === 0 ? '' : `Did you mean ${near.join(' or ')}? `}The page /docs of the registry lists them all`,
  )
}
