import { gitPaths, ignoring } from '@countersign/sdk/node'
import type { Context } from '../context.ts'
import { signatureFile } from '../files/hash-path.ts'
import { fetchFor } from '../registry/connect.ts'
import { readHubAddress, readHubEndpoint } from './address.ts'
import { readHubModel } from './card.ts'
import { createHubClient } from './client.ts'
import { readHubFiles } from './files.ts'

export { describeHub, fieldsOfHub, namesOfHub } from './card.ts'

/** A model on the hub at one commit; its files are fetched on request. */
export const openHubModel = async (context: Context, address: string, ignorePaths: readonly string[]) => {
  const { env, signal } = context
  const endpoint = readHubEndpoint(env)
  const reference = readHubAddress(address, endpoint)
  const token = env.HF_TOKEN?.trim() || undefined
  const fetch =
    context.fetch ?? (await fetchFor({ url: endpoint, env, caFile: undefined, cwd: '' })) ?? globalThis.fetch
  const hub = createHubClient({ endpoint, token, fetch, timeoutMs: 30_000, signal })
  const model = await readHubModel(hub, reference)
  const isIgnored = ignoring([...gitPaths, signatureFile, ...ignorePaths.map((path) => path.replace(/^\.\/|\/$/g, ''))])
  return { endpoint, model, readFiles: () => readHubFiles(hub, model, isIgnored) }
}
