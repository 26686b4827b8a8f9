import { capabilities } from '@countersign/sdk/contract'
import type { ModelDraft } from '../model-form/model-draft.ts'
import type { HubFields } from './hub.ts'

const lines = [
  'display_name',
  'api_model_identifier',
  'description',
  'language',
  'model_card_url',
  'paper_url',
  'huggingface_url',
  'huggingface_model_id',
] as const

export interface Filling {
  name: (typeof lines)[number] | 'capabilities'
  value: string | string[]
}

const isSame = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right)

/** The fields that the hub may fill: empty ones, and ones unchanged since it last filled them. */
export const fillings = (draft: ModelDraft, fields: HubFields, last: readonly Filling[]): Filling[] => {
  const fillings: Filling[] = lines.flatMap((name) => {
    const value = fields[name]
    return typeof value === 'string' && value !== '' ? [{ name, value }] : []
  })
  const usual: readonly string[] = capabilities
  if (Array.isArray(fields.capabilities))
    fillings.push({ name: 'capabilities', value: fields.capabilities.filter((word) => usual.includes(word)) })
  const isFree = ({ name }: Filling) =>
    draft[name].length === 0 || last.some((filled) => filled.name === name && isSame(filled.value, draft[name]))
  return fillings.filter(isFree)
}
