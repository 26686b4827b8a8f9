import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BundleRecord } from '@countersign/sdk/contract'
import { rootDigest, signModel } from '@countersign/sdk/integrity'
import { expect, it, onTestFinished } from 'vitest'
import { itInFull } from '../support/full.ts'
import { ecKeys } from '../support/sigstore/keys.ts'
import { signStatement } from '../support/sigstore/model-bundle.ts'
import { createPrivateSigstore, identity, issuer } from '../support/sigstore/private-sigstore.ts'
import { identityToken, startSigstoreServer } from '../support/sigstore/server.ts'
import { createWorld, type World } from '../support/world.ts'
import { createQuickCommandLine } from './in-process.ts'
import { createCommandLine, errorOf } from './process.ts'

type CommandLine = Pick<Awaited<ReturnType<typeof createQuickCommandLine>>, 'call' | 'json' | 'write' | 'folder'>

const card = [
  '--display-name',
  'Tiny Chat',
  '--endpoint',
  'https://api.acme.example/v1',
  '--description',
  'A small model for chat',
]

/** A folder with a model, and a key pair beside it. */
const prepare = async (cli: CommandLine) => {
  const model = join(cli.folder, 'tiny')
  await mkdir(join(model, 'weights'), { recursive: true })
  await writeFile(join(model, 'config.json'), '{ "layers": 2 }')
  await writeFile(join(model, 'weights', 'part-1.safetensors'), 'first')
  await writeFile(join(model, 'weights', 'part-2.safetensors'), 'second')
  const keys = ecKeys()
  await cli.write('key.pem', keys.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  await cli.write('key.pub', keys.publicKey.export({ type: 'spki', format: 'pem' }))
  await cli.write('other.pub', ecKeys().publicKey.export({ type: 'spki', format: 'pem' }))
  return { model, part: join(model, 'weights', 'part-2.safetensors'), bundle: join(model, 'model.sig') }
}

const signIn = async (cli: CommandLine, world: World) => {
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
  return world.anyone
}

const verify = (cli: CommandLine, ...args: string[]) =>
  cli.call(['bundles', 'verify', 'tiny', '--bundle', 'tiny/model.sig', ...args])

it('writes no signature outside a model through a link inside it', async () => {
  const cli = await createQuickCommandLine('http://127.0.0.1:9')
  const { model, bundle } = await prepare(cli)
  const outside = join(cli.folder, 'outside')
  await symlink(outside, bundle)
  const refused = await cli.call(['bundles', 'sign', model, '--key', 'key.pem'])
  expect(refused.exit).toBe(2)
  expect(refused.stderr).toMatch(/is a symbolic link.*Remove it/s)
  expect(existsSync(outside)).toBe(false)
})

it('signs a folder, registers it with its bundle, and shows the signer and any changed file', async () => {
  const world = await createWorld()
  const cli = await createQuickCommandLine(world.address)
  const { model, part } = await prepare(cli)
  await signIn(cli, world)

  const signed = await cli.json<{ digest: string; key_fingerprint: string }>(
    'bundles',
    'sign',
    model,
    '--key',
    'key.pem',
  )
  const hashed = await cli.json<{ digest: string }>('models', 'digest', model)
  expect(signed.digest).toBe(hashed.digest)
  const { id: signer } = await cli.json<{ id: string }>('signers', 'add', '--key', 'key.pem')
  expect(await cli.json('signers', 'list')).toMatchObject({
    signers: [{ id: signer, key_fingerprint: signed.key_fingerprint }],
  })
  expect(JSON.stringify(await cli.json('signers', 'list'))).not.toContain('PRIVATE')

  const { exit, stdout } = await cli.call([
    ...['models', 'register', 'tiny', '--identifier', 'tiny', '--bundle', 'tiny/model.sig', ...card, '--json'],
  ])
  // The account has not proven a domain.
  expect(exit).toBe(3)
  const registered: { model_id: string; bundle: BundleRecord } = JSON.parse(stdout)
  expect(registered).toMatchObject({
    model_digest: signed.digest,
    bundle: { bundle_status: 'verified', signer: { key_fingerprint: signed.key_fingerprint } },
  })
  expect(await cli.json('bundles', 'status', 'tiny')).toMatchObject({ bundle_status: 'verified' })
  const { verification_url } = await cli.json<{ verification_url: string }>('tokens', 'mint', '--model', 'tiny')
  const shown = await cli.call(['verify', verification_url, '--allow-unverified-provider'])
  expect(shown.stdout + shown.stderr).toContain(signed.key_fingerprint)

  expect(await verify(cli, '--key', 'key.pub')).toMatchObject({
    exit: 0,
    stdout: expect.stringContaining('All files are the signed ones'),
  })
  const bytes = await readFile(part)
  bytes[3] = (bytes[3] ?? 0) ^ 1
  await writeFile(part, bytes)
  const flipped = await verify(cli, '--key', 'key.pub')
  expect(flipped).toMatchObject({ exit: 3, stdout: expect.stringContaining('changed  weights/part-2.safetensors') })
  expect(flipped.stdout).not.toContain('part-1')
  expect(await cli.call(['models', 'check', 'tiny', '--model', 'tiny'])).toMatchObject({
    exit: 3,
    stdout: expect.stringContaining('weights/part-2.safetensors'),
  })
}, 60_000)

it('says what to do about a wrong signer, a wrong model or a missing bundle', async () => {
  const world = await createWorld()
  const cli = await createQuickCommandLine(world.address)
  const { model } = await prepare(cli)
  await signIn(cli, world)
  await cli.json('bundles', 'sign', model, '--key', 'key.pem')

  expect(await verify(cli, '--key', 'other.pub')).toMatchObject({
    exit: 3,
    stdout: expect.stringMatching(/not declared|Do not trust/i),
  })
  expect(await verify(cli, '--repository', 'https://github.com/acme/models')).toMatchObject({ exit: 3 })
  expect(errorOf(await verify(cli, '--json')).message).toMatch(/who may sign/)
  expect(errorOf(await verify(cli, '--key', 'key.pub', '--certificate-oidc-issuer', issuer, '--json')).message).toMatch(
    /requires/,
  )
  await cli.write('none.json', '{"hello":1}')
  expect(await cli.call(['bundles', 'verify', 'tiny', '--bundle', 'none.json', '--key', 'key.pub'])).toMatchObject({
    exit: 3,
  })

  await cli.json('signers', 'add', '--key', 'key.pub')
  const { model_id } = await cli.json<{ model_id: string }>(
    'models',
    'register',
    '--identifier',
    'other',
    '--digest',
    `sha256:${'a'.repeat(64)}`,
    ...card,
  )
  const wrong = await cli.call(['bundles', 'upload', model_id, 'tiny/model.sig'])
  expect(wrong).toMatchObject({ exit: 3, stdout: expect.stringContaining('for another model') })
  expect(errorOf(await cli.call(['bundles', 'upload', model_id, 'none.json', '--json'])).message).toMatch(
    /not a Sigstore bundle/,
  )
  expect(errorOf(await cli.call(['models', 'verify-bundle', 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm', '--json'])).code).toBe(
    'not_found',
  )

  // Asking for a check passes no bundle.
  const known = await cli.call(['models', 'verify-bundle', model_id])
  expect(known).toMatchObject({ exit: 3, stdout: expect.stringContaining('just checked: invalid') })
  expect((await cli.call(['models', 'verify-bundle', model_id, '--force'])).exit).toBe(9)
  const asked = cli.call(['models', 'verify-bundle', model_id, '--force', '--wait'])
  const checking = setInterval(() => void world.jobs.run('bundles').catch(() => {}), 100)
  expect(await asked.finally(() => clearInterval(checking))).toMatchObject({
    exit: 3,
    stdout: expect.stringContaining('for another model'),
  })
})

it('signs everything but the signature and ignored paths; detects extra files; rejects locked and unusable keys', async () => {
  const cli = await createQuickCommandLine('http://127.0.0.1:9')
  const { model, bundle } = await prepare(cli)
  await writeFile(join(model, 'notes.txt'), 'mine')
  await cli.json('bundles', 'sign', 'tiny', '--key', 'key.pem', '--ignore-path', 'notes.txt')
  expect((await verify(cli, '--key', 'key.pub')).exit).toBe(0)
  // Signing again replaces the signature, which is not part of the model.
  await cli.json('bundles', 'sign', 'tiny', '--key', 'key.pem', '--ignore-path', 'notes.txt')
  await writeFile(join(model, 'extra.bin'), 'x')
  expect(await verify(cli, '--key', 'key.pub')).toMatchObject({
    exit: 3,
    stdout: expect.stringContaining('extra    extra.bin'),
  })
  expect((await verify(cli, '--key', 'key.pub', '--ignore-unsigned-files')).exit).toBe(0)

  const moved = await cli.write('elsewhere.json', await readFile(bundle))
  const digest = (
    await cli.json<{ digest: string }>(
      'models',
      'digest',
      'tiny',
      '--ignore-path',
      'notes.txt',
      '--ignore-path',
      'extra.bin',
    )
  ).digest
  expect((await cli.call(['verify-bundle', '--bundle', moved, '--key', 'key.pub', digest])).exit).toBe(0)
  expect(
    (await cli.call(['verify-bundle', '--bundle', moved, '--key', 'key.pub', `sha256:${'0'.repeat(64)}`])).exit,
  ).toBe(3)

  expect(
    errorOf(await cli.call(['bundles', 'sign', 'tiny', '--key', 'key.pem', '--output', 'tiny/config.json', '--json']))
      .message,
  ).toMatch(/it would be overwritten/)
  expect(errorOf(await cli.call(['bundles', 'sign', 'tiny', '--key', 'key.pub', '--json'])).message).toMatch(
    /public key/,
  )
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1_024 })
  await cli.write('short.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }))
  expect(errorOf(await cli.call(['bundles', 'sign', 'tiny', '--key', 'short.pem', '--json'])).message).toMatch(
    /P-256.*4,096/,
  )
  await cli.write(
    'locked.pem',
    ecKeys().privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'heron' }),
  )
  expect(errorOf(await cli.call(['bundles', 'sign', 'tiny', '--key', 'locked.pem', '--json'])).hint).toMatch(
    /COUNTERSIGN_KEY_PASSPHRASE/,
  )
  const env = { COUNTERSIGN_KEY_PASSPHRASE: 'heron' }
  expect((await cli.call(['bundles', 'sign', 'tiny', '--key', 'locked.pem'], { env })).exit).toBe(0)
})

/** A statement as other signers make it: in pieces, or with another hash. */
const signOtherwise = async (
  cli: CommandLine,
  {
    algorithm,
    hash,
    shard_size,
    isSizeTold = true,
  }: { algorithm: string; hash: string; shard_size?: number; isSizeTold?: boolean },
) => {
  const keys = ecKeys()
  await cli.write('theirs.pub', keys.publicKey.export({ type: 'spki', format: 'pem' }))
  const names = ['config.json', 'weights/part-1.safetensors', 'weights/part-2.safetensors']
  const resources = await Promise.all(
    names.map(async (name) => {
      const bytes = await readFile(join(cli.folder, 'tiny', name))
      const size = shard_size ?? bytes.length
      return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => {
        const end = Math.min((index + 1) * size, bytes.length)
        const digest = createHash(hash)
          .update(bytes.subarray(index * size, end))
          .digest('hex')
        return { name: shard_size === undefined ? name : `${name}:${index * size}:${end}`, algorithm, digest }
      })
    }),
  )
  const listed = resources.flat()
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: 'tiny', digest: { sha256: rootDigest(listed).slice('sha256:'.length) } }],
    predicateType: 'https://model_signing/signature/v1.0',
    predicate: {
      resources: listed,
      serialization: {
        method: shard_size === undefined ? 'files' : 'shards',
        hash_type: algorithm,
        allow_symlinks: false,
        ...(isSizeTold && { shard_size }),
      },
    },
  }
  await cli.write('theirs.sig', JSON.stringify(signStatement(statement, keys, { publicKey: { hint: '' } })))
}

it.each([
  { name: 'in pieces of three bytes', algorithm: 'sha256-sharded-3', hash: 'sha256', shard_size: 3 },
  { name: 'by SHA-512', algorithm: 'sha512', hash: 'sha512' },
  { name: 'by BLAKE2b, in pieces', algorithm: 'blake2b', hash: 'blake2b512', shard_size: 4 },
])(
  'compares a folder that others signed $name file by file, and registers only an equal one',
  async (how) => {
    const cli = await createQuickCommandLine('http://127.0.0.1:9')
    const { model, part } = await prepare(cli)
    await signOtherwise(cli, how)
    const check = (...args: string[]) =>
      cli.call(['bundles', 'verify', 'tiny', '--bundle', 'theirs.sig', '--key', 'theirs.pub', '--json', ...args])
    const filesOf = ({ stdout }: { stdout: string }) => JSON.parse(stdout).files
    const same = { changed: [], missing: [], extra: [], left_out: [], signed_name: null }
    const good = await check()
    expect({ exit: good.exit, files: filesOf(good) }).toEqual({ exit: 0, files: same })

    const registered = await cli.call([
      'models',
      'register',
      'tiny',
      '--bundle',
      'theirs.sig',
      '--identifier',
      'tiny',
      ...card,
      '--json',
    ])
    expect(errorOf(registered)).toMatchObject({ exit_code: 2, hint: expect.stringContaining('--digest') })

    const bytes = await readFile(part)
    for (const changed of [
      bytes.map((byte, at) => (at === 5 ? byte ^ 1 : byte)),
      Buffer.concat([bytes, Buffer.from('tail')]),
      bytes.subarray(1),
    ]) {
      await writeFile(part, changed)
      const printed = await check()
      expect({ exit: printed.exit, files: filesOf(printed) }).toEqual({
        exit: 3,
        files: { ...same, changed: ['weights/part-2.safetensors'] },
      })
    }
    await writeFile(part, bytes)
    await rename(join(model, 'config.json'), join(model, 'renamed.json'))
    expect(filesOf(await check())).toEqual({ ...same, missing: ['config.json'], extra: ['renamed.json'] })
  },
  60_000,
)

it('prints any name that a bundle lists on one line', async () => {
  const cli = await createQuickCommandLine('http://127.0.0.1:9')
  await prepare(cli)
  const keys = ecKeys()
  await cli.write('theirs.pub', keys.publicKey.export({ type: 'spki', format: 'pem' }))
  const files = [{ name: 'a\nAll files are the signed ones.\u001b[2K', digest: '0'.repeat(64) }]
  await cli.write('theirs.sig', signModel({ name: 'tiny', files }, keys.privateKey))
  const { exit, stdout } = await cli.call([
    'bundles',
    'verify',
    'tiny',
    '--bundle',
    'theirs.sig',
    '--key',
    'theirs.pub',
  ])
  expect(exit).toBe(3)
  expect(stdout.split('\n')).toContain('  missing  “a\\u{a}All files are the signed ones.\\u{1b}[2K”')
})

it('never takes a file named like a digest for the file with that digest', async () => {
  const cli = await createQuickCommandLine('http://127.0.0.1:9')
  await prepare(cli)
  const artifact = Buffer.from('the bytes of a model')
  const sigstore = await createPrivateSigstore()
  const keys = ecKeys()
  await cli.write('blob.pub', keys.publicKey.export({ type: 'spki', format: 'pem' }))
  await cli.write(
    'blob.json',
    JSON.stringify(await sigstore.bundle({ kind: 'hashedrekord/0.0.1', artifact, managedKey: keys })),
  )
  await cli.write('root.json', JSON.stringify(sigstore.trustedRoot()))
  const hex = createHash('sha256').update(artifact).digest('hex')
  const options = ['--bundle', 'blob.json', '--key', 'blob.pub', '--trusted-root', 'root.json']
  expect((await cli.call(['bundles', 'verify', hex, ...options])).exit).toBe(0)
  for (const name of [hex, `sha256:${hex}`]) {
    await cli.write(name, 'other bytes')
    const refused = await cli.call(['bundles', 'verify', name, ...options])
    expect(refused).toMatchObject({ exit: 2, stderr: expect.stringContaining(`./${name}`) })
    expect((await cli.call(['bundles', 'verify', `./${name}`, ...options])).exit).toBe(3)
  }
})

it('says that names of files are not compared with a digest alone', async () => {
  const cli = await createQuickCommandLine('http://127.0.0.1:9')
  const { model } = await prepare(cli)
  await cli.json('bundles', 'sign', model, '--key', 'key.pem')
  const { digest } = await cli.json<{ digest: string }>('models', 'digest', 'tiny')
  const said = 'Only the digest was compared, not the names of the files.'
  const checked = await cli.call(['bundles', 'verify', digest, '--bundle', 'tiny/model.sig', '--key', 'key.pub'])
  expect(checked).toMatchObject({ exit: 0, stdout: expect.stringContaining(said) })
  expect((await verify(cli, '--key', 'key.pub')).stdout).not.toContain(said)
})

it('reports a bundle whose list cannot be compared here', async () => {
  const cli = await createQuickCommandLine('http://127.0.0.1:9')
  await prepare(cli)
  await signOtherwise(cli, { algorithm: 'sha256', hash: 'sha256', shard_size: 3, isSizeTold: false })
  const outcome = await cli.call([
    'bundles',
    'verify',
    'tiny',
    '--bundle',
    'theirs.sig',
    '--key',
    'theirs.pub',
    '--json',
  ])
  expect(errorOf(outcome)).toMatchObject({ exit_code: 9, message: expect.stringContaining('without their size') })
})

it('reports an expired trusted root, and accepts another', async () => {
  const cli = await createQuickCommandLine('http://127.0.0.1:9')
  const artifact = Buffer.from('the bytes of a model')
  const file = await cli.write('model.bin', artifact)
  const sigstore = await createPrivateSigstore()
  await cli.write('model.json', JSON.stringify(await sigstore.bundle({ kind: 'hashedrekord/0.0.1', artifact })))
  const root = sigstore.trustedRoot()
  await cli.write('root.json', JSON.stringify(root))
  for (const authority of root.certificateAuthorities)
    authority.validFor.end = new Date(sigstore.start.getTime() - 60_000).toISOString()
  await cli.write('ended.json', JSON.stringify(root))
  const call = (rootFile: string, who = identity) =>
    cli.call([
      'bundles',
      'verify',
      file,
      '--bundle',
      'model.json',
      '--certificate-identity',
      who,
      '--certificate-oidc-issuer',
      issuer,
      '--trusted-root',
      rootFile,
    ])
  expect(await call('ended.json')).toMatchObject({
    exit: 9,
    stdout: expect.stringContaining('Replace it with the current one'),
  })
  expect((await call('root.json')).exit).toBe(0)
  // A prefix or a pattern is a different identity.
  expect((await call('root.json', identity.slice(0, -1))).exit).toBe(3)
  expect((await call('root.json', '.*')).exit).toBe(3)
})

/** The client of the certificate authority reads the identity token from the environment of its process. */
const startKeyless = async () => {
  const cli = await createCommandLine('http://127.0.0.1:9')
  const sigstore = await startSigstoreServer()
  onTestFinished(sigstore.close)
  await prepare(cli)
  await cli.write('root.json', JSON.stringify(sigstore.trustedRoot()))
  const env = { SIGSTORE_ID_TOKEN: identityToken({ iss: issuer, sub: identity }) }
  const services = ['--fulcio-url', sigstore.url, '--rekor-url', sigstore.url]
  const sign = (...args: string[]) => cli.call(['bundles', 'sign', 'tiny', '--keyless', ...services, ...args], { env })
  const check = (who = identity) =>
    verify(cli, '--certificate-identity', who, '--certificate-oidc-issuer', issuer, '--trusted-root', 'root.json')
  return { cli, sigstore, env, sign, check }
}

itInFull(
  'signs in CI by its identity, with the log’s time or another authority’s, and verifies the bundle',
  async () => {
    const { cli, sigstore, sign, check } = await startKeyless()
    expect(await sign()).toMatchObject({ exit: 0 })
    expect(sigstore.requests).toEqual(['POST /api/v2/signingCert', 'POST /api/v1/log/entries'])
    expect(await check()).toMatchObject({ exit: 0, stdout: expect.stringContaining(identity) })
    expect((await check(identity.replace('acme', 'acme-evil'))).exit).toBe(3)
    expect(await sign('--tsa-url', sigstore.url)).toMatchObject({ exit: 0 })
    expect((await check()).exit).toBe(0)
    await writeFile(join(cli.folder, 'tiny', 'config.json'), '{ "layers": 3 }')
    expect(await check()).toMatchObject({ exit: 3, stdout: expect.stringContaining('changed  config.json') })
  },
)

it('signs in CI with a version 2 log and a timestamp authority, and prints the signer to declare', async () => {
  const { sigstore, sign, check } = await startKeyless()
  const without = await sign('--rekor-version', '2', '--json')
  expect(errorOf(without)).toMatchObject({ exit_code: 2, message: expect.stringContaining('--tsa-url') })
  expect(errorOf(await sign('--rekor-version', '3', '--json'))).toMatchObject({ exit_code: 2 })
  expect(sigstore.requests).toEqual([])
  const { exit, stdout, stderr } = await sign('--rekor-version', '2', '--tsa-url', sigstore.url)
  expect({ exit, stderr }).toEqual({
    exit: 0,
    stderr: expect.stringContaining(
      `signers add --repository https://github.com/acme/models --certificate-oidc-issuer ${issuer}`,
    ),
  })
  expect(stdout).toContain(identity)
  expect(sigstore.requests.toSorted()).toEqual([
    'POST /api/v1/timestamp',
    'POST /api/v2/log/entries',
    'POST /api/v2/signingCert',
  ])
  expect(await check()).toMatchObject({ exit: 0, stdout: expect.stringContaining('rekor-v2') })
})

it('fetches a signature that the log already has, and explains a rejection or a missing identity', async () => {
  const { cli, sigstore, env, sign, check } = await startKeyless()
  sigstore.faults.conflict = true
  expect(await sign()).toMatchObject({ exit: 0 })
  expect((await check()).exit).toBe(0)
  sigstore.faults.conflict = false
  sigstore.faults.refuse.add('/api/v1/log/entries')
  expect(errorOf(await sign('--json'))).toMatchObject({
    exit_code: 8,
    message: expect.stringContaining('The log did not record'),
  })
  sigstore.faults.refuse.add('/api/v2/signingCert')
  const refused = await sign('--json')
  expect(errorOf(refused)).toMatchObject({
    exit_code: 8,
    message: expect.stringContaining('The authority issued no certificate'),
  })
  expect(refused.stderr).not.toContain(env.SIGSTORE_ID_TOKEN)
  const none = await cli.call(['bundles', 'sign', 'tiny', '--keyless', '--json'])
  expect(errorOf(none)).toMatchObject({ exit_code: 4, hint: expect.stringContaining('id-token: write') })
  const unreadable = await cli.call(['bundles', 'sign', 'tiny', '--keyless', '--json'], {
    env: { SIGSTORE_ID_TOKEN: 'a.canary.b' },
  })
  expect(errorOf(unreadable).exit_code).toBe(4)
  expect(unreadable.stderr).not.toContain('canary')
})

it('reads every byte, leaves out only the given bundles, and says Verified only if verified', async () => {
  const cli = await createQuickCommandLine('http://127.0.0.1:9')
  const { model, part } = await prepare(cli)
  await cli.json('bundles', 'sign', 'tiny', '--key', 'key.pem')
  await cli.json('models', 'digest', 'tiny')
  // A cache with digests of other content, as after a change that left the file times unchanged.
  const stored = join(cli.folder, '.cache/countersign/digests.json')
  if (existsSync(stored))
    await writeFile(
      stored,
      (await readFile(stored, 'utf8')).replace(/sha256:[0-9a-f]{64}/g, `sha256:${'0'.repeat(64)}`),
    )
  expect((await verify(cli, '--key', 'key.pub')).exit).toBe(0)

  await rename(join(model, 'model.sig'), join(cli.folder, 'own.sig'))
  const elsewhere = () => cli.call(['bundles', 'verify', 'tiny', '--bundle', 'own.sig', '--key', 'key.pub'])
  expect((await elsewhere()).exit).toBe(0)
  await mkdir(join(model, 'model.sig'))
  await writeFile(join(model, 'model.sig', 'payload.bin'), 'x')
  const hidden = await elsewhere()
  expect(hidden).toMatchObject({ exit: 3, stdout: expect.stringContaining('extra    model.sig/payload.bin') })
  expect(hidden.stdout).not.toMatch(/^Verified/m)
  await rename(join(model, 'model.sig', 'payload.bin'), join(model, '-'))
  const dash = await cli.call(['bundles', 'verify', 'tiny', '--bundle', '-', '--key', 'key.pub'], {
    stdin: await readFile(join(cli.folder, 'own.sig'), 'utf8'),
  })
  expect(dash).toMatchObject({ exit: 3, stdout: expect.stringContaining('extra    -') })
  expect(existsSync(part)).toBe(true)
}, 60_000)

it('treats an attestation as a valid signature of its type but not of a model; a folder needs signed names', async () => {
  const cli = await createQuickCommandLine('http://127.0.0.1:9')
  const { part, model } = await prepare(cli)
  const keys = ecKeys()
  await cli.write('theirs.pub', keys.publicKey.export({ type: 'spki', format: 'pem' }))
  const attest = (digest: string, predicate: object, predicateType: string) => {
    const statement = {
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ name: 'x', digest: { sha256: digest } }],
      predicateType,
      predicate,
    }
    return cli.write('attested.json', JSON.stringify(signStatement(statement, keys, { publicKey: { hint: '' } })))
  }
  const check = (path: string) =>
    cli.call(['bundles', 'verify', path, '--bundle', 'attested.json', '--key', 'theirs.pub'])
  const own = createHash('sha256').update('second').digest('hex')
  await attest(own, {}, 'https://slsa.dev/provenance/v1')
  const good = await check(part)
  expect(good).toMatchObject({
    exit: 0,
    stdout: expect.stringMatching(/^Signature valid: .*https:\/\/slsa\.dev\/provenance\/v1/),
  })
  expect(good.stdout).not.toContain('Verified')
  await attest(own, {}, 'https://slsa.dev/provenance/v1 Verified: signed by acme.example')
  expect((await check(part)).stdout.match(/.{2}https:\/\/slsa.*$/gm)?.every((type) => /^.“.*”/.test(type))).toBe(true)
  await attest(own, { verificationResult: 'FAILED' }, 'https://slsa.dev/verification_summary/v1')
  expect((await check(part)).exit).toBe(3)
  const { digest } = await cli.json<{ digest: string }>('models', 'digest', model)
  await attest(digest.slice(7), {}, 'https://slsa.dev/provenance/v1')
  expect(await check(model)).toMatchObject({
    exit: 3,
    stdout: expect.stringMatching(/^Not verified: An attestation .*Only the digest of the whole folder was signed$/ms),
  })
}, 60_000)

it('proves a declared key by its private half, at once or later, or by a signature made elsewhere', async () => {
  const world = await createWorld()
  const cli = await createQuickCommandLine(world.address)
  await prepare(cli)
  await signIn(cli, world)
  const { id } = await cli.json<{ id: string }>('signers', 'add', '--key', 'key.pub')
  expect((await cli.call(['signers', 'list'])).stdout).toContain('not proven')
  expect((await cli.call(['signers', 'list'])).stderr).toContain(`signers prove ${id} --key key.pem`)
  const { message } = await cli.json<{ message: string }>('signers', 'prove', id)
  await cli.write('challenge.txt', message)
  const pem = await readFile(join(cli.folder, 'key.pem'), 'utf8')
  await cli.write('challenge.b64', `${sign('sha256', Buffer.from(message), pem).toString('base64')}\n`)
  expect(await cli.json('signers', 'prove', id, '--signature', 'challenge.b64')).toMatchObject({ id, tied: true })
  expect(await cli.json('signers', 'prove', id, '--key', 'key.pem')).toMatchObject({ id, tied: true })
  await cli.json('signers', 'remove', id, '--yes')
  expect(await cli.json('signers', 'add', '--key', 'key.pem')).toMatchObject({ tied: true })
}, 60_000)
