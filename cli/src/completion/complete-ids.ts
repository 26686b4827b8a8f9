import type { Countersign } from '@countersign/sdk'
import { quote, quoteExactly } from '@countersign/sdk/words'
import type { ValueKind } from '../args/command.ts'
import { providerIdOf } from '../args/provider-id.ts'
import type { Context } from '../context.ts'
import { modelLabel } from '../render/quotation.ts'
import type { Candidate } from './complete.ts'

/** How long someone who pressed Tab waits. */
const patienceMs = 1_500
const most = 100

interface Query {
  context: Context
  client: Countersign
  options: { signal: AbortSignal; maxRetries: 0 }
}

const modelsOf = async ({ context, client, options }: Query) =>
  (
    await client.providers.models(
      await providerIdOf(context, client),
      { limit: most, include_archived: 'true' },
      options,
    )
  ).models

const modelIds = async (query: Query): Promise<Candidate[]> =>
  (await modelsOf(query)).map((model) => ({ value: model.id, about: modelLabel(model) }))

/** How to list the values of each kind, with a few words about each. */
const lists = {
  model: async (query: Query) => {
    const models = await modelsOf(query)
    return [
      ...models
        .filter(({ is_latest }) => is_latest)
        .map(({ api_model_identifier, display_name, version }) => ({
          value: api_model_identifier,
          about: quote(`${display_name} ${version}`),
        })),
      ...models.map((model) => ({ value: model.id, about: modelLabel(model) })),
    ]
  },
  'model-id': modelIds,
  domain: async ({ client, options }: Query) =>
    (await client.domains.list(options)).domains.map(({ domain, status }) => ({ value: domain, about: status })),
  deployment: async ({ client, options }: Query) =>
    (await client.deployments.list({ limit: most }, options)).deployments.map(
      ({ deployment_id, status, authorized_models }) => ({
        value: deployment_id,
        about: [status, ...authorized_models.map(({ name }) => quote(name))].join(', '),
      }),
    ),
  incident: async ({ client, options }: Query) =>
    (await client.incidents.list({ limit: most }, options)).incidents.map(({ id, status, title }) => ({
      value: id,
      about: `${status}: ${quote(title)}`,
    })),
  key: async ({ client, options }: Query) =>
    (await client.keys.list(options))
      .filter(({ revoked_at }) => revoked_at === null)
      .map(({ id, name }) => ({ value: id, about: quote(name) })),
  signer: async ({ client, options }: Query) =>
    (await client.signers.list({ limit: most }, options)).signers.map(({ id, signer }) => ({
      value: id,
      about:
        'identity' in signer
          ? quoteExactly(signer.identity)
          : 'repository' in signer
            ? quoteExactly(signer.repository)
            : signer.kind.replace('_', ' '),
    })),
  publisher: async ({ client, options }: Query) =>
    (await client.publishers.list(options)).publishers.map(({ id, repository }) => ({
      value: id,
      about: repository === null ? '' : quoteExactly(repository),
    })),
} as const satisfies Partial<Record<ValueKind, (query: Query) => Promise<Candidate[]>>>

export type IdKind = keyof typeof lists
export const isIdKind = (kind: string): kind is IdKind => Object.hasOwn(lists, kind)

/** IDs of the account. Empty without a key, without permission, or without an answer in time. */
export const listIds = async (context: Context, kind: IdKind): Promise<Candidate[]> => {
  const late = new Promise<[]>((resolve) => setTimeout(resolve, patienceMs, []).unref())
  const candidates = (async () => {
    const options = {
      signal: AbortSignal.any([context.signal, AbortSignal.timeout(patienceMs)]),
      maxRetries: 0 as const,
    }
    return lists[kind]({ context, client: await context.connect(), options })
  })()
  return Promise.race([late, candidates.catch(() => [])])
}
