import { type HubModel, readHubAnswer } from '@countersign/sdk/contract'
import type { HubAddress } from './address.ts'
import { type HubClient, odd } from './client.ts'

export { describeHub, fieldsOfHub, namesOfHub } from '@countersign/sdk/contract'

const infoBytes = 20_000_000

export const readHubModel = async (hub: HubClient, { id, revision }: HubAddress): Promise<HubModel> => {
  const at = revision === undefined ? '' : `/revision/${encodeURIComponent(revision)}`
  const { body } = await hub.read(`${hub.endpoint}/api/models/${id}${at}`, { id, revision, maxBytes: infoBytes })
  const model = readHubAnswer(parse(body), id)
  if (!model) throw odd(`The model hub’s description of ${id} could not be read`)
  return model
}

const parse = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
