import { mutate } from 'swr'

export const ownModelsKey = 'own-models'

export const isOwnModelList = (key: unknown) => Array.isArray(key) && key[0] === ownModelsKey

/** After something beside the list of models changed them. */
export const refreshOwnModels = () => mutate(isOwnModelList)
