import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@countersign/sdk'
import Sqlite from 'better-sqlite3'
import { expect, it, onTestFinished, vi } from 'vitest'
import { checkBackup } from '../../server/src/backup/create.ts'
import { readManifest } from '../../server/src/backup/manifest.ts'
import { tallyTables } from '../../server/src/backup/tables.ts'
import { createActors } from '../support/actors.ts'
import { ask } from '../support/ask.ts'
import { createEmptyDatabase, describeOnSqlite, type Engine } from '../support/databases.ts'
import { startDnsServers } from '../support/dns-server.ts'
import { readOutbox } from '../support/mails.ts'
import { type Environment, runServer, type ServerProcess, startServer } from '../support/server-process.ts'

/** A folder, a DNS server, and the settings of a registry on an empty database. */
const prepare = async (engine: Engine) => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-backup-'))
  const dns = await startDnsServers()
  onTestFinished(async () => {
    await dns.close()
    await rm(folder, { recursive: true, force: true })
  })
  const environment: Environment = {
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL:
      engine === 'sqlite' ? `sqlite:${join(folder, 'data/registry.db')}` : await createEmptyDatabase(engine),
    KEY_ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    DEV_DNS_SERVERS: dns.addresses.join(','),
    RATE_LIMITS: 'off',
  }
  const start = async (more: Environment = {}) => {
    const server = await startServer({ ...environment, ...more })
    onTestFinished(async () => void (await server.end('SIGKILL')))
    return server
  }
  const clientOf = (server: ServerProcess, apiKey?: string) =>
    createClient({ baseURL: server.url, apiKey, maxRetries: 0 })
  const register = (server: ServerProcess, name: string) =>
    createActors({ clientFor: (apiKey) => clientOf(server, apiKey), dns }).provider(name)
  return { folder, environment, start, clientOf, register, backup: join(folder, 'backup.db') }
}

const kidsOf = async ({ url }: ServerProcess) =>
  ((await ask(`${url}/.well-known/jwks.json`)).body.keys as { kid: string }[]).map(({ kid }) => kid)

describeOnSqlite('a registry restored from a backup made while it was writing', (engine) => {
  it('suspends everything until the owner has confirmed the account', async () => {
    const { folder, environment, start, clientOf, register, backup } = await prepare(engine)
    const server = await start()
    const acme = await register(server, 'acme')
    const model_id = await acme.registerModel()
    const leaked = await acme.client.keys.create({ name: 'Leaked' })
    await acme.client.auth.sendVerification({})
    const mailed = (subject: RegExp, dataDir = environment.DATA_DIR ?? '') =>
      vi.waitFor(
        async () => {
          const found = (await readOutbox(dataDir)).find((mail) => subject.test(mail.subject))
          if (!found) throw new Error('The email was not sent')
          return found
        },
        { timeout: 20_000, interval: 100 },
      )
    const { code = '' } = await mailed(/./)
    await acme.client.auth.verifyEmail({ verification_code: code })
    const kids = await kidsOf(server)

    const minted = [await acme.client.verifications.create({ model_id })]
    let isWriting = true
    const writing = (async () => {
      while (isWriting) minted.push(await acme.client.verifications.create({ model_id }))
    })()
    expect(await runServer(['backup', backup], environment)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Backed up \d+ rows to .*verified/),
    })
    isWriting = false
    await writing
    await acme.client.keys.revoke(leaked.id)
    await server.end('SIGTERM')

    const target: Environment = {
      ...environment,
      DATA_DIR: join(folder, 'restored'),
      DATABASE_URL:
        engine === 'sqlite' ? `sqlite:${join(folder, 'restored/registry.db')}` : await createEmptyDatabase(engine),
      PORT: new URL(server.url).port,
      PUBLIC_URL: server.url,
    }
    expect(await runServer(['restore', backup], target)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/1 providers and all signing keys are suspended/),
    })
    const restored = await start(target)
    const [first] = minted
    for (const link of [first?.verification_url, first?.token]) {
      const { status, body } = await ask(`${restored.url}/api/v1/verify/${encodeURIComponent(link ?? '')}`)
      expect({ status, ...body }).toMatchObject({ status: 400, code: 'link_suspended', reason: 'suspended' })
      expect(JSON.stringify(body)).not.toMatch(/acme|Atlas/i)
    }
    expect((await kidsOf(restored)).filter((kid) => kids.includes(kid))).toEqual([])
    for (const key of [acme.apiKey, leaked.api_key])
      for (const call of [
        () => clientOf(restored, key).providers.me(),
        () => clientOf(restored, key).verifications.create({ model_id }),
        () => clientOf(restored, key).providers.reactivate(acme.id, {}),
      ])
        await expect(call()).rejects.toMatchObject({ code: 'provider_suspended' })
    const stranger = clientOf(restored)
    expect((await stranger.providers.list()).providers).toEqual([])
    await expect(stranger.providers.get(acme.id)).rejects.toMatchObject({ code: 'not_found' })

    expect((await mailed(/^Confirm your account/, target.DATA_DIR)).text).toContain('restored from a backup')
    await stranger.auth.forgotPassword({ email: 'acme@acme.example' })
    const { link = '' } = await mailed(/password/i, target.DATA_DIR)
    const session = await stranger.auth.setPassword({
      token: new URL(link).searchParams.get('token') ?? '',
      password: 'a quiet heron at dawn',
    })
    const owner = clientOf(restored, session.token)
    expect(await owner.providers.me()).toMatchObject({ is_suspended: true })
    await expect(owner.verifications.create({ model_id })).rejects.toMatchObject({ code: 'provider_suspended' })
    await owner.keys.revoke(leaked.id)
    expect(await owner.providers.reactivate(acme.id, {})).toMatchObject({ is_suspended: false, is_active: true })

    await expect(clientOf(restored, leaked.api_key).providers.me()).rejects.toMatchObject({ code: 'unauthorized' })
    const again = await clientOf(restored, acme.apiKey).verifications.create({ model_id })
    const stored = await ask(`${restored.url}/api/v1/verify/${first?.token}`)
    expect(stored).toMatchObject({ status: 400, body: { code: 'link_suspended' } })
    // The registry has read the record of the domain again.
    await vi.waitFor(
      async () =>
        expect(await stranger.verifications.get(again.verification_url)).toMatchObject({ result: 'verified' }),
      { timeout: 20_000, interval: 100 },
    )

    expect(await runServer(['keys', 'confirm', kids[0] ?? ''], target)).toMatchObject({ code: 0 })
    const confirmed = await ask(`${restored.url}/api/v1/verify/${first?.token}`)
    expect(confirmed.body.code).not.toBe('link_suspended')
  }, 180_000)
})

it('does not restore over a running registry, beside leftovers, or what is damaged or newer', async () => {
  const { environment, start, backup } = await prepare('sqlite')
  const file = (environment.DATABASE_URL ?? '').slice('sqlite:'.length)
  const server = await start()
  expect(await runServer(['backup', backup], environment)).toMatchObject({ code: 0 })
  const restore = (...args: string[]) => runServer(['restore', backup, ...args], environment)
  expect(await restore('--replace')).toMatchObject({ code: 1, stderr: expect.stringContaining('is in use') })
  await server.end('SIGTERM')
  expect(await restore()).toMatchObject({ code: 1, stderr: expect.stringContaining('--replace') })
  expect(await restore('--replace')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/before-restore-.*nothing is suspended/s),
  })
  expect(await runServer(['keys', 'rotate', '--force'], environment)).toMatchObject({ code: 0 })
  const wrong = { ...environment, KEY_ENCRYPTION_KEY: randomBytes(32).toString('hex') }
  const replaced = async () => (await readdir(join(file, '..'))).filter((name) => name.includes('before-restore'))
  const before = await replaced()
  expect(await runServer(['restore', backup, '--replace'], wrong)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Nothing was restored. KEY_ENCRYPTION_KEY does not open the signing keys'),
  })
  expect(await replaced()).toEqual(before)
  const wrongLog = { ...environment, LOG_KEY_ENCRYPTION_KEY: wrong.KEY_ENCRYPTION_KEY }
  expect(await runServer(['restore', backup, '--replace'], wrongLog)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('LOG_KEY_ENCRYPTION_KEY does not open the keys of the log'),
  })
  expect(await restore('--replace')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('all signing keys are suspended'),
  })
  await expect(start({ KEY_ENCRYPTION_KEY: wrong.KEY_ENCRYPTION_KEY })).rejects.toThrow(
    'does not open the signing keys',
  )

  await rm(file)
  await writeFile(`${file}-wal`, 'left over')
  expect(await restore()).toMatchObject({ code: 1, stderr: expect.stringContaining('-wal is a leftover') })
  await rm(`${file}-wal`)

  /** The first step of a restore. */
  const check = async () => checkBackup(backup, readManifest(backup))
  const manifest = JSON.parse(await readFile(`${backup}.manifest.json`, 'utf8'))
  const rewrite = (change: object) => writeFile(`${backup}.manifest.json`, JSON.stringify({ ...manifest, ...change }))
  const bytes = await readFile(backup)
  const damaged = Buffer.from(bytes)
  damaged.writeUInt8(damaged.readUInt8(5_000) ^ 1, 5_000)
  await writeFile(backup, damaged)
  await expect(check()).rejects.toThrow('is damaged')
  await writeFile(backup, bytes)
  await rewrite({ tables: { ...manifest.tables, providers: { rows: 7, sha256: '0'.repeat(64) } } })
  await expect(check()).rejects.toThrow('providers (7 and 0 rows)')
  await rewrite({ format: 2 })
  await expect(check()).rejects.toThrow('not a backup manifest')
  await rewrite({})
  const handle = new Sqlite(backup)
  handle.exec("insert into migrations values ('9999-tomorrow', 1)")
  handle.close()
  const newer = await readFile(backup)
  const reader = new Sqlite(backup, { readonly: true })
  const tables = tallyTables(reader)
  reader.close()
  const sha256 = createHash('sha256').update(newer).digest('hex')
  await rewrite({ schema: '9999-tomorrow', tables, file: { bytes: newer.length, sha256 } })
  expect(await restore()).toMatchObject({ code: 1, stderr: expect.stringMatching(/9999-tomorrow.*newer/) })
}, 120_000)

it('moves from SQLite to PostgreSQL without losing or changing a row', async () => {
  const { environment, start, clientOf, register } = await prepare('sqlite')
  const server = await start()
  const acme = await register(server, 'acme')
  const { verification_url } = await acme.client.verifications.create({ model_id: await acme.registerModel() })
  const to = await createEmptyDatabase('postgres')
  const file = join(environment.DATA_DIR ?? '', 'database-url')
  const move = () => runServer(['migrate', '--to-file', file], environment)
  expect(await move()).toMatchObject({ code: 1, stderr: expect.stringContaining('must name a readable file') })
  await writeFile(file, `${to}\n`)
  expect(await move()).toMatchObject({ code: 1, stderr: expect.stringContaining('is in use') })
  await server.end('SIGTERM')
  expect(await move()).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/counts and digests are equal.*keep DATA_DIR with its keys and KEY_ENCRYPTION_KEY/s),
  })
  expect(await move()).toMatchObject({ code: 1, stderr: expect.stringContaining('already has a registry') })
  const moved = await start({ DATABASE_URL: to, PORT: new URL(server.url).port, PUBLIC_URL: server.url })
  expect(await clientOf(moved).verifications.get(verification_url)).toMatchObject({ result: 'verified' })
  expect((await clientOf(moved).providers.list()).providers).toMatchObject([{ id: acme.id }])
  await clientOf(moved, acme.apiKey).models.list()
}, 120_000)
