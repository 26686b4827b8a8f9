import { ApiError, type Countersign } from '@countersign/sdk'
import { type Deployment, isId, type Model } from '@countersign/sdk/contract'
import { providerIdOf } from '../args/provider-id.ts'
import type { Context } from '../context.ts'
import { Failure, usage } from '../failure.ts'

const identifier = /^(?!mdl_)[A-Za-z0-9_-]{2,128}$/

/** Whether a text is an id; an identifier is told from it by its beginning. Anything else can be neither. */
export const isModelId = (named: string): named is Model['id'] => {
  if (isId('mdl', named)) return true
  if (identifier.test(named)) return false
  throw usage(
    `${JSON.stringify(named)} is no model: an id begins with mdl_, then 26 characters; an identifier has 2 to 128 letters, digits, - and _`,
    'See: countersign models list',
  )
}

export const checkDeploymentId = (named: string): Deployment['deployment_id'] => {
  if (isId('dep', named)) return named as Deployment['deployment_id']
  throw usage(`${JSON.stringify(named)} is no deployment: a deployment’s id begins with dep_`, 'See: countersign deployments list')
}

/** What an id names everyone may read; an identifier is one of the caller’s own. */
export const connectToRead = async (context: Context, named: string): Promise<Countersign> => {
  if (isModelId(named)) return context.connect({ key: 'optional' })
  try {
    return await context.connect()
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'unauthorized') throw error
    const hint = `${error.hint ?? ''}. A model of somebody else is named by its id, mdl_…, which needs no key`.replace(/^\. /, '')
    throw new Failure(error.code, error.exit, error.message, hint, { cause: error })
  }
}

/** For requests that are only shown: nobody is asked what an identifier stands for. */
export const checkModelId = (named: string): Model['id'] => {
  if (isModelId(named)) return named
  throw usage('--dry-run asks nobody, so it needs the id of the model, which begins with mdl_', 'See: countersign models list')
}

/** The id of one’s own model: an id as it is, an identifier as its latest version. */
export const resolveModel = async (context: Context, client: Countersign, named: string): Promise<Model['id']> =>
  isModelId(named) ? named : (await getLatest(context, client, named)).id

/** One’s own model by id or identifier, before something is done with it. */
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

const findOwn = async (context: Context, client: Countersign, isWanted: (model: Model) => boolean): Promise<Model | undefined> => {
  const provider = await providerIdOf(context, client)
  for await (const model of client.providers.models(provider, { limit: 100, include_archived: 'true' })) if (isWanted(model)) return model
  return undefined
}

/** For what the registry answers without the name: of several models, which. */
export const namingModel =
  (named: string) =>
  (error: unknown): never => {
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error
    throw new Failure(error.code, 5, `There is no model ${named}`, 'Is the id whole, and the model public or your own?', { cause: error })
  }

export const noModel = (named: string) =>
  new Failure('not_found', 5, `You have no model ${named}`, 'See: countersign models list --archived')
