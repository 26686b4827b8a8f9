import { useSyncExternalStore } from 'react'
import { readStored, store } from '../../../data/storage.ts'
import { type SampleLanguage, sampleLanguages } from './samples.ts'

const storageKey = 'docs_language'
const listeners = new Set<() => void>()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

// If storage is blocked, the choice applies only to this page.
let chosen: SampleLanguage | undefined

const read = (): SampleLanguage => {
  chosen ??= sampleLanguages.find((language) => language === readStored(storageKey)) ?? 'curl'
  return chosen
}

const choose = (language: SampleLanguage) => {
  chosen = language
  store(storageKey, language)
  for (const listener of listeners) listener()
}

/** The language of all samples, stored for the next visit. */
export const useSampleLanguage = () => [useSyncExternalStore(subscribe, read), choose] as const
