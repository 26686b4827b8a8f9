import { generateKeyPairSync } from 'node:crypto'
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BundleRecord } from '@countersign/sdk/contract'
import { signModel } from '@countersign/sdk/integrity'
import { expect, it, vi } from 'vitest'
import { ecKeys } from '../support/sigstore/keys.ts'
import { createPrivateSigstore, identity, issuer } from '../support/sigstore/private-sigstore.ts'
import { createWorld } from '../support/world.ts'
import { createQuickCommandLine } from './in-process.ts'
import { errorOf } from './process.ts'

vi.setConfig({ testTimeout: 60_000 })

const card = [
  '--display-name',
  'Tiny Chat',
  '--endpoint',
  'https://api.acme.example/v1',
  '--description',
  'A small model for chat',
]

/** A folder signed by its own key, and an unknown signer's signature of it. */
const start = async (apiUrl = 'http://127.0.0.1:9') => {
  const cli = await createQuickCommandLine(apiUrl)
  await mkdir(join(cli.folder, 'tiny', 'weights'), { recursive: true })
  await cli.write('tiny/config.json', '{ "layers": 2 }')
  await cli.write('tiny/weights/part-1.safetensors', 'first')
  for (const name of ['own', 'other']) {
    const { privateKey, publicKey } = ecKeys()
    await cli.write(`${name}.pem`, privateKey.export({ type: 'pkcs8', format: 'pem' }))
    await cli.write(`${name}.pub`, publicKey.export({ type: 'spki', format: 'pem' }))
    await cli.json('bundles', 'sign', 'tiny', '--key', `${name}.pem`, '--output', `${name}.sig`)
  }
  const verify = (...args: string[]) => cli.call(['bundles', 'verify', 'tiny', '--bundle', 'own.sig', ...args])
  return { cli, verify, part: join(cli.folder, 'tiny', 'weights', 'part-1.safetensors') }
}

it('registers nothing if the bundle lists other files, and names the files', async () => {
  const world = await createWorld()
  const { cli, part } = await start(world.address)
  await cli.json(
    'providers',
    'register',
    '--company-name',
    'Acme AI',
    '--email',
    'ops@acme.example',
    '--website',
    'https://acme.example',
  )
  await cli.json('signers', 'add', '--key', 'own.pem')
  const register = (...args: string[]) =>
    cli.call(['models', 'register', 'tiny', '--identifier', 'tiny', ...card, '--bundle', 'own.sig', ...args])

  await appendFile(part, 'x')
  await writeFile(join(cli.folder, 'tiny', 'new.txt'), '')
  const refused = await register()
  expect(refused).toMatchObject({ exit: 3, stdout: '', stderr: expect.stringContaining('Nothing was registered') })
  expect(refused.stderr).toContain('changed  weights/part-1.safetensors')
  expect(refused.stderr).toContain('extra    new.txt')
  expect(refused.stderr).not.toContain('config.json')
  expect(await cli.json('models', 'list')).toMatchObject({ models: [] })

  await writeFile(part, 'first')
  expect(await register('--ignore-path', 'new.txt')).toMatchObject({
    exit: 3,
    stdout: expect.stringContaining('Signed by someone unknown'),
  })
  expect(await cli.json('models', 'list')).toMatchObject({ models: [{ bundle_status: 'verified' }] })
})

it('gives an existing version the bundle that it lacks, and never answers 0 without it', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const { cli } = await start(world.address)
  const env = { COUNTERSIGN_API_KEY: acme.apiKey }
  const register = async (...args: string[]) => {
    const line = ['models', 'register', 'tiny', '--identifier', 'tiny', ...card, '--if-not-exists', '--json', ...args]
    const { exit, stdout, stderr } = await cli.call(line, { env })
    return { exit, stderr, ...(JSON.parse(stdout || '{}') as { model_id?: string; bundle?: BundleRecord }) }
  }
  const { model_id = '' } = await register()
  const undeclared = await register('--bundle', 'own.sig')
  expect(undeclared).toMatchObject({ exit: 3, created: false, bundle: { reason: 'signer_not_declared' } })
  await cli.call(['signers', 'add', '--key', 'own.pem'], { env })
  const first = await register('--bundle', 'own.sig')
  expect(first).toMatchObject({ exit: 0, model_id, created: false, bundle: { bundle_status: 'verified' } })
  const uploads = async () =>
    (await acme.client.account.events({ limit: 100 })).events.filter(({ action }) => action === 'model.bundle_uploaded')
  expect(await uploads()).toHaveLength(2)

  expect(await register('--bundle', 'own.sig')).toEqual(first)
  expect(await uploads()).toHaveLength(2)
  // Its signer is not declared, so it is not the verified bundle that the registry has.
  expect(await register('--bundle', 'other.sig')).toMatchObject({ exit: 3, bundle: { reason: 'signer_mismatch' } })
})

it('neither says Verified nor exits 0 for a bundle of an account that has not proven a domain', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme', { isVerified: false })
  const { cli } = await start(world.address)
  const env = { COUNTERSIGN_API_KEY: acme.apiKey }
  await cli.call(['signers', 'add', '--key', 'own.pem'], { env })
  const registered = await cli.call(
    ['models', 'register', 'tiny', '--identifier', 'tiny', ...card, '--bundle', 'own.sig'],
    { env },
  )
  const shown = await cli.call(['bundles', 'status', 'tiny'], { env })
  const uploaded = await cli.call(['bundles', 'upload', 'tiny', 'own.sig'], { env })
  expect([registered, shown, uploaded].map(({ exit }) => exit)).toEqual([3, 0, 3])
  for (const { stdout } of [registered, shown, uploaded]) {
    expect(stdout).toContain(
      'Signed by someone unknown: The signature is valid for this digest. It does not count until',
    )
    expect(stdout).not.toContain('Verified')
  }
  const quietly = async (...args: string[]) => (await cli.call([...args, '--quiet'], { env })).stdout
  for (const args of [
    ['bundles', 'status', 'tiny'],
    ['bundles', 'upload', 'tiny', 'own.sig'],
    ['models', 'verify-bundle', 'tiny', '--wait'],
  ])
    expect(await quietly(...args)).toBe('signed by someone unknown\n')
  expect(await cli.call(['models', 'verify-bundle', 'tiny'], { env })).toMatchObject({
    exit: 3,
    stdout: expect.stringContaining('just checked: signed by someone unknown.'),
  })
  const record = async () => JSON.parse((await cli.call(['bundles', 'status', 'tiny', '--json'], { env })).stdout)
  expect(await record()).toMatchObject({ bundle_status: 'verified', provider_domain_verified: false })
  acme.publishProof()
  await acme.client.providers.verifyDomain({})
  await world.jobs.run('bundles')
  expect(await record()).toMatchObject({ bundle_status: 'verified', provider_domain_verified: true })
  expect((await cli.call(['bundles', 'status', 'tiny'], { env })).stdout).toMatch(/^Verified: /)
  expect(await quietly('bundles', 'status', 'tiny')).toBe('verified\n')
})

it('names a bundle in the folder that a program may load as something else', async () => {
  const { cli } = await start()
  const verify = async (name: string) => {
    await cli.json('bundles', 'sign', 'tiny', '--key', 'own.pem', '--output', `tiny/${name}`)
    const { stdout } = await cli.call(['bundles', 'verify', 'tiny', '--bundle', `tiny/${name}`, '--key', 'own.pub'])
    await rm(join(cli.folder, 'tiny', name))
    return stdout
  }
  expect(await verify('model.sig')).toContain('All files are the signed ones.')
  expect(await verify('tokenizer.json')).toContain('Not signed, and not checked:\n  ignored   tokenizer.json')
})

it('names the signed name of a single file that has another name here', async () => {
  const { cli } = await start()
  await cli.write('notes.txt', 'import os')
  await cli.json('bundles', 'sign', 'notes.txt', '--key', 'own.pem', '--output', 'notes.sig')
  await cli.write('modeling.py', 'import os')
  const verify = async (name: string) =>
    (await cli.call(['bundles', 'verify', name, '--bundle', 'notes.sig', '--key', 'own.pub'])).stdout
  expect(await verify('notes.txt')).toContain('All files are the signed ones.')
  expect(await verify('modeling.py')).toContain('under another name: “notes.txt” is the name in the bundle.')
})

it('suggests declaring an undeclared signer, and warns of an unknown identifier', async () => {
  const world = await createWorld()
  const { cli } = await start(world.address)
  await cli.json(
    'providers',
    'register',
    '--company-name',
    'Acme AI',
    '--email',
    'ops@acme.example',
    '--website',
    'https://acme.example',
  )
  const early = await cli.call(['signers', 'add', '--key', 'own.pem', '--model', 'tiny'])
  expect(early).toMatchObject({ exit: 0, stderr: expect.stringContaining('You have no model tiny yet') })
  const foreign = await cli.call([
    'models',
    'register',
    'tiny',
    '--identifier',
    'tiny',
    ...card,
    '--bundle',
    'other.sig',
  ])
  expect(foreign).toMatchObject({ exit: 3, stderr: expect.stringContaining('signers add --key FILE') })
  expect(foreign.stdout).toContain('Signed with a key that is not declared')
  const minted = await cli.call(['tokens', 'mint', '--model', 'tiny'])
  expect(minted).toMatchObject({ exit: 0, stderr: expect.stringContaining('bundle of this version is invalid') })
  expect((await cli.call(['signers', 'add', '--key', 'other.pem', '--model', 'tiny'])).stderr).toBe('')

  const uploaded = await cli.call(['bundles', 'upload', 'tiny', 'own.sig'])
  expect(uploaded).toMatchObject({ exit: 3, stdout: expect.stringContaining('Signed by someone unknown'), stderr: '' })
  expect(await cli.call(['models', 'verify-bundle', 'tiny'])).toMatchObject({
    exit: 3,
    stdout: expect.stringContaining('--force'),
  })
})

it('names the option of a key that cannot sign, and says how to upload a missing bundle', async () => {
  const world = await createWorld()
  const { cli } = await start(world.address)
  await cli.json(
    'providers',
    'register',
    '--company-name',
    'Acme AI',
    '--email',
    'ops@acme.example',
    '--website',
    'https://acme.example',
  )
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1_024 })
  await cli.write('rsa.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }))
  expect(errorOf(await cli.call(['signers', 'add', '--key', 'rsa.pem', '--json'])).message).toMatch(
    /^--key: Must be an ECDSA key/,
  )

  await cli.json('models', 'register', '--identifier', 'bare', ...card)
  for (const command of [
    ['bundles', 'status', 'bare'],
    ['models', 'verify-bundle', 'bare'],
  ])
    expect((await cli.call(command)).stderr, command.join(' ')).toContain('bundles upload MODEL FILE')
})

it.each([
  ['models', 'show', 'tiny'],
  ['bundles', 'status', 'tiny'],
  ['models', 'check', 'tiny', '--model', 'tiny'],
])('without a key, says that another provider’s model needs its ID: %s %s', async (...command) => {
  const { cli } = await start()
  expect(await cli.call(command)).toMatchObject({
    exit: 4,
    stderr: expect.stringMatching(/providers register.*use its ID, mdl_…/),
  })
})

it('offline, messages name the given options instead of a registry', async () => {
  const { cli, verify, part } = await start()
  const good = await verify('--key', 'own.pub')
  expect(good).toMatchObject({ exit: 0, stderr: '' })
  expect(good.stdout).not.toMatch(/registry|provider|version/)
  const foreign = await verify('--key', 'other.pub')
  expect(foreign).toMatchObject({ exit: 3, stderr: expect.stringContaining('--certificate-identity') })
  // A list of the right files does not prove who made it.
  expect(foreign.stdout).not.toContain('those that were signed')
  await appendFile(part, 'x')
  expect((await verify('--key', 'own.pub')).stdout).toMatch(
    /^Different: .*\n {2}changed {2}weights\/part-1.safetensors\n\nThe bundle itself/,
  )

  const sigstore = await createPrivateSigstore()
  await cli.write(
    'model.json',
    JSON.stringify(await sigstore.bundle({ kind: 'hashedrekord/0.0.1', artifact: Buffer.from('firstx') })),
  )
  const who = ['--certificate-identity', identity, '--certificate-oidc-issuer', issuer]
  const untrusted = await cli.call(['bundles', 'verify', part, '--bundle', 'model.json', ...who])
  expect(untrusted).toMatchObject({ exit: 3, stderr: expect.stringContaining('--trusted-root FILE') })
})

it('keeps any name in a bundle on its own line', async () => {
  const { cli } = await start()
  const forged = 'a.bin\n\u001b[32mVerified\u001b[0m: all is well'
  const keys = ecKeys()
  await cli.write('keys.pub', keys.publicKey.export({ type: 'spki', format: 'pem' }))
  await cli.write(
    'forged.sig',
    signModel({ name: 'tiny', files: [{ name: forged, digest: '0'.repeat(64) }] }, keys.privateKey),
  )
  const verified = await cli.call(['bundles', 'verify', 'tiny', '--bundle', 'forged.sig', '--key', 'keys.pub'])
  expect(verified).toMatchObject({ exit: 3, stdout: expect.stringContaining('missing  “a.bin\\u{a}') })
  const registered = await cli.call([
    'models',
    'register',
    'tiny',
    '--bundle',
    'forged.sig',
    '--identifier',
    'tiny',
    ...card,
  ])
  expect(registered).toMatchObject({ exit: 3, stderr: expect.stringContaining('missing  “a.bin\\u{a}') })
  expect(verified.stdout + registered.stderr).not.toMatch(/^\s*Verified: all/m)
})

it('names an invalid bundle, folder or key before reading or sending anything', async () => {
  const { cli, verify } = await start()
  await cli.write('notes.txt', 'hello')
  await cli.write('empty.json', '{}')
  const shown = async (...args: string[]) => errorOf(await cli.call([...args, '--json'])).message
  expect(await shown('bundles', 'upload', 'tiny', 'notes.txt')).toBe(
    'notes.txt is not a Sigstore bundle: it is not JSON',
  )
  expect(await shown('bundles', 'upload', 'tiny', 'empty.json')).toMatch(
    /^empty.json is not a Sigstore bundle: mediaType /,
  )
  expect(errorOf(await verify('--key', 'tiny', '--json')).message).toMatch(/^A folder, not a file: .*tiny$/)
  expect(await shown('bundles', 'sign', 'tiny', '--key', 'own.pem', '--output', 'absent/model.sig')).toMatch(
    /The folder .*absent/,
  )
  expect(await shown('signers', 'add', '--repository', 'acme/models')).toMatch(/^--repository: /)
})
