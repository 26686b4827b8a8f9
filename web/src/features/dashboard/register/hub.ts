import { describeHub, fieldsOfHub, isHubId, type NewModel, namesOfHub, readHubAnswer } from '@countersign/sdk/contract'
import type { z } from 'zod'
import { hubEndpoint } from '../../../data/registry.ts'

export type HubRefusal = 'name' | 'missing' | 'gated' | 'strange' | 'silent'
export type HubFields = Partial<z.input<typeof NewModel>>
export type HubAnswer = { fields: HubFields; isPrivate: boolean } | { refused: HubRefusal }

const patienceMs = 15_000

/** Sends no credentials or referrer. */
const ask = (path: string) =>
  fetch(`${hubEndpoint}${path}`, {
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    signal: AbortSignal.timeout(patienceMs),
  })

/** Also accepts a hub URL that contains `acme/atlas`. */
const hubIdOf = (typed: string): string => {
  const text = typed.trim()
  const path =
    hubEndpoint !== undefined && text.startsWith(`${hubEndpoint}/`) ? text.slice(hubEndpoint.length + 1) : text
  return path.split(/[?#]/)[0]?.split('/').slice(0, 2).join('/') ?? ''
}

const refusalOf = (response: Response): HubRefusal => {
  if (response.headers.get('X-Error-Code') === 'GatedRepo') return 'gated'
  return [401, 403, 404].includes(response.status) ? 'missing' : 'silent'
}

/** The model card's text; optional. */
const readReadme = async (id: string, sha: string): Promise<string | undefined> => {
  try {
    const response = await ask(`/${id}/resolve/${sha}/README.md`)
    return response.ok ? await response.text() : undefined
  } catch {
    return undefined
  }
}

const hasReadme = (body: unknown) =>
  typeof body === 'object' &&
  body !== null &&
  'siblings' in body &&
  Array.isArray(body.siblings) &&
  body.siblings.some(
    (file: unknown) =>
      typeof file === 'object' && file !== null && 'rfilename' in file && file.rfilename === 'README.md',
  )

/** A model's data on the hub, as fields of a registration. */
export const readHubModel = async (typed: string): Promise<HubAnswer> => {
  const hubId = hubIdOf(typed)
  if (hubEndpoint === undefined || !isHubId(hubId)) return { refused: 'name' }
  try {
    const response = await ask(`/api/models/${hubId}`)
    if (!response.ok) return { refused: refusalOf(response) }
    const body: unknown = await response.json()
    const model = readHubAnswer(body, hubId)
    if (!model || !isHubId(model.id)) return { refused: 'strange' }
    const readme = hasReadme(body) ? await readReadme(model.id, model.sha) : undefined
    const fields = {
      ...namesOfHub(model),
      description: describeHub(model, readme),
      ...fieldsOfHub(model, hubEndpoint, hasReadme(body)),
    }
    return { fields, isPrivate: model.isPrivate }
  } catch {
    return { refused: 'silent' }
  }
}
