import { randomBytes } from 'node:crypto'
import { mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ask } from '../support/ask.ts'
import { createEmptyDatabase, describeEachEngine } from '../support/databases.ts'
import { findFreePort } from '../support/postgres.ts'
import { type Environment, runServer, startServer } from '../support/server-process.ts'

const createFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-start-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const start = async (environment: Environment) => {
  const server = await startServer(environment)
  onTestFinished(async () => void (await server.end('SIGKILL')))
  return server
}

describeEachEngine('the first start', (engine) => {
  it('is ready without any preparation', async () => {
    const dataDir = join(await createFolder(), 'not/there')
    const server = await start({ DATA_DIR: dataDir, DATABASE_URL: await createEmptyDatabase(engine) })
    expect(await ask(`${server.url}/readyz`)).toMatchObject({ status: 200 })
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
  })
})

it('is ready on PostgreSQL if DATA_DIR cannot be created', async () => {
  const server = await start({
    DATA_DIR: '/dev/null/data',
    DATABASE_URL: await createEmptyDatabase('postgres'),
    KEY_ENCRYPTION_KEY: randomBytes(32).toString('hex'),
  })
  expect(await ask(`${server.url}/readyz`)).toMatchObject({ status: 200 })
  expect(server.log()).toContain('DATA_DIR cannot be created')
})

it('serves metrics only at METRICS_HOST', async () => {
  const port = await findFreePort()
  const server = await start({
    DATA_DIR: await createFolder(),
    METRICS_HOST: '127.0.0.2',
    METRICS_PORT: String(port),
  })
  expect(await ask(`http://127.0.0.2:${port}/metrics`)).toMatchObject({
    status: 200,
    text: expect.stringContaining('countersign_build_info'),
  })
  await expect(ask(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow('ECONNREFUSED')
  expect((await ask(`${server.url}/metrics`)).text).not.toContain('countersign_build_info')
})

it('does not start on an empty database beside a used key, unless told to', async () => {
  const dataDir = await createFolder()
  const environment = { DATA_DIR: dataDir }
  const first = await startServer(environment)
  await first.end('SIGTERM')
  const file = join(dataDir, 'countersign.db')
  await rename(file, `${file}.moved`)
  const files = await readdir(dataDir)
  expect(await runServer([], { ...environment, PORT: '0' })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/countersign\.db is missing or empty.*--new-registry/),
  })
  expect(await readdir(dataDir)).toEqual(files)

  const elsewhere = await createEmptyDatabase('sqlite')
  expect(await runServer([], { ...environment, PORT: '0', DATABASE_URL: elsewhere })).toMatchObject({ code: 1 })
  const again = await startServer({ ...environment, DATABASE_URL: elsewhere }, ['--new-registry'])
  await again.end('SIGTERM')
  const third = await startServer({ ...environment, DATABASE_URL: elsewhere })
  await third.end('SIGTERM')
}, 60_000)

it('does not start on a damaged database', async () => {
  const dataDir = await createFolder()
  const first = await startServer({ DATA_DIR: dataDir })
  await first.end('SIGTERM')
  const file = join(dataDir, 'countersign.db')
  const { size } = await stat(file)
  const handle = await open(file, 'r+')
  await handle.write(randomBytes(40 * 4096), 0, undefined, Math.floor(size / 8192) * 4096)
  await handle.close()
  expect(await runServer([], { DATA_DIR: dataDir, PORT: '0' })).toMatchObject({
    code: 70,
    stderr: expect.stringMatching(/countersign\.db is damaged: .*docs\/operating\.md/),
  })
  await (await open(file, 'w')).close()
  const { code } = await runServer([], { DATA_DIR: dataDir, PORT: '0' })
  expect(code).toBe(1)
}, 60_000)

it('creates no key for a command', async () => {
  const dataDir = await createFolder()
  expect(await runServer(['keys', 'list'], { DATA_DIR: dataDir })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no'),
  })
  expect(await readdir(dataDir)).toEqual([])
})
