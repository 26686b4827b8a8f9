import type { Model } from '@countersign/sdk/contract'
import { quoted } from '@countersign/sdk/words'
import { modelsTab } from '#messages/dashboard/models.ts'

/** Which version of which model, as its owner calls it. */
export const nameOf = ({ display_name, version }: Pick<Model, 'display_name' | 'version'>) =>
  modelsTab.card.named(quoted(display_name), version)
