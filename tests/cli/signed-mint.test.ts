import { chmod, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import 'reflect-metadata'
import { Pkcs10CertificateRequest } from '@peculiar/x509'
import { expect, it } from 'vitest'
import { createWorld } from '../support/world.ts'
import { createQuickCommandLine } from './in-process.ts'

it('makes a key, registers it and mints a proven link in three commands', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const model = await acme.registerModel({ api_model_identifier: 'tiny', require_deployment_proof: true })
  const cli = await createQuickCommandLine(world.address)
  const run = async (...args: string[]) => {
    const { exit, stdout, stderr } = await cli.call([...args, '--json'], { env: { COUNTERSIGN_API_KEY: acme.apiKey } })
    return { exit, answer: JSON.parse(stdout || stderr) }
  }
  const { answer: files } = await run('deployments', 'keygen', 'chat')
  const request = new Pkcs10CertificateRequest(await readFile(join(cli.folder, 'chat.csr'), 'utf8'))
  expect([await request.verify(), request.subject]).toEqual([true, 'CN=chat'])
  expect((await stat(join(cli.folder, 'chat.key'))).mode & 0o077).toBe(0)
  const { answer: deployment } = await run('deployments', 'register', '--cert', 'chat.csr', '--model', model)
  expect(deployment.spki_fingerprint).toBe(files.spki_sha256)

  const minted = await run('tokens', 'mint', '--model', 'tiny', '--sign-key', 'chat.key')
  expect(minted).toMatchObject({ exit: 0, answer: { deployment_binding: 'signed' } })
  expect(await run('verify', minted.answer.verification_url, '--require-deployment-proof')).toMatchObject({ exit: 0 })
  const doctor = await run('doctor', '--sign-key', 'chat.key', '--model', 'tiny')
  const found = (check: string) => doctor.answer.findings.find((each: { check: string }) => each.check === check)
  expect([found('private_key'), found('deployment'), found('token')].map(({ status }) => status)).toEqual(
    Array(3).fill('ok'),
  )
  expect(found('tls_address').detail).toBe(
    `The registry saw ${deployment.deployment_id}, proven by a signature with its key`,
  )
})

it.each(['p256', 'p384', 'ed25519'])(
  'keeps a key of type %s that exists, and says what is wrong with another',
  async (type) => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const model = await acme.registerModel()
    const cli = await createQuickCommandLine(world.address)
    const run = (...args: string[]) => cli.call(args, { env: { COUNTERSIGN_API_KEY: acme.apiKey } })
    expect((await run('deployments', 'keygen', 'chat', '--type', type)).exit).toBe(0)
    const key = await readFile(join(cli.folder, 'chat.key'), 'utf8')
    expect((await run('deployments', 'keygen', 'chat', '--type', type)).exit).toBe(2)
    expect(await readFile(join(cli.folder, 'chat.key'), 'utf8')).toBe(key)

    const unknown = await run('tokens', 'mint', '--model', model, '--sign-key', 'chat.key')
    expect([unknown.exit, unknown.stderr]).toEqual([4, expect.stringContaining('deployments register --cert chat.key')])
    const notKey = await run('tokens', 'mint', '--model', model, '--sign-key', 'chat.csr')
    expect([notKey.exit, notKey.stderr]).toEqual([2, expect.stringContaining('deployments keygen')])
    await chmod(join(cli.folder, 'chat.key'), 0o644)
    const doctor = await run('doctor', '--sign-key', 'chat.key', '--model', model)
    expect(doctor.stdout).toMatch(/Other users of this machine can read\s+chat\.key/)
    expect(doctor.stdout).toMatch(/You have no deployment with this key/)
  },
)
