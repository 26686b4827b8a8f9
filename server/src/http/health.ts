import { statfs } from 'node:fs/promises'
import type { Express } from 'express'
import type { Database } from '../db/engine.ts'
import { sendJson } from './send.ts'

interface Deps {
  database: Database
  hasKeys: () => Promise<boolean>
  isDraining: () => boolean
}

const minFreeBytes = 32 * 1024 * 1024

const holds = async (check: () => Promise<boolean>): Promise<boolean> => {
  try {
    return await check()
  } catch {
    return false
  }
}

/** `/livez`: the process answers. `/readyz`: it can do its work, and is not shutting down. */
export const mountHealth = (app: Express, { database, hasKeys, isDraining }: Deps) => {
  /** The folder on this machine that the database writes to; another server's disk is that server's concern. */
  const { folder } = database
  const hasDisk = async (of: string) => {
    const { bavail, bsize } = await statfs(of)
    return bavail * bsize > minFreeBytes
  }

  app.get('/livez', (_request, response) => {
    response.locals.route = 'GET /livez'
    sendJson(response, 200, { status: 'ok' })
  })

  app.get('/readyz', async (_request, response) => {
    response.locals.route = 'GET /readyz'
    const [databaseOk, keys, disk] = await Promise.all([
      holds(() => database.ping().then(() => true)),
      holds(hasKeys),
      folder === null || holds(() => hasDisk(folder)),
    ])
    const checks = { database: databaseOk, keys, ...(folder !== null && { disk }), draining: isDraining() }
    const isReady = databaseOk && keys && disk && !checks.draining
    sendJson(response, isReady ? 200 : 503, { status: isReady ? 'ready' : 'not_ready', checks })
  })
}
