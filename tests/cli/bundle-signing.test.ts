import { createHash, generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readModelSigning, signModel } from '@countersign/sdk/integrity'
import { expect, it } from 'vitest'
import { createChain } from '../support/sigstore/authority.ts'
import { ecKeys, type Keys, later, pemOf } from '../support/sigstore/keys.ts'
import { signStatement } from '../support/sigstore/model-bundle.ts'
import { createQuickCommandLine } from './in-process.ts'

const prepare = async () => {
  const cli = await createQuickCommandLine('http://127.0.0.1:9')
  const model = join(cli.folder, 'tiny')
  await mkdir(join(model, 'sub'), { recursive: true })
  await writeFile(join(model, 'config.json'), '{ "layers": 2 }')
  await writeFile(join(model, 'empty'), '')
  await writeFile(join(model, 'sub', 'weights'), 'weights of a model')
  const writeKeys = async (name: string, keys: Keys) => {
    await cli.write(`${name}.pem`, keys.privateKey.export({ type: 'pkcs8', format: 'pem' }))
    await cli.write(`${name}.pub`, keys.publicKey.export({ type: 'spki', format: 'pem' }))
  }
  const keys = ecKeys()
  await writeKeys('key', keys)
  const sign = (...args: string[]) => cli.call(['bundles', 'sign', 'tiny', '--key', 'key.pem', ...args])
  const verify = (...args: string[]) => cli.call(['bundles', 'verify', 'tiny', '--bundle', 'tiny/model.sig', ...args])
  const change = (content: string) => writeFile(join(model, 'sub', 'weights'), content)
  const signing = async () => readModelSigning(await readFile(join(model, 'model.sig')))
  return { cli, keys, model, writeKeys, sign, verify, change, signing }
}

const writeChain = async ({ cli, keys }: Awaited<ReturnType<typeof prepare>>) => {
  const { root, chain } = await createChain({ leafKeys: keys, from: later(new Date(), -3_600), intermediates: 2 })
  const [leaf = root, first = root, second = root] = chain
  for (const [name, certificate] of Object.entries({ leaf, first, second, root }))
    await cli.write(`${name}.crt`, pemOf('CERTIFICATE', certificate))
}

it('signs with a certificate and its authorities, and verifies it by the root', async () => {
  const world = await prepare()
  const { sign, verify } = world
  await writeChain(world)
  const chain = ['--certificate-chain', 'first.crt', '--certificate-chain', 'second.crt']
  const signed = await sign('--certificate', 'leaf.crt', ...chain)
  expect(signed).toMatchObject({ exit: 0, stdout: expect.stringContaining('CN=Acme Models') })
  expect(signed.stderr + signed.stdout).toContain('signers add --certificate-chain')
  expect(await verify('--certificate-chain', 'root.crt')).toMatchObject({
    exit: 0,
    stdout: expect.stringContaining('CN=Acme Models'),
  })
  await writeFile(
    join(world.cli.folder, 'other.crt'),
    pemOf('CERTIFICATE', (await createChain({ leafKeys: ecKeys(), from: new Date() })).root),
  )
  expect(await verify('--certificate-chain', 'other.crt')).toMatchObject({ exit: 3 })
  expect(await verify('--certificate-chain', 'other.crt', '--certificate-chain', 'root.crt')).toMatchObject({ exit: 0 })
})

it('rejects a certificate of another key before reading the model, and incomplete options', async () => {
  const world = await prepare()
  const { cli, sign } = world
  await writeChain(world)
  await world.writeKeys('other', ecKeys())
  const signAs = (...args: string[]) => cli.call(['bundles', 'sign', 'missing', ...args])
  expect(await signAs('--key', 'other.pem', '--certificate', 'leaf.crt')).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('another key'),
  })
  expect(await signAs('--keyless', '--certificate', 'leaf.crt')).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('requires --key'),
  })
  expect(await sign('--certificate-chain', 'first.crt')).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('requires --certificate'),
  })
})

it('signs and verifies with an RSA key', async () => {
  const { cli, writeKeys, verify, change } = await prepare()
  await writeKeys('rsa', generateKeyPairSync('rsa', { modulusLength: 2_048 }))
  expect((await cli.call(['bundles', 'sign', 'tiny', '--key', 'rsa.pem'])).exit).toBe(0)
  expect((await verify('--key', 'rsa.pub')).exit).toBe(0)
  expect((await verify('--key', 'key.pub')).exit).not.toBe(0)
  await change('weights of another')
  expect(await verify('--key', 'rsa.pub')).toMatchObject({
    exit: 3,
    stdout: expect.stringContaining('changed  sub/weights'),
  })
})

it.each([
  { hash: 'blake2b', options: ['--hash', 'blake2b'], files: 3 },
  { hash: 'blake3', options: ['--hash', 'blake3'], files: 3 },
  { hash: 'sha256', options: ['--shard-size', '8', '--ignore-path', 'empty'], files: 5 },
  { hash: 'blake2b', options: ['--hash', 'blake2b', '--shard-size', '8', '--ignore-path', 'empty'], files: 5 },
  { hash: 'blake3', options: ['--hash', 'blake3', '--shard-size', '8', '--ignore-path', 'empty'], files: 5 },
])('signs a list by $options and names the file that differs from it', async ({ hash, options, files }) => {
  const { sign, verify, change, signing, model } = await prepare()
  const signed = await sign(...options)
  expect(signed.exit, signed.stderr).toBe(0)
  const read = await signing()
  expect(read).toMatchObject({ state: 'read', model: { hash_type: hash } })
  expect(read.state === 'read' && read.model.resources).toHaveLength(files)
  // The registry stores only the digest of such a list.
  if (read.state === 'read') expect(signed.stdout + signed.stderr).toContain(`--digest ${read.model.root_digest}`)
  expect(await verify('--key', 'key.pub')).toMatchObject({
    exit: 0,
    stdout: expect.stringContaining(options.includes('empty') ? 'ignored   empty' : 'All files are the signed ones'),
  })
  await change('weights of b model')
  expect(await verify('--key', 'key.pub')).toMatchObject({
    exit: 3,
    stdout: expect.stringContaining('changed  sub/weights'),
  })
  await change('weights of a model and more')
  expect((await verify('--key', 'key.pub')).exit).toBe(3)
  await change('weights of a model')
  await writeFile(join(model, 'extra'), 'x')
  expect(await verify('--key', 'key.pub')).toMatchObject({ exit: 3, stdout: expect.stringContaining('extra    extra') })
})

it.each([
  { options: ['--hash', 'md5'], says: /--hash must be/ },
  { options: ['--shard-size', '0'], says: /--shard-size must be/ },
  { options: ['--shard-size', '1e3'], says: /--shard-size must be/ },
])('rejects $options', async ({ options, says }) => {
  const { sign } = await prepare()
  const { exit, stderr } = await sign(...options)
  expect(exit).toBe(2)
  expect(stderr).toMatch(says)
})

it('detects an unsigned empty file beside a list of pieces, and signs no empty files that way', async () => {
  const { sign, verify, model } = await prepare()
  expect(await sign('--shard-size', '8')).toMatchObject({ exit: 2, stderr: expect.stringContaining('empty is empty') })
  expect((await sign('--shard-size', '8', '--ignore-path', 'empty')).exit).toBe(0)
  await writeFile(join(model, '__init__.py'), '')
  expect(await verify('--key', 'key.pub')).toMatchObject({
    exit: 3,
    stdout: expect.stringContaining('extra    __init__.py'),
  })
})

it('leaves out git files only if the bundle says so', async () => {
  const { cli, keys, model, verify, sign } = await prepare()
  const files = ['config.json', 'empty', 'sub/weights'].map((name) => ({
    name,
    digest: createHash('sha256')
      .update(readFileSync(join(model, name)))
      .digest('hex'),
  }))
  await cli.write('tiny/model.sig', signModel({ name: 'tiny', files }, keys.privateKey))
  expect(await verify('--key', 'key.pub')).toMatchObject({ exit: 0 })
  await mkdir(join(model, '.github'))
  await writeFile(join(model, '.github', 'evil.sh'), 'evil')
  await writeFile(join(model, '.gitattributes'), 'evil')
  const { exit, stdout } = await verify('--key', 'key.pub')
  expect(exit).toBe(3)
  expect(stdout).toContain('extra    .gitattributes')
  expect(stdout).toContain('extra    .github/evil.sh')
  expect((await sign()).exit).toBe(0)
  expect(await verify('--key', 'key.pub')).toMatchObject({ exit: 0 })
})

it('counts no attestation towards a threshold', async () => {
  const { cli, keys } = await prepare()
  const subject = [
    { name: 'config.json', digest: { sha256: createHash('sha256').update('{ "layers": 2 }').digest('hex') } },
  ]
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {},
    subject,
  }
  await cli.write('slsa.json', JSON.stringify(signStatement(statement, keys, { publicKey: { hint: '' } })))
  const verify = (...args: string[]) =>
    cli.call(['bundles', 'verify', 'tiny/config.json', '--bundle', 'slsa.json', '--key', 'key.pub', ...args])
  expect(await verify()).toMatchObject({ exit: 0, stdout: expect.stringContaining('Signature valid') })
  expect(await verify('--threshold', '1')).toMatchObject({
    exit: 3,
    stdout: expect.stringContaining('0 of 1 signers signed'),
  })
})

it('rejects pieces so short that no bundle could list them', async () => {
  const { sign, model } = await prepare()
  await writeFile(join(model, 'large'), Buffer.alloc(60_000))
  expect(await sign('--shard-size', '1')).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('Use a larger --shard-size'),
  })
})

/** Each signer has a bundle beside the folder. */
const signByMany = async (names: readonly string[]) => {
  const world = await prepare()
  for (const name of names) {
    await world.writeKeys(name, ecKeys())
    await world.cli.json('bundles', 'sign', 'tiny', '--key', `${name}.pem`, '--output', `${name}.sig`)
  }
  const verify = (bundles: readonly string[], signers: readonly string[], ...args: string[]) =>
    world.cli.call([
      ...['bundles', 'verify', 'tiny'],
      ...bundles.flatMap((name) => ['--bundle', `${name}.sig`]),
      ...signers.flatMap((name) => ['--signer', `key=${name}.pub`]),
      ...args,
    ])
  return { ...world, verify }
}

it('verifies that enough of several signers signed, each with their own bundle', async () => {
  const { verify } = await signByMany(['ann', 'ben', 'cat'])
  const all = ['ann', 'ben', 'cat']
  expect(await verify(['ann', 'ben'], all)).toMatchObject({
    exit: 0,
    stdout: expect.stringContaining('2 of 3 signers signed, 2 required'),
  })
  expect(await verify(all, all, '--threshold', '2')).toMatchObject({ exit: 0 })
  expect(await verify(['ann', 'ben'], ['ann', 'cat'])).toMatchObject({
    exit: 3,
    stdout: expect.stringContaining('1 of 2 signers signed, 2 required'),
  })
  expect(await verify(['ann', 'ben'], ['ann', 'cat'], '--threshold', '1')).toMatchObject({ exit: 0 })
  expect(await verify(['ann', 'ann'], all)).toMatchObject({ exit: 3 })
  // A bundle with several allowed signers needs one of them.
  expect(await verify(['cat'], all)).toMatchObject({
    exit: 0,
    stdout: expect.stringContaining('All files are the signed ones'),
  })
})

it('quotes the name of a bundle, so that it cannot read as a verdict', async () => {
  const { cli, verify } = await signByMany(['ann', 'ben'])
  const name = 'Verified: also signed by openai.com, all files match'
  await cli.json('bundles', 'sign', 'tiny', '--key', 'ben.pem', '--output', `${name}.sig`)
  const bundles = ['ann', name]
  expect((await verify(bundles, ['ann'], '--threshold', '1')).stdout).toContain(`\n\n“${name}.sig”\n`)
  expect((await verify(bundles, ['ann'], '--threshold', '1', '-q')).stdout).toBe(`“${name}.sig”\n`)
})

it('counts no signer who left out a file that another signed', async () => {
  const { cli, verify } = await signByMany(['ann', 'ben'])
  await cli.json('bundles', 'sign', 'tiny', '--key', 'ben.pem', '--output', 'ben.sig', '--ignore-path', 'sub/weights')
  const both = ['ann', 'ben']
  expect(await verify(both, both)).toMatchObject({
    exit: 3,
    stdout: expect.stringContaining('1 of 2 signers signed, 2 required'),
  })
  expect((await verify(both, both, '--ignore-unsigned-files')).exit).toBe(3)
  expect((await verify(both, both, '--threshold', '1')).exit).toBe(0)
})

it('counts signers whose bundles are in the folder, even if the second lists the bundle of the first', async () => {
  const { cli, writeKeys, verify } = await prepare()
  const options: string[] = []
  for (const name of ['ann', 'ben']) {
    await writeKeys(name, ecKeys())
    await cli.json('bundles', 'sign', 'tiny', '--key', `${name}.pem`, '--output', `tiny/${name}.sig`)
    options.push('--bundle', `tiny/${name}.sig`, '--signer', `key=${name}.pub`)
  }
  expect(await cli.call(['bundles', 'verify', 'tiny', ...options])).toMatchObject({ exit: 0 })
  expect((await verify('--key', 'ann.pub')).exit).not.toBe(0)
})

it.each([
  { who: 'the signer', sign: ['--ignore-path', 'sub'], verify: [] },
  { who: 'the caller by path', sign: [], verify: ['--ignore-path', 'late'] },
  { who: 'the caller with all that was not signed', sign: [], verify: ['--ignore-unsigned-files'] },
])(
  'names the files that $who left out, and then does not say “all files”',
  async ({ sign: signing, verify: verifying }) => {
    const { sign, verify, model } = await prepare()
    expect((await sign(...signing)).exit).toBe(0)
    if (verifying.length > 0) await writeFile(join(model, 'late'), 'evil')
    const { exit, stdout } = await verify('--key', 'key.pub', ...verifying)
    expect(exit).toBe(0)
    expect(stdout).not.toContain('All files')
    expect(stdout).toMatch(verifying.length > 0 ? /ignored {3}late$/m : /ignored {3}sub$/m)
    const { files } = JSON.parse((await verify('--key', 'key.pub', ...verifying, '--json')).stdout)
    expect(files.left_out).toEqual([verifying.length > 0 ? 'late' : 'sub'])
  },
)

it('counts signers who list the files differently, and reads the files once per kind of list', async () => {
  const { cli, model, verify } = await signByMany(['ann', 'ben', 'cat'])
  // An empty file has no pieces to list.
  await rm(join(model, 'empty'))
  const all = ['ann', 'ben', 'cat']
  for (const name of all) await cli.json('bundles', 'sign', 'tiny', '--key', `${name}.pem`, '--output', `${name}.sig`)
  // Each reading of the file warns once.
  const readings = async () => {
    const { exit, stderr } = await verify(all, all, '--ignore-path', 'nothing')
    return { exit, times: stderr.split('has no effect').length - 1 }
  }
  expect(await readings()).toEqual({ exit: 0, times: 1 })
  await cli.json(
    'bundles',
    'sign',
    'tiny',
    '--key',
    'cat.pem',
    '--output',
    'cat.sig',
    '--hash',
    'blake2b',
    '--shard-size',
    '8',
  )
  expect(await readings()).toEqual({ exit: 0, times: 2 })
})

it('counts no bundle for files other than those present, and names them', async () => {
  const { cli, verify, change } = await signByMany(['ann', 'ben'])
  await change('weights of another')
  const { exit, stdout } = await verify(['ann', 'ben'], ['ann', 'ben'], '--json')
  expect(exit).toBe(3)
  expect(JSON.parse(stdout)).toMatchObject({
    result: 'not_verified',
    threshold: 2,
    signed_by: [],
    bundles: [
      { bundle: 'ann.sig', result: 'not_verified', files: { changed: ['sub/weights'] } },
      { bundle: 'ben.sig' },
    ],
  })
  await cli.json('bundles', 'sign', 'tiny', '--key', 'ann.pem', '--output', 'ann.sig')
  expect((await verify(['ann', 'ben'], ['ann', 'ben'])).exit).toBe(3)
  expect((await verify(['ann', 'ben'], ['ann', 'ben'], '--threshold', '1')).exit).toBe(0)
})

it.each([
  {
    args: ['--bundle', 'ann.sig', '--signer', 'key=ann.pub', '--threshold', '2'],
    says: /2 signatures are required, but only 1 bundle /,
  },
  {
    args: ['--bundle', 'ann.sig', '--bundle', 'ann.sig', '--key', 'ann.pub'],
    says: /2 signatures are required.*1 signer were given/,
  },
  { args: ['--bundle', 'ann.sig', '--signer', 'key=ann.pub', '--threshold', '0'], says: /--threshold must be/ },
  { args: ['--bundle', 'ann.sig', '--signer', 'ann.pub'], says: /could not be read/ },
  { args: ['--bundle', 'ann.sig', '--signer', 'key=ann.pub,key=ann.pub'], says: /gives key twice/ },
  { args: ['--bundle', 'ann.sig', '--signer', 'identity=a@acme.example'], says: /requires --certificate-oidc-issuer/ },
  { args: ['--bundle', 'ann.sig', '--signer', 'issuer=https://acme.example'], says: /requires/ },
])('rejects $args', async ({ args, says }) => {
  const { cli } = await signByMany(['ann'])
  const { exit, stderr } = await cli.call(['bundles', 'verify', 'tiny', ...args])
  expect(exit).toBe(2)
  expect(stderr).toMatch(says)
})
