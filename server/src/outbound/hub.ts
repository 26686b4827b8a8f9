import { isHubId, Refusal } from '@countersign/sdk/contract'
import { type Egress, EgressError } from './egress.ts'

/** What a model on the hub declares of itself, at one commit. */
interface HubModel {
  id: string
  /** The commit that all of it was read at. */
  sha: string
  pipelineTag: string | null
  /** Of the card's front matter: codes such as `en`. */
  languages: readonly string[]
  tags: readonly string[]
  hasCard: boolean
  url: string
  cardUrl: string
}

export interface Hub {
  /** Throws `upstream_refused` where there is nothing for everyone to read, `upstream_unavailable` where nobody answers. */
  read: (id: string) => Promise<HubModel>
  isId: (text: string) => boolean
  /** The id that an address of the hub is about. */
  idOf: (url: string) => string | undefined
}

interface Needs {
  egress: Egress
  endpoint: string
  /** Raises the hub's rate limit. What only its owner may see is read by nobody. */
  token: string | null
}

/** Repositories with many files have long answers. */
const maxBytes = 5_000_000
const maxMoves = 2

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)
const textsOf = (value: unknown) => (Array.isArray(value) ? value : [value]).filter((item): item is string => textOf(item) !== null)
const recordOf = (value: unknown) => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {})

const parseJson = (body: Buffer): Record<string, unknown> => {
  try {
    return recordOf(JSON.parse(body.toString('utf8')))
  } catch {
    return {}
  }
}

const missing = (id: string) =>
  new Refusal('upstream_refused', `The hub shows everyone no model ${id}. It may be private there, or the name be another.`)
const gated = (id: string) =>
  new Refusal('upstream_refused', `${id} is gated on the hub: what is not shown to everyone is not read. Open it there, then ask again.`)
const strange = (id: string) => new Refusal('upstream_refused', `What the hub tells of ${id} is not understood.`)
const silent = (cause?: unknown) => new Refusal('upstream_unavailable', 'The model hub does not answer right now.', {}, { cause })

export const createHub = ({ egress, endpoint, token }: Needs): Hub => {
  const headers = { accept: 'application/json', ...(token !== null && { authorization: `Bearer ${token}` }) }

  const ask = (id: string) =>
    // The token follows no redirect, wherever it leads.
    egress.fetch(`${endpoint}/api/models/${id}`, { headers, maxBytes, maxRedirects: 0, allowHttp: true }).catch((error) => {
      throw error instanceof EgressError && error.kind === 'too_large' ? strange(id) : silent(error)
    })

  /** A model that was renamed answers with the address of the new one. */
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
    // To whoever may not see it, the hub says 401 of a model that is private, and of one that is not there.
    if ([401, 403, 404].includes(status)) throw missing(id)
    return understand(id, parseJson(body))
  }

  const understand = (asked: string, told: Record<string, unknown>): HubModel => {
    const id = textOf(told.id) ?? textOf(told.modelId) ?? asked
    const sha = textOf(told.sha)
    if (told.private === true) throw missing(asked)
    if (told.gated !== undefined && told.gated !== false) throw gated(asked)
    if (sha === null || !/^[0-9a-f]{40,64}$/.test(sha) || !isHubId(id)) throw strange(asked)
    const files = Array.isArray(told.siblings) ? told.siblings : []
    return {
      id,
      sha,
      pipelineTag: textOf(told.pipeline_tag),
      languages: textsOf(recordOf(told.cardData).language),
      tags: textsOf(told.tags),
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
