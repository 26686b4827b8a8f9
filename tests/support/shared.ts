// What a whole test run shares, made when the first test asks for it. Vitest runs this file once, in its own process
// (`globalSetup`); the workers where the tests run ask through a port on loopback.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { findChromium } from './chromium.ts'
import { startPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    sharedUrl: string
  }
}

interface Resource {
  /** What the tests are told. */
  answer: string
  close?: () => Promise<void>
}

const makers = {
  /** URL of a PostgreSQL server whose database `template` holds the migrated schema. */
  postgres: async (): Promise<Resource> => {
    const server = await startPostgres()
    await migrateTemplate(server.urlOf('postgres'), server.urlOf('template'))
    return { answer: server.urlOf('postgres'), close: server.stop }
  },
  /** Path of the browser's program. */
  chromium: async (): Promise<Resource> => ({ answer: await findChromium() }),
} satisfies Record<string, () => Promise<Resource>>

export type SharedName = keyof typeof makers

export default async function setup({ provide }: TestProject) {
  const made = new Map<SharedName, Promise<Resource>>()
  const make = (name: SharedName) => {
    const resource = made.get(name) ?? makers[name]()
    made.set(name, resource)
    return resource
  }

  const server = createServer((request, response) => {
    make(request.url?.slice(1) as SharedName).then(
      ({ answer }) => response.end(answer),
      (error) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  provide('sharedUrl', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)

  return async () => {
    server.close()
    for (const resource of await Promise.allSettled(made.values())) {
      if (resource.status === 'fulfilled') await resource.value.close?.()
    }
  }
}

const migrateTemplate = async (adminUrl: string, templateUrl: string) => {
  const { createPostgresDatabase } = await import('./postgres.ts')
  const { openDatabase } = await import('../../server/src/db/open.ts')
  const { migrate } = await import('../../server/src/db/migrate.ts')
  await createPostgresDatabase(adminUrl, 'template')
  const database = await openDatabase(templateUrl)
  await migrate(database, Date.now)
  await database.close()
}
