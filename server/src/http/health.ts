import { statfs } from 'node:fs/promises'
import type { Express } from 'express'
import type { Database } from '../db/engine.ts'
import { sendJson } from './send.ts'

interface Deps {
  database: Database
  proveWrite: () => Promise<void>
  hasKeys: () => Promise<boolean>
  isDraining: () => boolean
}

const minFreeBytes = 32 * 1024 * 1024

/** Shares the result for a second: every probe would otherwise write. */
const cached = (check: () => Promise<boolean>) => {
  let last: { at: number; result: Promise<boolean> } | undefined
  return () => {
    if (!last || performance.now() - last.at > 1_000) last = { at: performance.now(), result: check() }
    return last.result
  }
}

const holds = async (check: () => Promise<boolean>): Promise<boolean> => {
  try {
    return await check()
  } catch {
    return false
  }
}

/**
 * `/livez`: the process answers. `/readyz`: it can check links, and is not shutting down. `/readyz?for=writes`: it can also store new
 * ones. A full disk or a read-only database must not take verification out of service.
 */
export const mountHealth = (app: Express, { database, proveWrite, hasKeys, isDraining }: Deps) => {
  const canWrite = cached(() => holds(() => proveWrite().then(() => true)))
  /** The folder on this machine that the database writes to; null if the data is on another server. */
  const { folder } = database
  const hasDisk = async (of: string) => {
    const { bavail, bsize } = await statfs(of)
    return bavail * bsize > minFreeBytes
  }

  app.get('/livez', (_request, response) => {
    response.locals.route = 'GET /livez'
    sendJson(response, 200, { status: 'ok' })
  })

  app.get('/readyz', async (request, response) => {
    response.locals.route = 'GET /readyz'
    const isForWrites = request.query.for === 'writes'
    const [databaseOk, keys, writes, disk] = await Promise.all([
      holds(() => database.ping().then(() => true)),
      holds(hasKeys),
      !isForWrites || canWrite(),
      !isForWrites || folder === null || holds(() => hasDisk(folder)),
    ])
    const checks = {
      database: databaseOk,
      keys,
      ...(isForWrites && { writes }),
      ...(isForWrites && folder !== null && { disk }),
      draining: isDraining(),
    }
    const isReady = databaseOk && keys && writes && disk && !checks.draining
    sendJson(response, isReady ? 200 : 503, { status: isReady ? 'ready' : 'not_ready', checks })
  })
}
