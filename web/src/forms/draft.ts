import { draftName, readSession } from '../data/session.ts'
import { readOfTab, storeForTab } from '../data/storage.ts'

/** Keyed by user: one account never sees another's drafts. */
const nameOf = (form: string) => draftName(readSession().providerId, form)

/** Unsent form input of this tab. It survives a reload and an expired session, and is deleted on sign-out. */
export const readDraft = <Values extends object>(form: string): Partial<Values> | undefined => {
  try {
    const draft: unknown = JSON.parse(readOfTab(nameOf(form)) ?? 'null')
    return typeof draft === 'object' && draft !== null ? (draft as Partial<Values>) : undefined
  } catch {
    return undefined
  }
}

export const keepDraft = (form: string, values: object) => storeForTab(nameOf(form), JSON.stringify(values))

export const forgetDraft = (form: string) => storeForTab(nameOf(form), null)
