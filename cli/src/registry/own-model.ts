import { ApiError, type Countersign } from '@countersign/sdk'
import { type Deployment, isId, type Model } from '@countersign/sdk/contract'
import { providerIdOf } from '../args/provider-id.ts'
import type { Context } from '../context.ts'
import { Failure, usage } from '../failure.ts'

const identifier = /^(?!mdl_)[A-Za-z0-9_-]{2,128}$/

/** Whether a text is an ID rather than an identifier, by its prefix. Anything else is a usage error. */
export const isModelId = (named: string): named is Model['id'] => {
  if (isId('mdl', named)) return true
  if (identifier.test(named)) return false
  throw usage(
    `${JSON.stringify(named)} is neither a model ID (mdl_ and 26 characters) nor an identifier (2 to 128 letters, digits, - and _)`,
    isId('mdl', named.toLowerCase()) ? `IDs are in lower case: ${named.toLowerCase()}` : 'See: countersign models list',
  )
}

export const checkDeploymentId = (named: string): Deployment['deployment_id'] => {
  if (isId('dep', named)) return named as Deployment['deployment_id']
  throw usage(
    `${JSON.stringify(named)} is not a deployment ID; deployment IDs are dep_ and 26 characters`,
    'See: countersign deployments list',
  )
}

/** Anyone may read a model by ID; an identifier is one of the caller's own. */
export const connectToRead = async (context: Context, named: string): Promise<Countersign> => {
  if (isModelId(named)) return context.connect({ key: 'optional' })
  try {
    return await context.connect()
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'unauthorized') throw error
    const hint = `${error.hint ?? ''}. To name another provider’s model, use its ID, mdl_…, which needs no key`.replace(
      /^\. /,
      '',
    )
    throw new Failure(error.code, error.exit, error.message, hint, { cause: error })
  }
}

/** A dry run sends nothing, so it can't resolve an identifier. */
export const checkModelId = (named: string): Model['id'] => {
  if (isModelId(named)) return named
  throw usage(
    '--dry-run doesn’t contact the registry, so it requires a model ID, mdl_ and 26 characters',
    'See: countersign models list',
  )
}

/** The ID of your own model: an ID as it is, an identifier as its latest version. */
export const resolveModel = async (context: Context, client: Countersign, named: string): Promise<Model['id']> =>
  isModelId(named) ? named : (await getLatest(context, client, named)).id

/** Your own model by ID or identifier, before something is done with it. */
export const getOwnModel = async (context: Context, client: Countersign, named: string): Promise<Model> => {
  if (!isModelId(named)) return getLatest(context, client, named)
  const found = await findOwn(context, client, ({ id }) => id === named)
  if (found === undefined) throw noModel(named)
  return found
}

const getLatest = async (context: Context, client: Countersign, named: string): Promise<Model> => {
  const found = await findLatest(context, client, named)
  if (found === undefined) throw noModel(named)
  return found
}

export const findLatest = (context: Context, client: Countersign, named: string) =>
  findOwn(context, client, ({ api_model_identifier, is_latest }) => api_model_identifier === named && is_latest)

const findOwn = async (
  context: Context,
  client: Countersign,
  isWanted: (model: Model) => boolean,
): Promise<Model | undefined> => {
  const provider = await providerIdOf(context, client)
  for await (const model of client.providers.models(provider, { limit: 100, include_archived: 'true' }))
    if (isWanted(model)) return model
  return undefined
}

/** Adds the model's name to an error that doesn't say which of several models it means. */
export const namingModel =
  (named: string) =>
  (error: unknown): never => {
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error
    throw new Failure(
      error.code,
      5,
      `There is no model ${named}`,
      'Check that the ID is complete, and that the model is public or your own',
      { cause: error },
    )
  }

export const noModel = (named: string) =>
  new Failure('not_found', 5, `You have no model ${named}`, 'See: countersign models list --archived')
