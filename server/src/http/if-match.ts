import { type Editable, editTagOf, Refusal } from '@countersign/sdk/contract'

/** Rejects a change of a record that is no longer the one the caller has read. Call it while the row is locked. */
export const checkUnchanged = (kind: Editable, ifMatch: string | undefined, read: () => object) => {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  const tags = ifMatch.split(',').map((tag) => tag.trim())
  if (!tags.includes(editTagOf(kind, read())))
    throw new Refusal('changed_elsewhere', 'This was changed elsewhere in the meantime. Nothing was saved.')
}
