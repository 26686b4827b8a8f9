import type { Model } from '@countersign/sdk/contract'
import { mergeTheirs, racedFields } from '../../../forms/raced.ts'
import { draftOf, type ModelDraft } from './model-draft.ts'

/** What someone else saved while the form was open. Loaded when that happens. */
export const compareWithTheirs = (before: ModelDraft, theirs: Model, yours: ModelDraft) => ({
  fields: racedFields(before, draftOf(theirs), yours),
  merged: () => mergeTheirs(before, draftOf(theirs), yours),
})
