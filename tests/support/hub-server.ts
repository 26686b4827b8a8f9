import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'

/** A repository of the hub, in the shape in which the hub tells it (`GET /api/models/:id`), shortened to what varies. */
export interface HubRepository {
  sha: string
  pipeline_tag?: string
  cardData?: Record<string, unknown>
  tags?: string[]
  gated?: false | 'auto' | 'manual'
  private?: boolean
  files?: string[]
}

export const commit = (digit: string) => digit.repeat(40)

const describe = (id: string, { files = ['.gitattributes', 'README.md', 'config.json'], ...repository }: HubRepository) => ({
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

/**
 * A model hub on loopback. As the real one it says 401 of what is private and of what is not there, 403 with `GatedRepo` of
 * what asks for an agreement, and redirects from a name that a model had before.
 */
export const startHubServer = async () => {
  const repositories = new Map<string, HubRepository>()
  const moved = new Map<string, string>()
  const members = new Set<string>()
  const seen: { url: string; authorization: string | undefined }[] = []
  let failure: number | 'hang up' | undefined

  const answerTo = ({ url = '', headers }: IncomingMessage): { status: number; headers?: Record<string, string>; body?: unknown } => {
    if (typeof failure === 'number') return { status: failure, body: 'canary-banner' }
    const id = url.replace(/^\/api\/models\//, '')
    const target = moved.get(id)
    if (target !== undefined) return { status: 307, headers: { Location: target } }
    const repository = repositories.get(id)
    const isMember = members.has(headers.authorization ?? '')
    if (!repository || (repository.private && !isMember))
      return { status: 401, headers: { 'X-Error-Code': 'RepoNotFound' }, body: { error: 'Invalid username or password.' } }
    return { status: 200, body: describe(id, repository) }
  }

  const server = createServer((request, response) => {
    seen.push({ url: request.url ?? '', authorization: request.headers.authorization })
    if (failure === 'hang up') return request.socket.destroy()
    const { status, headers = {}, body } = answerTo(request)
    const text = typeof body === 'string' ? body : JSON.stringify(body ?? {})
    response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', ...headers }).end(text)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.')
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    hostAndPort: `127.0.0.1:${address.port}`,
    seen,
    publish: (id: string, repository: HubRepository) => void repositories.set(id, repository),
    move: (from: string, location: string) => void moved.set(from, location),
    /** Whoever bears this token sees private models. */
    admit: (token: string) => void members.add(`Bearer ${token}`),
    fail: (how: number | 'hang up' | undefined) => {
      failure = how
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
