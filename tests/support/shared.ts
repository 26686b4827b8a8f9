// What a whole test run shares, created on first use. Vitest runs this file once, in its own process (`globalSetup`);
// the workers that run the tests send requests to a port on loopback.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { findChromium } from './chromium.ts'
import { createPostgresDatabase, startPostgres } from './postgres.ts'
import { installPython } from './python.ts'

declare module 'vitest' {
  interface ProvidedContext {
    sharedUrl: string
  }
}

interface Resource {
  /** What the tests receive. */
  answer: string
  close?: () => Promise<void>
}

const makers = {
  /** URL of a PostgreSQL server whose database `template` holds the migrated schema. */
  postgres: async (): Promise<Resource> => {
    const server = await startPostgres()
    await createPostgresDatabase(server.urlOf('postgres'), 'template')
    await migrateAt(server.urlOf('template'))
    return { answer: server.urlOf('postgres'), close: server.stop }
  },
  /** Path of a SQLite database that holds the migrated schema, to be copied. */
  sqlite: async (): Promise<Resource> => {
    const folder = await mkdtemp(join(tmpdir(), 'countersign-template-'))
    const file = join(folder, 'template.db')
    await migrateAt(`sqlite:${file}`)
    return { answer: file, close: () => rm(folder, { recursive: true }) }
  },
  /** Path of the command line: the published bundle, built from the sources. */
  cli: async (): Promise<Resource> => {
    const folder = await mkdtemp(join(tmpdir(), 'countersign-bundle-'))
    const bundler = fileURLToPath(new URL('../../cli/bundle.mjs', import.meta.url))
    await promisify(execFile)(process.execPath, [bundler, join(folder, 'dist')])
    const program = join(folder, 'program.cjs')
    await writeFile(program, "require('./dist/main.js').main()")
    return { answer: program, close: () => rm(folder, { recursive: true }) }
  },
  /** Path of the server. */
  server: async (): Promise<Resource> => {
    const folder = await mkdtemp(join(tmpdir(), 'countersign-server-'))
    const { bundleServer } = await import('./server-bundle.ts')
    return { answer: await bundleServer(folder), close: () => rm(folder, { recursive: true }) }
  },
  /** The path of the browser. */
  chromium: async (): Promise<Resource> => ({ answer: await findChromium() }),
  /** Why there is no Python with the packages of the tests; empty if there is one. */
  python: async (): Promise<Resource> => ({ answer: await installPython() }),
} satisfies Record<string, () => Promise<Resource>>

export type SharedName = keyof typeof makers

export default async function setup({ provide }: TestProject) {
  const made = new Map<SharedName, Promise<Resource>>()
  const make = (name: SharedName) => {
    const resource = made.get(name) ?? makers[name]()
    made.set(name, resource)
    return resource
  }

  const spent = new Map<string, { count: number; ms: number }>()
  const note = (kind: string, ms: number) => {
    const { count, ms: before } = spent.get(kind) ?? { count: 0, ms: 0 }
    spent.set(kind, { count: count + 1, ms: before + ms })
  }

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shared')
    if (pathname === '/spent') {
      note(searchParams.get('kind') ?? '', Number(searchParams.get('ms')))
      response.end()
      return
    }
    make(pathname.slice(1) as SharedName).then(
      ({ answer }) => response.end(answer),
      (error) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  provide('sharedUrl', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)

  return async () => {
    server.close()
    if (process.env.TEST_SPENT) await writeFile(process.env.TEST_SPENT, JSON.stringify(Object.fromEntries(spent)))
    for (const resource of await Promise.allSettled(made.values())) {
      if (resource.status === 'fulfilled') await resource.value.close?.()
    }
  }
}

const migrateAt = async (url: string) => {
  const { openDatabase } = await import('../../server/src/db/open.ts')
  const { migrate } = await import('../../server/src/db/migrate.ts')
  const database = await openDatabase(url)
  await migrate(database, Date.now)
  await database.close()
}
