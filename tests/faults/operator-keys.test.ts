import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@countersign/sdk'
import { expect, it, onTestFinished } from 'vitest'
import { createActors } from '../support/actors.ts'
import { startDnsServers } from '../support/dns-server.ts'
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

it('replaces the key encryption key: signatures and links stay valid, and the old key opens nothing', async () => {
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
  expect(await runServer(['keys', 'reencrypt'], environment)).toMatchObject({ code: 0, stderr: '' })
  expect(await readFile(file, 'utf8')).toBe(next)
  expect(await readFile(`${file}.old`, 'utf8')).toBe(old)

  const wrong = await runServer(['keys', 'list'], { ...environment, KEY_ENCRYPTION_KEY: old.trim() })
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('does not open the signing keys') })
  const again = await start({ PORT: new URL(server.url).port, KEY_ENCRYPTION_KEY_FILE: file })
  expect(again.url).toBe(server.url)
  // The client compares the code in the answer with the link.
  expect(await clientFor().verifications.check(verification_url)).toMatchObject({ result: 'verified' })
  const minted = await acme.client.verifications.create({ model_id })
  expect(await clientFor().verifications.check(minted.verification_url)).toMatchObject({ result: 'verified' })
  await again.end('SIGTERM')

  const healthy = await runServer(['doctor'], environment)
  expect(healthy.stdout).toMatch(/^ok +keys +The key encryption key opens all 2 signing keys$/m)
  expect(healthy).toMatchObject({ code: 0, stderr: '' })
  await chmod(file, 0o644)
  const failing = await runServer(['doctor'], {
    ...environment,
    KEY_ENCRYPTION_KEY: '',
    SMTP_URL: 'smtp://127.0.0.1:9',
  })
  expect(failing.code).toBe(1)
  expect(failing.stdout).toMatch(/^fail +mail +.*ECONNREFUSED/m)
}, 120_000)
