import { mutate } from 'swr'

export const ownModelsKey = 'own-models'

export const isOwnModelList = (key: unknown) => Array.isArray(key) && key[0] === ownModelsKey

/** Call after something outside the list changed the models. */
export const refreshOwnModels = () => mutate(isOwnModelList)
