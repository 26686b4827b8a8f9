import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Answer } from './answers.ts'

/** A draft answer. */
export interface Begun {
  status: Answer
  text: string
}

interface Kept {
  /** Reports done for this round: skipped, or under investigation. */
  passed: string[]
  begun: Record<string, Begun>
}

/** What a round of triage remembers when it is interrupted. */
export interface Memory {
  holdsAny(): boolean
  isPassed(id: string): boolean
  pass(id: string): void
  /** Puts these reports back in the queue; all of them by default. */
  again(ids?: readonly string[]): void
  begun(id: string): Begun | undefined
  keep(id: string, begun: Begun): void
  drop(id: string): void
  /** Ends the round. Drafts of reports that are still open are kept. */
  forget(open: readonly string[]): void
}

/** One file per profile, readable only by its owner, with a separate part for each account of each registry. */
export const createMemory = (path: string, account: string, isKept: boolean): Memory => {
  const own: Kept = (isKept ? readKept(path)[account] : undefined) ?? { passed: [], begun: {} }
  const holdsAny = () => own.passed.length > 0 || Object.keys(own.begun).length > 0
  const save = () => {
    if (!isKept) return
    const { [account]: _, ...others } = readKept(path)
    write(path, holdsAny() ? { ...others, [account]: own } : others)
  }
  return {
    holdsAny: () => isKept && holdsAny(),
    isPassed: (id) => own.passed.includes(id),
    pass(id) {
      own.passed = [...new Set([...own.passed, id])]
      save()
    },
    again(ids) {
      own.passed = ids === undefined ? [] : own.passed.filter((id) => !ids.includes(id))
      save()
    },
    begun: (id) => own.begun[id],
    keep(id, begun) {
      own.begun[id] = begun
      save()
    },
    drop(id) {
      delete own.begun[id]
      save()
    },
    forget(open) {
      own.passed = []
      own.begun = Object.fromEntries(Object.entries(own.begun).filter(([id]) => open.includes(id)))
      save()
    },
  }
}

const readKept = (path: string): Record<string, Kept> => {
  if (!existsSync(path)) return {}
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return Object.fromEntries(
      Object.entries(value ?? {}).filter((entry): entry is [string, Kept] => isKeptPart(entry[1])),
    )
  } catch {
    // Only we write this file; if it can't be read, its content is lost anyway.
    return {}
  }
}

const isKeptPart = (value: unknown): value is Kept =>
  typeof value === 'object' &&
  value !== null &&
  'passed' in value &&
  Array.isArray(value.passed) &&
  'begun' in value &&
  typeof value.begun === 'object' &&
  value.begun !== null

/** Atomic: an interrupted write keeps the previous content. */
const write = (path: string, all: Record<string, Kept>) => {
  if (Object.keys(all).length === 0) return rmSync(path, { force: true })
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const next = `${path}.new`
  writeFileSync(next, JSON.stringify(all), { mode: 0o600 })
  chmodSync(next, 0o600)
  renameSync(next, path)
}
