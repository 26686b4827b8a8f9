import type { Model } from '@countersign/sdk/contract'

export type ModelState = 'withdrawn' | 'superseded' | 'active' | 'inactive'

export const stateOf = ({
  archived_at,
  superseded_at,
  is_active,
}: Pick<Model, 'archived_at' | 'superseded_at' | 'is_active'>): ModelState =>
  archived_at !== null ? 'withdrawn' : superseded_at !== null ? 'superseded' : is_active ? 'active' : 'inactive'
