import type { Model } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'

type Named = Pick<Model, 'id' | 'display_name' | 'version' | 'api_model_identifier'>

/** Models as choices: name and version, and the identifier where several models have the same name. */
export const nameModels = (models: readonly Named[]): { value: string; name: string }[] => {
  const identifiers = Map.groupBy(models, ({ display_name }) => display_name)
  const isAmbiguous = ({ display_name }: Named) =>
    new Set(identifiers.get(display_name)?.map(({ api_model_identifier }) => api_model_identifier)).size > 1
  return models.map((model) => {
    const name = quote(`${model.display_name} ${model.version}`)
    return { value: model.id, name: isAmbiguous(model) ? `${name} · ${model.api_model_identifier}` : name }
  })
}
