import { draftName, readSession } from '../data/session.ts'
import { readOfTab, storeForTab } from '../data/storage.ts'

/** Of whoever is signed in alone: what one account half wrote, the next does not find. */
const nameOf = (form: string) => draftName(readSession().providerId, form)

/** What was typed into a form and not sent yet, in this tab; it outlives a reload and a session, and ends with signing out. */
export const readDraft = <Values extends object>(form: string): Partial<Values> | undefined => {
  try {
    const kept: unknown = JSON.parse(readOfTab(nameOf(form)) ?? 'null')
    return typeof kept === 'object' && kept !== null ? (kept as Partial<Values>) : undefined
  } catch {
    return undefined
  }
}

export const keepDraft = (form: string, values: object) => storeForTab(nameOf(form), JSON.stringify(values))

export const forgetDraft = (form: string) => storeForTab(nameOf(form), null)
