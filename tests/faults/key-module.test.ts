import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@countersign/sdk'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createKeyModule } from '../../server/src/signing/pkcs11/process.ts'
import { createActors } from '../support/actors.ts'
import { unpackFromDebian } from '../support/debian.ts'
import { startDnsServers } from '../support/dns-server.ts'
import { itInFull } from '../support/full.ts'
import { compileCache, type Environment, runServer, startServer } from '../support/server-process.ts'

const debian = await unpackFromDebian(['softhsm2', 'libsofthsm2', 'softhsm2-common'])
const module = join(debian ?? '', 'usr/lib/softhsm/libsofthsm2.so')
const pin = '48151623'

/** A SoftHSM token in a folder of its own. */
const createToken = () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-token-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const tokens = join(folder, 'tokens')
  mkdirSync(tokens)
  const config = join(folder, 'softhsm2.conf')
  writeFileSync(config, `directories.tokendir = ${tokens}\nobjectstore.backend = file\nlog.level = ERROR\n`)
  const environment = { SOFTHSM2_CONF: config }
  const tool = join(debian ?? '', 'usr/bin/softhsm2-util')
  execFileSync(
    tool,
    ['--module', module, '--init-token', '--free', '--label', 'registry', '--so-pin', '11223344', '--pin', pin],
    { env: environment },
  )
  return { folder, tokens, environment }
}

const settingsOf = (folder: string, environment: Environment): Environment => {
  const file = join(folder, 'pin')
  writeFileSync(file, `${pin}\n`)
  return { ...environment, PKCS11_MODULE: module, PKCS11_TOKEN: 'registry', PKCS11_PIN_FILE: file }
}

const idsOf = (text: string) => text.match(/PKCS#11 ID [0-9a-f]{64}$/gm) ?? []

describe.skipIf(!debian)('signing keys in a PKCS#11 token (skipped only without Debian’s packages)', () => {
  itInFull(
    'sign tokens that verify, move there by rotation, and are checked by doctor',
    async () => {
      const { folder, environment: ofToken } = createToken()
      const dns = await startDnsServers()
      onTestFinished(() => dns.close())
      const plain = { DATA_DIR: join(folder, 'data'), DEV_DNS_SERVERS: dns.addresses.join(',') }
      const environment = { ...plain, ...settingsOf(folder, ofToken) }
      const stored = await startServer(plain)
      await stored.end('SIGTERM')

      const printed: { stdout: string }[] = []
      for (const _ of ['the stored next key', 'the first one in the token'])
        printed.push(await runServer(['keys', 'rotate', '--force'], environment))
      expect(printed.map(({ stdout }) => idsOf(stdout).length)).toEqual([1, 2])
      expect((await runServer(['doctor'], environment)).stdout).toMatch(
        /^ok +key module +The token "registry" signs with the active and the next key$/m,
      )

      const server = await startServer(environment)
      onTestFinished(async () => void (await server.end('SIGKILL')))
      const clientFor = (apiKey?: string) => createClient({ baseURL: server.url, apiKey, maxRetries: 0 })
      const acme = await createActors({ clientFor, dns }).provider('acme')
      const model_id = await acme.registerModel()
      const check = async () => {
        const { token } = await acme.client.verifications.create({ model_id })
        return clientFor().verifications.check(token)
      }
      expect(await check()).toMatchObject({ result: 'verified' })
      // Another process made the next key after this one opened the token.
      await runServer(['keys', 'rotate', '--force'], environment)
      expect(await check()).toMatchObject({ result: 'verified' })

      await server.end('SIGTERM')
      const without = await runServer([], { ...plain, PORT: '0' })
      expect(without).toMatchObject({ code: 1, stderr: expect.stringContaining('Set PKCS11_MODULE') })
    },
    120_000,
  )

  it('answers 503 while the token is missing, signs with no other key, and recovers', async () => {
    const { folder, tokens, environment: ofToken } = createToken()
    const dns = await startDnsServers()
    onTestFinished(() => dns.close())
    const environment = {
      DATA_DIR: join(folder, 'data'),
      DEV_DNS_SERVERS: dns.addresses.join(','),
      ...settingsOf(folder, ofToken),
    }
    const first = await startServer(environment)
    const clientAt = (url: string) => (apiKey?: string) => createClient({ baseURL: url, apiKey, maxRetries: 0 })
    const acme = await createActors({ clientFor: clientAt(first.url), dns }).provider('acme')
    const model_id = await acme.registerModel()
    const { token } = await acme.client.verifications.create({ model_id })
    await first.end('SIGTERM')

    renameSync(tokens, `${tokens}.away`)
    mkdirSync(tokens)
    const server = await startServer({ ...environment, PORT: new URL(first.url).port })
    onTestFinished(async () => void (await server.end('SIGKILL')))
    expect(server.log()).toContain('There is no token labelled')
    await expect(acme.client.verifications.create({ model_id })).rejects.toMatchObject({
      status: 503,
      code: 'unavailable',
    })
    expect(await clientAt(server.url)().verifications.check(token)).toMatchObject({ result: 'verified' })
    rmSync(tokens, { recursive: true })
    renameSync(`${tokens}.away`, tokens)
    await expect
      .poll(
        () =>
          acme.client.verifications.create({ model_id }).then(
            () => true,
            () => false,
          ),
        { timeout: 10_000 },
      )
      .toBe(true)
    expect(server.log()).not.toContain(pin)
  }, 120_000)

  describe('a module', () => {
    const open = (
      { environment, given = pin }: { environment: Environment; given?: string },
      options: Parameters<typeof createKeyModule>[1] = {},
    ) => {
      const keyModule = createKeyModule(
        {
          module,
          token: 'registry',
          pin: given,
          keyLabel: 'test',
          environment: { ...environment, NODE_COMPILE_CACHE: compileCache },
        },
        options,
      )
      onTestFinished(keyModule.close)
      return keyModule
    }

    it('is not given a wrong PIN twice', async () => {
      const failures: unknown[] = []
      const keyModule = open(
        { environment: createToken().environment, given: '0000' },
        { restMs: 0, onFailure: (error) => failures.push(error) },
      )
      for (const _ of [1, 2, 3]) await expect(keyModule.create()).rejects.toMatchObject({ kind: 'pin' })
      expect(failures).toHaveLength(1)
    })

    it('that lost its session is opened again within the same call', async () => {
      const keyModule = open(createToken())
      const key = await keyModule.create()
      process.kill(keyModule.pid() ?? 0, 'SIGKILL')
      expect(await keyModule.sign(key, 'text')).toHaveLength(64)
    })

    it('that hangs is ended after the time limit', async () => {
      const keyModule = open(createToken(), { timeoutMs: 1_500, restMs: 0 })
      const key = await keyModule.create()
      process.kill(keyModule.pid() ?? 0, 'SIGSTOP')
      await expect(keyModule.sign(key, 'text')).rejects.toThrow('did not answer within 1500 ms')
      expect(await keyModule.sign(key, 'text')).toHaveLength(64)
    })

    it('answers for other keys if one is missing', async () => {
      const keyModule = open(createToken(), { restMs: 60_000 })
      const [kept, removed] = [await keyModule.create(), await keyModule.create()]
      await keyModule.remove(removed)
      await expect(keyModule.sign(removed, 'text')).rejects.toMatchObject({ kind: 'missing' })
      expect(await keyModule.sign(kept, 'text')).toHaveLength(64)
    })

    it('never returns the signature of another key', async () => {
      const keyModule = open(createToken())
      const [one, other] = [await keyModule.create(), await keyModule.create()]
      await expect(keyModule.sign({ kid: one.kid, public_x: other.public_x }, 'text')).rejects.toThrow('is wrong')
    })
  })
})
