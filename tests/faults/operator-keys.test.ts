import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@countersign/sdk'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createActors } from '../support/actors.ts'
import { ask } from '../support/ask.ts'
import { createAuthority } from '../support/certificates.ts'
import { createEmptyDatabase, describeOnSqlite } from '../support/databases.ts'
import { startDnsServers } from '../support/dns-server.ts'
import { itInFull } from '../support/full.ts'
import { findFreePort } from '../support/postgres.ts'
import { type Environment, runServer, startServer } from '../support/server-process.ts'

const prepare = async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-keys-'))
  const dns = await startDnsServers()
  onTestFinished(async () => {
    await dns.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  const environment: Environment = { DATA_DIR: dataDir, DEV_DNS_SERVERS: dns.addresses.join(',') }
  const start = async (more: Environment = {}) => {
    const server = await startServer({ ...environment, ...more })
    onTestFinished(async () => void (await server.end('SIGKILL')))
    return server
  }
  return { dataDir, dns, environment, start }
}

const becomesLogged = (url: string, model: string) =>
  vi.waitFor(
    async () => expect((await ask(`${url}/api/v1/log/proofs/${model}`)).body).toMatchObject({ state: 'logged' }),
    20_000,
  )

itInFull(
  'replaces the key encryption key: signatures and links stay valid, and the old key opens nothing',
  async () => {
    const { dataDir, dns, environment, start } = await prepare()
    const server = await start()
    const clientFor = (apiKey?: string) => createClient({ baseURL: server.url, apiKey, maxRetries: 0 })
    const acme = await createActors({ clientFor, dns }).provider('acme')
    const model_id = await acme.registerModel()
    const { verification_url } = await acme.client.verifications.create({ model_id })
    await server.end('SIGTERM')
    const file = join(dataDir, 'key-encryption-key')
    const old = await readFile(file, 'utf8')
    // As after a call that was interrupted before it renamed the files.
    const next = `${randomBytes(32).toString('base64')}\n`
    await writeFile(`${file}.new`, next)
    expect(await runServer(['keys', 'reencrypt'], environment)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('`keys reencrypt --log` replaces it.'),
      stderr: '',
    })
    expect(await readFile(file, 'utf8')).toBe(next)
    const oldKeys = async (of: string) =>
      Promise.all(
        (await readdir(dataDir))
          .filter((name) => name.startsWith(`${of}.`) && name.endsWith('.old'))
          .sort()
          .map((name) => readFile(join(dataDir, name), 'utf8')),
      )
    expect(await oldKeys('key-encryption-key')).toEqual([old])
    expect(await runServer(['keys', 'reencrypt'], environment)).toMatchObject({ code: 0, stderr: '' })
    expect(await oldKeys('key-encryption-key')).toEqual([old, next])

    const logFile = join(dataDir, 'log-key-encryption-key')
    const oldLogKey = await readFile(logFile, 'utf8')
    expect(await runServer(['keys', 'reencrypt', '--log'], environment)).toMatchObject({ code: 0, stderr: '' })
    expect(await readFile(logFile, 'utf8')).not.toBe(oldLogKey)
    expect(await oldKeys('log-key-encryption-key')).toEqual([oldLogKey])

    const wrong = await runServer(['keys', 'list'], { ...environment, KEY_ENCRYPTION_KEY: old.trim() })
    expect(wrong).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('KEY_ENCRYPTION_KEY does not open the signing'),
    })
    const present = await readFile(file, 'utf8')
    await writeFile(file, old)
    const unfit = `${file} does not open the signing keys in this database. `
    const stale = await runServer(['keys', 'list'], environment)
    expect(stale).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/keys are in .*Z\.old, .*Z\.old beside it\.\n$/),
    })
    expect(stale.stderr).toContain(`countersign-server keys: ${unfit}`)
    const doctor = await runServer(['doctor'], environment)
    expect(doctor.stdout).toContain(`fail  keys         ${unfit}`)
    expect(doctor.stdout).toMatch(/^note +key module +Not checked/m)
    await writeFile(file, present)
    const again = await start({ PORT: new URL(server.url).port, KEY_ENCRYPTION_KEY_FILE: file })
    expect(again.url).toBe(server.url)
    // The client compares the code in the answer with the link.
    expect(await clientFor().verifications.check(verification_url)).toMatchObject({ result: 'verified' })
    const minted = await acme.client.verifications.create({ model_id })
    await becomesLogged(again.url, await acme.registerModel())
    expect(await clientFor().verifications.check(minted.verification_url)).toMatchObject({ result: 'verified' })
    await again.end('SIGTERM')

    const authority = await createAuthority()
    const [credential, other] = [await authority.issueServer(), await authority.issueServer()]
    const tls = {
      TLS_PORT: '0',
      TLS_CERT_FILE: join(dataDir, 'tls-cert.pem'),
      TLS_KEY_FILE: join(dataDir, 'tls-key.pem'),
    }
    await writeFile(tls.TLS_CERT_FILE, credential.cert)
    await writeFile(tls.TLS_KEY_FILE, credential.key, { mode: 0o600 })
    const healthy = await runServer(['doctor'], { ...environment, ...tls })
    expect(healthy.stdout).toMatch(/^ok +tls +The certificate in TLS_CERT_FILE expires on \d{4}-\d\d-\d\d$/m)
    await writeFile(tls.TLS_KEY_FILE, other.key)
    expect(healthy.stdout).toMatch(/^ok +keys +The key encryption key opens all 2 signing keys$/m)
    expect(healthy.stdout).toMatch(/^ok +log +The key of \S+\/log can be opened$/m)
    expect(healthy).toMatchObject({ code: 0, stderr: '' })
    await chmod(file, 0o644)
    const policy = join(dataDir, 'log.policy')
    const vkey = 'north.example+be0a3ecd+BAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE'
    await writeFile(policy, `witness north ${vkey} https://10.0.0.7\nquorum north\n`)
    const failing = await runServer(['doctor'], {
      ...environment,
      KEY_ENCRYPTION_KEY: '',
      LOG_POLICY: policy,
      ...tls,
      SMTP_URL: 'smtp://127.0.0.1:9',
    })
    expect(failing.code).toBe(1)
    expect(failing.stdout).toMatch(/^fail +mail +.*ECONNREFUSED/m)
    expect(failing.stdout).toMatch(/^fail +tls +The key in TLS_KEY_FILE is not that of the certificate/m)
    expect(failing.stdout).toMatch(/^fail +witnesses +north \(https:\/\/10\.0\.0\.7\): .*does not connect/m)

    const logKey = await readFile(logFile, 'utf8')
    await rm(logFile)
    await chmod(file, 0o600)
    const moved = { ...environment, PUBLIC_URL: 'http://127.0.0.1:4100' }
    expect((await runServer(['doctor'], moved)).stdout).toMatch(/^fail +log +.*log-key-encryption-key is missing/m)
    // As after a start without the file, which makes another key.
    await writeFile(logFile, next, { mode: 0o600 })
    expect((await runServer(['doctor'], moved)).stdout).toMatch(/^fail +log +.*Put the old one back\.$/m)
    await writeFile(logFile, logKey)
    expect((await runServer(['doctor'], moved)).stdout).toMatch(
      /^note +log +The log was created as .* although PUBLIC_URL/m,
    )
  },
  120_000,
)

describeOnSqlite('the key that encrypts the keys of the log', (engine) => {
  it('is replaced by a given one, and the old one opens nothing', async () => {
    const { dns, environment, start } = await prepare()
    const old = randomBytes(32).toString('hex')
    const next = randomBytes(32).toString('hex')
    environment.DATABASE_URL = await createEmptyDatabase(engine)
    // Without the file in DATA_DIR, the log's key is encrypted with a key derived from this one.
    environment.KEY_ENCRYPTION_KEY = old
    const server = await start()
    await vi.waitFor(async () => expect((await fetch(`${server.url}/log/checkpoint`)).status).toBe(200), 20_000)
    await server.end('SIGTERM')
    const reencrypt = (more: Environment) => runServer(['keys', 'reencrypt', '--log'], { ...environment, ...more })
    expect(await reencrypt({})).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('NEW_LOG_KEY_ENCRYPTION_KEY'),
    })
    // The second call continues an interrupted one, and has nothing to do.
    for (const _ of [1, 2])
      expect(await reencrypt({ NEW_LOG_KEY_ENCRYPTION_KEY: next })).toMatchObject({ code: 0, stderr: '' })
    expect(await reencrypt({ NEW_LOG_KEY_ENCRYPTION_KEY: old })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('does not open the keys of the log'),
    })

    const again = await start({ LOG_KEY_ENCRYPTION_KEY: next })
    const acme = await createActors({
      clientFor: (apiKey) => createClient({ baseURL: again.url, apiKey, maxRetries: 0 }),
      dns,
    }).provider('acme')
    await becomesLogged(again.url, await acme.registerModel())
  }, 120_000)
})

it('doctor checks the settings of a registry that was never started, and creates nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-first-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const DATA_DIR = join(folder, 'data')
  const first = await runServer(['doctor'], { DATA_DIR })
  expect(first).toMatchObject({ code: 0, stderr: '' })
  expect(first.stdout).toMatch(/^note +database .* is not there yet\. The first start creates it\.$/m)
  expect(await readdir(folder)).toEqual([])
  // The key was used, so a database without it was lost.
  await mkdir(DATA_DIR, { mode: 0o700 })
  await writeFile(join(DATA_DIR, 'key-encryption-key.used'), '')
  const lost = await runServer(['doctor'], { DATA_DIR })
  expect(lost.code).toBe(1)
  expect(lost.stdout).toMatch(/^fail +database .*Restore a backup\.$/m)
})

it('doctor reports once that the database does not answer', async () => {
  const DATABASE_URL = `postgres://registry@127.0.0.1:${await findFreePort()}/registry`
  const { code, stdout } = await runServer(['doctor'], { DATABASE_URL, KEY_ENCRYPTION_KEY: '11'.repeat(32) })
  expect(code).toBe(1)
  expect(stdout.match(/ECONNREFUSED/g)).toHaveLength(1)
})
