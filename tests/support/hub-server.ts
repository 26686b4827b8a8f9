import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type HubFile, startFileStore, treeOf } from './hub-files.ts'

/** A repository as the hub returns it (`GET /api/models/:id`), shortened to what varies. */
export interface HubRepository {
  sha: string
  pipeline_tag?: string
  cardData?: Record<string, unknown>
  tags?: string[]
  gated?: false | 'auto' | 'manual'
  private?: boolean
  files?: string[]
  /** File contents; `files` then has their names. */
  contents?: Record<string, HubFile>
  /** Names of revisions other than `main`, such as tags. */
  revisions?: string[]
  /** The page size of its list of files. Default 1,000, like the hub's. */
  pageSize?: number
}

interface Answer {
  status: number
  headers?: Record<string, string>
  body?: unknown
}

export const commit = (digit: string) => digit.repeat(40)

const describe = (
  id: string,
  {
    contents,
    revisions: _,
    pageSize: __,
    files = contents ? Object.keys(contents) : ['.gitattributes', 'README.md', 'config.json'],
    ...repository
  }: HubRepository,
) => ({
  _id: '621ffdc036468d709f17434d',
  id,
  modelId: id,
  author: id.split('/')[0],
  private: false,
  disabled: false,
  gated: false,
  downloads: 1_024,
  likes: 7,
  library_name: 'transformers',
  lastModified: '2026-02-19T10:57:45.000Z',
  createdAt: '2026-01-02T23:29:04.000Z',
  tags: ['transformers', 'safetensors', 'region:us'],
  config: { architectures: ['AtlasForCausalLM'], model_type: 'atlas' },
  'model-index': null,
  spaces: [],
  siblings: files.map((rfilename) => ({ rfilename })),
  safetensors: { parameters: { F32: 137_022_720 }, total: 137_022_720 },
  ...repository,
})

interface Route {
  id: string
  what: 'card' | 'tree' | 'resolve' | 'resolved'
  revision: string | undefined
  path: string
}

const routeOf = (pathname: string): Route => {
  const path = decodeURIComponent(pathname)
  const api = /^\/api\/models\/(.+?)(?:\/(tree|revision)\/(.+))?$/.exec(path)
  if (api) return { id: api[1] ?? '', what: api[2] === 'tree' ? 'tree' : 'card', revision: api[3], path: '' }
  const [, id = path, revision, name = ''] =
    /^\/api\/resolve-cache\/models\/([^/]+\/[^/]+)\/([^/]+)\/(.+)$/.exec(path) ?? []
  if (name !== '') return { id, what: 'resolved', revision, path: name }
  const file = /^\/([^/]+\/[^/]+)\/resolve\/([^/]+)\/(.+)$/.exec(path)
  return { id: file?.[1] ?? path, what: 'resolve', revision: file?.[2], path: file?.[3] ?? '' }
}

const refused = (status: number, code: string, error: string): Answer => ({
  status,
  headers: { 'X-Error-Code': code, 'X-Error-Message': error },
  body: { error },
})

/**
 * A model hub on loopback. Like the real one it answers 401 for private and missing models, 403 with `GatedRepo` for models that require
 * an agreement, and redirects from a model's previous name.
 */
export const startHubServer = async () => {
  const repositories = new Map<string, HubRepository>()
  const moved = new Map<string, string>()
  const members = new Set<string>()
  const seen: { url: string; authorization: string | undefined }[] = []
  let failure: number | 'hang up' | undefined
  const store = await startFileStore()

  const answerTo = ({ url = '', headers }: IncomingMessage): Answer => {
    if (typeof failure === 'number') return { status: failure, body: 'canary-banner' }
    const { pathname, searchParams } = new URL(url, 'http://hub.invalid')
    const route = routeOf(pathname)
    const target = moved.get(route.id)
    if (target !== undefined) return { status: 307, headers: { Location: target } }
    const repository = repositories.get(route.id)
    const isMember = members.has(headers.authorization ?? '')
    if (!repository || (repository.private && !isMember))
      return refused(
        401,
        'RepoNotFound',
        headers.authorization === undefined ? 'Invalid username or password.' : 'Repository not found',
      )
    const isKnown = [undefined, 'main', repository.sha, ...(repository.revisions ?? [])].includes(route.revision)
    if (!isKnown) return refused(404, 'RevisionNotFound', `Invalid rev id: ${route.revision}`)
    if (route.what === 'card') return { status: 200, body: describe(route.id, repository) }
    if (route.what === 'tree') return pageOf(route, repository, searchParams)
    if (repository.gated && !isMember)
      return refused(
        headers.authorization === undefined ? 401 : 403,
        'GatedRepo',
        `Access to model ${route.id} is restricted.`,
      )
    const file = repository.contents?.[route.path]
    if (!file) return refused(404, 'EntryNotFound', 'Entry not found')
    if (route.what === 'resolved') return { status: 200, body: file.content }
    const { storage = 'git', content } = file
    const here = `/api/resolve-cache/models/${route.id}/${repository.sha}/${encodeURIComponent(route.path)}`
    return storage === 'git'
      ? { status: 307, headers: { Location: here } }
      : { status: 302, headers: { Location: store.addressOf(content) } }
  }

  /** One page of the list, with the next address in `Link`. */
  const pageOf = (
    { id, revision }: Route,
    { contents = {}, pageSize = 1_000 }: HubRepository,
    query: URLSearchParams,
  ): Answer => {
    const start = Number(Buffer.from(query.get('cursor') ?? '', 'base64').toString() || 0)
    const entries = treeOf(contents)
    const cursor = Buffer.from(String(start + pageSize)).toString('base64')
    const next = `${endpoint}/api/models/${id}/tree/${revision}?${new URLSearchParams({ recursive: 'true', cursor })}`
    const hasMore = entries.length > start + pageSize
    return {
      status: 200,
      headers: hasMore ? { Link: `<${next}>; rel="next"` } : {},
      body: entries.slice(start, start + pageSize),
    }
  }

  const server = createServer((request, response) => {
    seen.push({ url: request.url ?? '', authorization: request.headers.authorization })
    if (failure === 'hang up') return request.socket.destroy()
    const { status, headers = {}, body } = answerTo(request)
    const text = typeof body === 'string' ? body : JSON.stringify(body ?? {})
    // CORS as on the real one, for pages of any origin.
    const shared = { 'Access-Control-Allow-Origin': '*', 'Content-Type': 'application/json; charset=utf-8' }
    response.writeHead(status, { ...shared, ...headers }).end(text)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.')
  const endpoint = `http://127.0.0.1:${address.port}`
  return {
    endpoint,
    /** The other host, which must never see a token. */
    store,
    hostAndPort: `127.0.0.1:${address.port}`,
    seen,
    publish: (id: string, repository: HubRepository) => void repositories.set(id, repository),
    move: (from: string, location: string) => void moved.set(from, location),
    /** The bearer of this token sees private models. */
    admit: (token: string) => void members.add(`Bearer ${token}`),
    fail: (how: number | 'hang up' | undefined) => {
      failure = how
    },
    close: async () => {
      server.closeAllConnections()
      await store.close()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
