import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createWorld } from '../support/world.ts'
import { createQuickCommandLine } from './in-process.ts'
import { errorOf } from './process.ts'

const sha256 = (content: string) => createHash('sha256').update(content).digest()
const hexOf = (content: string) => sha256(content).toString('hex')
const rootOf = (...contents: string[]) =>
  `sha256:${createHash('sha256')
    .update(Buffer.concat(contents.map(sha256)))
    .digest('hex')}`

/** The bundle of OpenSSF Model Signing with a key. */
const signedBy = (statement: object) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const payload = Buffer.from(JSON.stringify(statement))
  const payloadType = 'application/vnd.in-toto+json'
  const encoded = Buffer.concat([
    Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `),
    payload,
  ])
  const hint = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'pem' }))
    .digest('hex')
  return {
    mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
    verificationMaterial: { publicKey: { hint }, tlogEntries: [] },
    dsseEnvelope: {
      payload: payload.toString('base64'),
      payloadType,
      signatures: [{ sig: sign('sha256', encoded, privateKey).toString('base64'), keyid: '' }],
    },
  }
}

const card = [
  '--display-name',
  'Tiny',
  '--endpoint',
  'https://api.acme.example/v1',
  '--description',
  'A small model for chat',
]

const start = async () => {
  const world = await createWorld()
  const acme = await world.provider('acme', { isVerified: false })
  const cli = await createQuickCommandLine(world.address)
  const model = join(cli.folder, 'tiny')
  const write = async (name: string, content: string) => {
    await mkdir(dirname(join(model, name)), { recursive: true })
    await writeFile(join(model, name), content)
  }
  await write('config.json', '{}')
  await write('sub/weights.bin', 'weights')
  await write('.gitattributes', 'x')
  const env = { COUNTERSIGN_API_KEY: acme.apiKey }
  const call = (...args: string[]) => cli.call(args, { env })
  const register = async (...args: string[]) => {
    const outcome = await call('models', 'register', ...args, ...card, '--json')
    if (outcome.exit !== 0) throw new Error(outcome.stderr)
    return JSON.parse(outcome.stdout) as { model_id: string; model_digest: string }
  }
  const check = async (id: string, ...args: string[]) => {
    const outcome = await call('models', 'check', ...args, '--model', id, '--json')
    return { exit: outcome.exit, ...JSON.parse(outcome.stdout || '{}') }
  }
  return { world, acme, cli, model, write, call, register, check }
}

describe('the digest of a folder on the command line', { timeout: 60_000 }, () => {
  it('is the root digest, with every file', async () => {
    const { model, call, write } = await start()
    await write('model.sig', '{"mediaType":"application/vnd.dev.sigstore.bundle.v0.3+json"}')
    const { exit, stdout } = await call('models', 'digest', 'tiny', '--json')
    expect({ exit, ...JSON.parse(stdout) }).toEqual({
      exit: 0,
      kind: 'directory',
      digest: rootOf('{}', 'weights'),
      bytes: 9,
      files: [
        { name: 'config.json', size: 2, digest: `sha256:${hexOf('{}')}` },
        { name: 'sub/weights.bin', size: 7, digest: `sha256:${hexOf('weights')}` },
      ],
    })
    expect((await call('models', 'digest', model)).stdout).toBe(`${rootOf('{}', 'weights')}  ${model}\n`)
    expect((await call('models', 'digest', 'tiny', '--ignore-path', 'sub', '-q')).stdout).toBe(`${rootOf('{}')}\n`)
  })

  it.each([
    {
      what: 'a symbolic link',
      args: [],
      prepare: (model: string) => symlink('config.json', join(model, 'link')),
      hint: '--allow-symlinks',
    },
    {
      what: 'a link to a download that was not finished',
      args: ['--allow-symlinks'],
      prepare: (model: string) => symlink('../blobs/absent', join(model, 'model.bin')),
      hint: 'Finish the download',
    },
    {
      what: 'an empty folder',
      args: ['--ignore-path', 'sub', '--ignore-path', 'config.json'],
      prepare: async () => {},
      hint: 'folder',
    },
    {
      what: 'a name that means another place',
      args: [],
      prepare: (model: string) => writeFile(join(model, 'a\\b'), ''),
      hint: 'Rename',
    },
    { what: 'no number of jobs', args: ['--jobs', '0'], prepare: async () => {}, hint: null },
  ])('rejects $what and says what to do', async ({ args, prepare, hint }) => {
    const { call, model } = await start()
    await prepare(model)
    const outcome = await call('models', 'digest', 'tiny', '--json', ...args)
    expect({ exit: outcome.exit, stdout: outcome.stdout }).toEqual({ exit: 2, stdout: '' })
    if (hint !== null) expect(errorOf(outcome).hint).toContain(hint)
  })

  it.each(['nowhere', 'tiny/sub', '../sub', '/', '.'])(
    'warns of an ignored path that matches nothing: %s',
    async (path) => {
      const { call } = await start()
      const outcome = await call('models', 'digest', 'tiny', '--ignore-path', path, '--ignore-path', './sub/')
      expect(outcome).toMatchObject({ exit: 0, stdout: `${rootOf('{}')}  tiny\n` })
      expect(outcome.stderr).toBe(
        `warning: --ignore-path ${path} has no effect: there is no such path in tiny. Paths are relative to that folder\n`,
      )
    },
  )

  it('follows links if allowed, as a cache of the hub needs', async () => {
    const { call, model, cli } = await start()
    await mkdir(join(cli.folder, 'blobs'))
    await writeFile(join(cli.folder, 'blobs/1'), 'large')
    await symlink('../blobs/1', join(model, 'model.bin'))
    expect((await call('models', 'digest', 'tiny', '--allow-symlinks', '-q')).stdout).toBe(
      `${rootOf('{}', 'large', 'weights')}\n`,
    )
  })

  it('reuses cached digests of unchanged files, and --no-cache reads all', async () => {
    const { call, model, cli } = await start()
    const stored = join(cli.folder, '.cache/countersign/digests.json')
    // The file's own time is old, but it was written just now, so it is not cached.
    await utimes(join(model, 'config.json'), 1, 1)
    await call('models', 'digest', 'tiny')
    expect(existsSync(stored)).toBe(false)
    const whole = (await call('models', 'digest', process.execPath, '-q')).stdout
    await writeFile(stored, (await readFile(stored, 'utf8')).replace(/sha256:[0-9a-f]{64}/, `sha256:${'0'.repeat(64)}`))
    expect((await call('models', 'digest', process.execPath, '-q')).stdout).toBe(`sha256:${'0'.repeat(64)}\n`)
    expect((await call('models', 'digest', process.execPath, '-q', '--no-cache')).stdout).toBe(whole)
  })
})

describe('files compared with the registered version', { timeout: 60_000 }, () => {
  it('are equal, or each difference is listed', async () => {
    const { acme, model, write, register, check, call } = await start()
    const { model_id, model_digest } = await register('tiny', '--identifier', 'tiny')
    expect(model_digest).toBe(rootOf('{}', 'weights'))
    expect(await acme.client.models.get(model_id)).toMatchObject({ model_digest, digest_source: 'local-bytes' })
    expect(await acme.client.models.files(model_id)).toMatchObject({
      files: [
        { name: 'config.json', size: 2, sha256: hexOf('{}') },
        { name: 'sub/weights.bin', size: 7, sha256: hexOf('weights') },
      ],
    })
    expect(await check(model_id, 'tiny')).toMatchObject({
      exit: 0,
      result: 'same',
      compared: 'files',
      changed: [],
      missing: [],
      extra: [],
    })
    expect(await check('tiny', 'tiny')).toMatchObject({ exit: 0, model_id })

    await write('sub/weights.bin', 'weighty')
    await write('more.txt', 'more')
    await rm(join(model, 'config.json'))
    expect(await check(model_id, 'tiny')).toMatchObject({
      exit: 3,
      result: 'different',
      changed: [
        {
          name: 'sub/weights.bin',
          registered: { size: 7, sha256: hexOf('weights') },
          found: { size: 7, sha256: hexOf('weighty') },
        },
      ],
      missing: ['config.json'],
      extra: ['more.txt'],
    })
    const { exit, stdout } = await call('models', 'check', 'tiny', '--model', model_id)
    expect(exit).toBe(3)
    for (const line of ['changed  sub/weights.bin', 'missing  config.json', 'extra    more.txt'])
      expect(stdout).toContain(line)
  })

  it('with only changed names are different, although the digest is the same', async () => {
    const { model, register, check } = await start()
    const { model_id, model_digest } = await register('tiny', '--identifier', 'tiny')
    await rename(join(model, 'config.json'), join(model, 'renamed.json'))
    expect(await check(model_id, 'tiny')).toMatchObject({
      exit: 3,
      digest: model_digest,
      missing: ['config.json'],
      extra: ['renamed.json'],
    })
  })

  it('are compared only as a whole if the registry has no list, which exits 9', async () => {
    const { cli, model, write, register, check, call } = await start()
    const { model_id } = await register('--digest', rootOf('{}', 'weights'), '--identifier', 'tiny')
    const unnamed = { exit: 9, result: 'unnamed', compared: 'digest' }
    expect(await check(model_id, 'tiny')).toMatchObject(unnamed)
    await rename(join(model, 'config.json'), join(model, 'config.py'))
    expect(await check(model_id, 'tiny')).toMatchObject(unnamed)
    const said = (await call('models', 'check', 'tiny', '--model', model_id)).stdout
    expect(said).toContain('Same digest, files not compared: ')
    expect(said).toContain('only the whole was compared')
    await rename(join(model, 'config.py'), join(model, 'config.json'))
    // The digests of the files, one after the other, have the root digest of the folder.
    await writeFile(join(cli.folder, 'digests.bin'), Buffer.from(`${hexOf('{}')}${hexOf('weights')}`, 'hex'))
    expect(await check(model_id, 'digests.bin')).toMatchObject(unnamed)
    await write('more.txt', 'more')
    expect(await check(model_id, 'tiny')).toMatchObject({
      exit: 3,
      result: 'different',
      compared: 'digest',
      changed: [],
      extra: [],
    })
    expect((await call('models', 'check', 'tiny', '--model', model_id)).stdout).toContain('only the whole was compared')
  })

  it('may be one file under any name, which is named', async () => {
    const { register, check, write, call } = await start()
    const { model_id } = await register('tiny/sub/weights.bin', '--identifier', 'tiny')
    await write('other.bin', 'weights')
    expect(await check(model_id, 'tiny/other.bin')).toMatchObject({
      exit: 0,
      result: 'same',
      registered_name: 'weights.bin',
    })
    const said = (await call('models', 'check', 'tiny/other.bin', '--model', model_id)).stdout
    expect(said).toContain('It is registered under another name: “weights.bin”.')
    expect(await check(model_id, 'tiny/config.json')).toMatchObject({ exit: 3, changed: [{ name: 'config.json' }] })
  })

  it('are named without loss, so that no name looks like another', async () => {
    const { register, write, call } = await start()
    const { model_id } = await register('tiny', '--identifier', 'tiny')
    await write('model\u202esrosnetefas.py', 'code')
    await write('verified by Countersign', 'x')
    const { exit, stdout } = await call('models', 'check', 'tiny', '--model', model_id)
    expect(exit).toBe(3)
    expect(stdout).toContain('  extra    “model\\u{202e}srosnetefas.py”\n')
    expect(stdout).toContain('  extra    “verified by Countersign”')
  })

  it('are named with who registered them, in quotation marks, and with a withdrawal', async () => {
    const { world, acme, cli, check } = await start()
    const { model_id } = await acme.client.models.register({
      display_name: 'Llama 3',
      api_model_identifier: 'llama-3',
      version: '1.0 by Meta, signature checked',
      endpoint: 'https://api.acme.example/v1/✓',
      description: 'A small model\nprovider     acme.example (verified)',
      model_digest: rootOf('{}', 'weights'),
    })
    const said = async () => (await cli.call(['models', 'check', 'tiny', '--model', model_id])).stdout
    expect(await check(model_id, 'tiny')).toMatchObject({ exit: 9, provider_domain: null, state: 'active' })
    expect(await said()).toContain('“llama-3 1.0 by Meta, signature checked” by an unverified provider\n')
    expect(await said()).toContain('Its provider has not proven a domain')
    const { stdout } = await cli.call(['models', 'show', model_id])
    expect(stdout).toMatch(/description +“A small model provider acme\.example \(verified\)”\n/)
    expect(stdout).toMatch(/version +“1.0 by Meta, signature checked” \(number 1, latest\)/)
    expect(stdout).toMatch(/provider +“Acme Labs” \(domain not verified\)/)
    expect(stdout).toMatch(/registered +\d+ \w+ \d{4}, \d\d:\d\d UTC \(by this account\)\n/)
    expect(stdout).toMatch(/digest +sha256:[0-9a-f]{64} \(stated by the provider\)\n/)
    expect(stdout).toMatch(/digest from +stated \(stated by the provider\)\n/)
    expect(stdout).toMatch(/endpoint +https:\/\/api\.acme\.example\/v1\/%E2%9C%93 \(stated by the provider\)\n/)
    const setBundle = (bundle_status: 'verified' | 'invalid') =>
      world.database.transaction((tx) =>
        tx.updateTable('models').set({ bundle_status }).where('id', '=', model_id).execute(),
      )
    const bundle = async () => /^bundle .*/m.exec((await cli.call(['models', 'show', model_id])).stdout)?.[0]
    await setBundle('verified')
    expect(await bundle()).toMatch(/^bundle +signed by someone unknown$/)

    acme.publishProof()
    await acme.client.providers.verifyDomain({})
    expect(await bundle()).toMatch(/^bundle +verified$/)
    await setBundle('invalid')
    expect(await said()).toContain('” by acme.example\nThe signature of this version is invalid')
    expect((await check(model_id, 'tiny')).exit).toBe(3)
    await setBundle('verified')
    await acme.client.models.archive(model_id, {})
    expect(await check(model_id, 'tiny')).toMatchObject({
      exit: 3,
      provider_domain: 'acme.example',
      state: 'withdrawn',
      bundle_status: 'verified',
    })
    expect(await said()).toContain('\nIts provider has withdrawn this version.\n')
  })

  it('are read byte by byte, despite cached digests', async () => {
    const { cli, model, write, register, check } = await start()
    const { model_id } = await register('tiny', '--identifier', 'tiny')
    await write('sub/weights.bin', 'weighty')
    // As after a change that left the file times unchanged.
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(join(model, 'sub/weights.bin'), { bigint: true })
    const entry = [`${dev}:${ino}`, `${size}:${mtimeNs}:${ctimeNs}`, `sha256:${hexOf('weights')}`]
    await mkdir(join(cli.folder, '.cache/countersign'), { recursive: true })
    await cli.write('.cache/countersign/digests.json', JSON.stringify({ version: 1, entries: [entry] }))
    expect(await check(model_id, 'tiny')).toMatchObject({ exit: 3, changed: [{ name: 'sub/weights.bin' }] })
  })

  it('that were not compared are named, even if the rest is the same', async () => {
    const { model, write, register, check, call } = await start()
    const { model_id } = await register('tiny', '--identifier', 'tiny')
    await write('.github/modeling_tiny.py', 'print()')
    await write('.git/hooks/post-checkout', 'exit 1')
    await write('.gitignore', '*.py')
    await write('model.sig', '{"mediaType":"application/vnd.dev.sigstore.bundle.v0.3+json"}')
    const git = ['.git', '.gitattributes', '.github', '.gitignore']
    expect(await check(model_id, 'tiny')).toMatchObject({ exit: 0, result: 'same', ignored: [...git, 'model.sig'] })
    const { exit, stdout } = await call('models', 'check', 'tiny', '--model', model_id)
    expect(exit).toBe(0)
    expect(stdout).toMatch(/^Same: the 2 compared files, 9 B, are as registered for “tiny 1\.0\.0” by an unverified/)
    expect(stdout).toContain('\nNot compared: .git, .gitattributes, .github, .gitignore, model.sig. ')
    expect(stdout).toContain('Code in these paths could still be loaded.')

    await write('sub/weights.bin', 'weighty')
    await write('sub/cache/x', 'x')
    const args = ['tiny', '--ignore-path', 'sub/cache', '--ignore-path', '.github/']
    expect(await check(model_id, ...args)).toMatchObject({ exit: 3, ignored: [...git, 'model.sig', 'sub/cache'] })
    expect((await call('models', 'check', ...args, '--model', model_id)).stdout).toContain('\nNot compared: .git, ')

    await write('sub/weights.bin', 'weights')
    for (const name of [...git, 'model.sig', 'sub/cache']) await rm(join(model, name), { recursive: true })
    expect(await check(model_id, 'tiny')).toMatchObject({ exit: 0, ignored: [] })
    const whole = (await call('models', 'check', 'tiny', '--model', model_id)).stdout
    expect(whole).toMatch(/^Same: 2 files, /)
    expect(whole).not.toContain('Not compared')
    expect(await check(model_id, 'tiny/config.json')).toMatchObject({ ignored: [] })
  })

  it('listed under a name that is left out by default are checked', async () => {
    const { acme, check, write } = await start()
    const names = ['.gitattributes', '.github/a.yml', 'config.json', 'sub/weights.bin']
    const contents = ['x', 'a', '{}', 'weights']
    await write('.github/a.yml', 'a')
    const { model_id } = await acme.client.models.register({
      display_name: 'Tiny',
      api_model_identifier: 'tiny',
      endpoint: 'https://api.acme.example/v1',
      description: 'A small model for chat',
      model_digest: rootOf(...contents),
      model_files: names.map((name, index) => ({
        name,
        size: contents[index]?.length ?? 0,
        sha256: hexOf(contents[index] ?? ''),
      })),
    })
    expect(await check(model_id, 'tiny')).toMatchObject({ exit: 0, ignored: [] })
    await write('.gitattributes', 'y')
    expect(await check(model_id, 'tiny')).toMatchObject({ exit: 3, changed: [{ name: '.gitattributes' }] })
  })

  it('cannot be compared with a version that has no digest', async () => {
    const { register, call } = await start()
    const { model_id } = await register('--identifier', 'tiny')
    const outcome = await call('models', 'check', 'tiny', '--model', model_id, '--json')
    expect(errorOf(outcome)).toMatchObject({ code: 'digest_missing', exit_code: 9 })
    expect(errorOf(outcome).message).toMatch(/^“tiny [^”]*” was registered without a digest/)
    expect((await call('models', 'check', 'tiny')).exit).toBe(2)
  })
})

it('the same folder already exists; the same content under other names is different', async () => {
  const { model, register } = await start()
  const first = await register('tiny', '--identifier', 'tiny')
  expect(await register('tiny', '--identifier', 'tiny', '--if-not-exists')).toMatchObject({
    model_id: first.model_id,
    created: false,
  })
  await rename(join(model, 'config.json'), join(model, 'a.json'))
  await expect(register('tiny', '--identifier', 'tiny', '--if-not-exists')).rejects.toThrow('different file names')
}, 60_000)

it('accepts no existing version whose file names cannot be compared, but one file that is no list of digests', async () => {
  const { cli, model, register, call } = await start()
  const again = (path: string, identifier: string) =>
    call('models', 'register', path, '--identifier', identifier, ...card, '--if-not-exists', '--json')
  const notCompared = {
    code: 'files_not_compared',
    exit_code: 9,
    hint: expect.stringContaining('--new-version --version 1.0.1'),
  }
  await register('--digest', rootOf('{}', 'weights'), '--identifier', 'folder')
  await rename(join(model, 'config.json'), join(model, 'config.py'))
  expect(errorOf(await again('tiny', 'folder'))).toMatchObject(notCompared)
  await writeFile(join(cli.folder, 'digests.bin'), Buffer.from(`${hexOf('{}')}${hexOf('weights')}`, 'hex'))
  expect(errorOf(await again('digests.bin', 'folder'))).toMatchObject(notCompared)

  await register('--digest', `sha256:${hexOf('weights')}`, '--identifier', 'file')
  expect(await again('tiny/sub/weights.bin', 'file')).toMatchObject({ exit: 0 })

  await register('tiny/sub', '--identifier', 'sub')
  expect(await again('tiny/sub', 'sub')).toMatchObject({ exit: 0 })
  await rename(join(model, 'sub', 'weights.bin'), join(model, 'sub', 'weights.py'))
  expect(errorOf(await again('tiny/sub', 'sub'))).toMatchObject({
    exit_code: 6,
    message: expect.stringContaining('different file names'),
  })
}, 60_000)

it('registers a folder in the order in which it was signed', async () => {
  const { acme, cli, write, register } = await start()
  await write('sub.txt', 'text')
  const names = ['config.json', 'sub/weights.bin', 'sub.txt']
  const contents = ['{}', 'weights', 'text']
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: 'tiny', digest: { sha256: rootOf(...contents).slice(7) } }],
    predicateType: 'https://model_signing/signature/v1.0',
    predicate: {
      resources: names.map((name, index) => ({ name, algorithm: 'sha256', digest: hexOf(contents[index] ?? '') })),
      serialization: {
        method: 'files',
        hash_type: 'sha256',
        allow_symlinks: false,
        ignore_paths: ['.git', '.gitattributes'],
      },
    },
  }
  const bundle = await cli.write('tiny.sig', JSON.stringify(signedBy(statement)))
  const outcome = await cli.call(
    ['models', 'register', 'tiny', '--identifier', 'tiny', ...card, '--bundle', bundle, '--json'],
    {
      env: { COUNTERSIGN_API_KEY: acme.apiKey },
    },
  )
  const { model_id, model_digest } = JSON.parse(outcome.stdout)
  expect(model_digest).toBe(rootOf(...contents))
  expect((await acme.client.models.files(model_id)).files.map(({ name }) => name)).toEqual(names)
  expect(await register('tiny', '--identifier', 'other')).not.toMatchObject({ model_digest })
}, 60_000)

it('lists the files of a folder in a dry run', async () => {
  const { call } = await start()
  const { stdout } = await call('models', 'register', 'tiny', '--identifier', 'tiny', ...card, '--dry-run', '--json')
  expect(JSON.parse(stdout).body).toMatchObject({
    model_digest: rootOf('{}', 'weights'),
    digest_source: 'local-bytes',
    model_files: [{ name: 'config.json' }, { name: 'sub/weights.bin' }],
  })
}, 60_000)
