import type { Model } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import { modelsTab } from '#messages/dashboard/models.ts'

/** A model's name and version, as its owner knows them. */
export const nameOf = ({ display_name, version }: Pick<Model, 'display_name' | 'version'>) =>
  modelsTab.card.named(quote(display_name), version)
