import type { Database } from './engine.ts'
import { failureOf } from './retry.ts'

const pauseMs = 250
const remindMs = 10_000

/** Waiting does not fix a wrong password or database name. */
const isMisconfigured = (error: unknown) =>
  error instanceof Error && 'code' in error && /^(28|3D)/.test(String(error.code))

/** Where the database is, without the password. */
export const placeOf = (databaseUrl: string): string => {
  if (!URL.canParse(databaseUrl) || databaseUrl.startsWith('sqlite:')) return databaseUrl
  const { host, pathname } = new URL(databaseUrl)
  return `${host}${pathname}`
}

interface Options {
  database: Pick<Database, 'ping'>
  waitMs: number
  /** Called at once, and then every ten seconds. */
  onWait: (reason: string) => void
}

/** Waits until the database answers. Throws its last error after `waitMs`, and at once if waiting is useless. */
export const waitForDatabase = async ({ database, waitMs, onWait }: Options) => {
  const started = performance.now()
  let remindAt = 0
  for (;;) {
    try {
      await database.ping()
      return
    } catch (error) {
      const waited = performance.now() - started
      if (failureOf(error) !== 'connection' || isMisconfigured(error) || waited >= waitMs) throw error
      if (waited >= remindAt) {
        onWait(error instanceof Error ? error.message : String(error))
        remindAt = waited + remindMs
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}
