import { isHubId, Refusal } from '@countersign/sdk/contract'
import { type Egress, EgressError } from './egress.ts'

/** What a model on the hub declares about itself, at one commit. */
interface HubModel {
  id: string
  /** The commit that all of it was read at. */
  sha: string
  pipelineTag: string | null
  /** From the card's front matter: codes such as `en`. */
  languages: readonly string[]
  tags: readonly string[]
  hasCard: boolean
  url: string
  cardUrl: string
}

export interface Hub {
  /** Throws `upstream_refused` if there is nothing public to read, `upstream_unavailable` if the hub does not answer. */
  read: (id: string) => Promise<HubModel>
  isId: (text: string) => boolean
  /** The model ID in an address of the hub. */
  idOf: (url: string) => string | undefined
}

interface Deps {
  egress: Egress
  endpoint: string
  /** Raises the hub's rate limit. Private models are never read with it. */
  token: string | null
}

/** Repositories with many files have long responses. */
const maxBytes = 5_000_000
const maxMoves = 2

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)
const textsOf = (value: unknown) =>
  (Array.isArray(value) ? value : [value]).filter((item): item is string => textOf(item) !== null)
const recordOf = (value: unknown) =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

const parseJson = (body: Buffer): Record<string, unknown> => {
  try {
    return recordOf(JSON.parse(body.toString('utf8')))
  } catch {
    return {}
  }
}

const missing = (id: string) =>
  new Refusal('upstream_refused', `The hub has no public model ${id}. It may be private, or have another name.`)
const gated = (id: string) =>
  new Refusal(
    'upstream_refused',
    `${id} is gated on the hub, and only public models are read. Remove the gate there, then try again.`,
  )
const strange = (id: string) =>
  new Refusal('upstream_refused', `The hub's response about ${id} could not be understood.`)
const silent = (cause?: unknown) =>
  new Refusal('upstream_unavailable', 'The model hub is not responding right now.', {}, { cause })

export const createHub = ({ egress, endpoint, token }: Deps): Hub => {
  const headers = { accept: 'application/json', ...(token !== null && { authorization: `Bearer ${token}` }) }

  const ask = (id: string) =>
    // The token follows no redirect, wherever it leads.
    egress
      .fetch(`${endpoint}/api/models/${id}`, { headers, maxBytes, maxRedirects: 0, allowHttp: true })
      .catch((error) => {
        throw error instanceof EgressError && error.kind === 'too_large' ? strange(id) : silent(error)
      })

  /** A renamed model redirects to the new address. */
  const movedTo = (location: string | undefined): string | undefined => {
    const prefix = `${endpoint}/api/models/`
    const url = URL.parse(location ?? '', `${endpoint}/`)?.href
    const id = url?.startsWith(prefix) ? url.slice(prefix.length) : ''
    return isHubId(id) ? id : undefined
  }

  const read = async (id: string, moves = 0): Promise<HubModel> => {
    const { status, headers: answered, body } = await ask(id)
    if (status >= 300 && status < 400) {
      const moved = movedTo(answered.location)
      if (moved === undefined || moves >= maxMoves) throw strange(id)
      return read(moved, moves + 1)
    }
    if (status === 429 || status >= 500) throw silent()
    if (answered['x-error-code'] === 'GatedRepo') throw gated(id)
    // To callers without access, the hub answers 401 both for a private model and for one that does not exist.
    if ([401, 403, 404].includes(status)) throw missing(id)
    return understand(id, parseJson(body))
  }

  const understand = (requested: string, response: Record<string, unknown>): HubModel => {
    const id = textOf(response.id) ?? textOf(response.modelId) ?? requested
    const sha = textOf(response.sha)
    if (response.private === true) throw missing(requested)
    if (response.gated !== undefined && response.gated !== false) throw gated(requested)
    if (sha === null || !/^[0-9a-f]{40,64}$/.test(sha) || !isHubId(id)) throw strange(requested)
    const files = Array.isArray(response.siblings) ? response.siblings : []
    return {
      id,
      sha,
      pipelineTag: textOf(response.pipeline_tag),
      languages: textsOf(recordOf(response.cardData).language),
      tags: textsOf(response.tags),
      hasCard: files.some((file) => recordOf(file).rfilename === 'README.md'),
      url: `${endpoint}/${id}`,
      cardUrl: `${endpoint}/${id}/blob/${sha}/README.md`,
    }
  }

  return {
    read: (id) => read(id),
    isId: isHubId,
    idOf: (url) => {
      const [owner, model] = url.startsWith(`${endpoint}/`) ? url.slice(endpoint.length + 1).split(/[/?#]/) : []
      const id = model ? `${owner}/${model}` : (owner ?? '')
      return isHubId(id) ? id : undefined
    },
  }
}
