import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { rootDigest } from '@countersign/sdk/node'
import { expect, it } from 'vitest'
import type { HubFile } from '../support/hub-files.ts'
import { commit } from '../support/hub-server.ts'
import { declareOwnKey } from '../support/signers.ts'
import { ecKeys } from '../support/sigstore/keys.ts'
import { signStatement } from '../support/sigstore/model-bundle.ts'
import { createWorld } from '../support/world.ts'
import { createQuickCommandLine } from './in-process.ts'
import { errorOf } from './process.ts'

const card = `---
license: apache-2.0
language: [en, nb]
---

<p align="center"><img src="logo.png"></p>

# Atlas

![badge](https://badge.example/x.svg)

**Atlas** is a [small model](https://acme.example) for maps
and questions.

## Use
`

const contents: Record<string, HubFile> = {
  '.gitattributes': { content: '*.safetensors filter=lfs' },
  'README.md': { content: card },
  'config.json': { content: '{}' },
  'empty.txt': { content: '' },
  'model-00001.safetensors': { content: 'large one', storage: 'lfs' },
  'model-00002.safetensors': { content: 'large two', storage: 'xet' },
  'sub/a b#?.json': { content: 'odd name' },
}

const start = async () => {
  const world = await createWorld()
  const acme = await world.provider('acme', { isVerified: false })
  const cli = await createQuickCommandLine(world.address)
  const env = { COUNTERSIGN_API_KEY: acme.apiKey, HF_ENDPOINT: world.hub.endpoint }
  const call = (args: readonly string[], more: Record<string, string> = {}) =>
    cli.call(args, { env: { ...env, ...more } })
  const register = (hf: string, args: readonly string[] = [], more: Record<string, string> = {}) =>
    call(['models', 'register', '--hf', hf, '--endpoint', 'https://api.acme.example/v1', '--json', ...args], more)
  return { world, hub: world.hub, acme, cli, call, register }
}

it('registers a model of the hub without its large files: commit, digest, card and links', async () => {
  const { hub, acme, cli, call, register } = await start()
  hub.publish('acme/atlas-1.5', {
    sha: commit('a'),
    pipeline_tag: 'text-generation',
    cardData: { license: 'apache-2.0', language: ['en', 'nb'] },
    tags: ['arxiv:2307.09288'],
    contents,
    pageSize: 3,
  })
  const { exit, stdout, stderr } = await register('acme/atlas-1.5')
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
  const { model_id, model_digest } = JSON.parse(stdout)
  expect(await acme.client.models.get(model_id)).toMatchObject({
    api_model_identifier: 'atlas-1-5',
    display_name: 'atlas-1.5',
    description: 'Atlas is a small model for maps and questions. Licence: apache-2.0.',
    digest_source: 'hub-metadata',
    huggingface_model_id: 'acme/atlas-1.5',
    huggingface_url: `${hub.endpoint}/acme/atlas-1.5/tree/${commit('a')}`,
    model_card_url: `${hub.endpoint}/acme/atlas-1.5/blob/${commit('a')}/README.md`,
    paper_url: 'https://arxiv.org/abs/2307.09288',
    language: 'English, Norwegian Bokmål',
    capabilities: ['text-generation'],
  })
  const { files } = await acme.client.models.files(model_id)
  expect(files).toEqual(
    Object.entries(contents)
      .filter(([name]) => name !== '.gitattributes')
      .map(([name, { content }]) => ({
        name,
        size: content.length,
        sha256: createHash('sha256').update(content).digest('hex'),
      })),
  )
  expect(hub.store.seen).toEqual([])
  expect(hub.seen.some(({ url }) => url.includes('safetensors'))).toBe(false)

  // A downloaded copy is the same model.
  for (const [name, { content }] of Object.entries(contents)) {
    const path = join(cli.folder, 'download', name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
  }
  expect((await call(['models', 'digest', 'download', '-q'])).stdout).toBe(`${model_digest}\n`)
  expect((await call(['models', 'check', 'download', '--model', model_id])).exit).toBe(0)
}, 60_000)

it('prefers the caller’s values to the card’s, and uses the requested revision', async () => {
  const { hub, acme, register } = await start()
  hub.publish('acme/atlas', { sha: commit('b'), contents, revisions: ['refs/pr/1'] })
  const given = [
    '--identifier',
    'mine',
    '--display-name',
    'Mine',
    '--description',
    'Said by its provider',
    '--paper-url',
    'https://acme.example/p',
  ]
  const { stdout } = await register('acme/atlas@refs/pr/1', given)
  expect(await acme.client.models.get(JSON.parse(stdout).model_id)).toMatchObject({
    api_model_identifier: 'mine',
    display_name: 'Mine',
    description: 'Said by its provider',
    paper_url: 'https://acme.example/p',
  })
  expect(hub.seen[0]?.url).toBe('/api/models/acme/atlas/revision/refs%2Fpr%2F1')
  expect(hub.seen.filter(({ url }) => url.includes('/resolve/')).every(({ url }) => url.includes(commit('b')))).toBe(
    true,
  )
}, 60_000)

it('registers a model of the hub as its bundle lists the files, and not if they differ', async () => {
  const { hub, acme, cli, register } = await start()
  // In folder order, like the reference implementation of Model Signing, without the ignored paths.
  const signed = ['README.md', 'config.json', 'sub/weights.bin', 'sub.txt']
  const names = [...signed, 'notes/todo.md']
  const files = Object.fromEntries(names.map((name) => [name, { content: `content of ${name}` }]))
  hub.publish('acme/atlas', { sha: commit('4'), contents: files })
  hub.publish('acme/changed', { sha: commit('5'), contents: { ...files, 'sub.txt': { content: 'changed' } } })
  const keys = ecKeys()
  const listed = signed.map((name) => ({
    name,
    digest: createHash('sha256').update(`content of ${name}`).digest('hex'),
  }))
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: 'atlas', digest: { sha256: rootDigest(listed).slice('sha256:'.length) } }],
    predicateType: 'https://model_signing/signature/v1.0',
    predicate: {
      resources: listed.map((each) => ({ ...each, algorithm: 'sha256' })),
      serialization: { method: 'files', hash_type: 'sha256', allow_symlinks: false, ignore_paths: ['.git', 'notes'] },
    },
  }
  const bundle = await cli.write(
    'model.sig',
    JSON.stringify(signStatement(statement, keys, { publicKey: { hint: '' } })),
  )
  await declareOwnKey(acme.client, keys)

  const changed = errorOf(await register('acme/changed', ['--bundle', bundle]))
  expect(changed).toMatchObject({
    exit_code: 3,
    message: expect.stringMatching(/^Nothing was registered.*\nchanged {2}sub.txt$/),
  })
  expect((await acme.client.providers.models(acme.id, {})).models).toEqual([])
  const { model_id, bundle: record } = JSON.parse((await register('acme/atlas', ['--bundle', bundle])).stdout)
  expect(record).toMatchObject({ bundle_status: 'verified', signed_digest: rootDigest(listed) })
  expect((await acme.client.models.files(model_id)).files.map(({ name }) => name)).toEqual(signed)
})

it('registers a renamed model under its current name', async () => {
  const { hub, acme, register } = await start()
  hub.publish('acme-labs/atlas', { sha: commit('c'), contents })
  hub.move('acme/atlas', '/api/models/acme-labs/atlas')
  const { stdout } = await register('acme/atlas')
  expect(await acme.client.models.get(JSON.parse(stdout).model_id)).toMatchObject({
    huggingface_model_id: 'acme-labs/atlas',
  })
}, 60_000)

it('sends the token to the hub only, not to its redirects', async () => {
  const { hub, register } = await start()
  hub.admit('hf_canary')
  hub.publish('acme/closed', {
    sha: commit('d'),
    private: true,
    contents: { ...contents, 'tokenizer.bin': { content: 'no pointer', storage: 'xet alone' } },
  })
  const outcome = await register('acme/closed', ['--private', '--verbose'], { HF_TOKEN: 'hf_canary\n' })
  expect(outcome.exit).toBe(0)
  expect(outcome.stdout + outcome.stderr).not.toContain('hf_canary')
  expect(hub.seen.every(({ authorization }) => authorization === 'Bearer hf_canary')).toBe(true)
  expect(hub.store.seen).toHaveLength(1)
  expect(hub.store.seen[0]?.authorization).toBeUndefined()
}, 60_000)

it('says what is missing from models it may not read, and registers nothing', async () => {
  const { hub, acme, register } = await start()
  hub.admit('hf_member')
  hub.publish('acme/private', { sha: commit('e'), private: true, contents })
  hub.publish('acme/gated', { sha: commit('f'), gated: 'manual', contents })
  hub.publish('acme/open', { sha: commit('1'), contents })
  hub.publish('acme/bare', { sha: commit('2'), contents: { '.gitattributes': { content: 'x' } } })
  const refusalOf = async (hf: string, env: Record<string, string> = {}) => errorOf(await register(hf, [], env))
  for (const hf of ['acme/missing', 'acme/private'])
    expect(await refusalOf(hf)).toMatchObject({
      exit_code: 5,
      code: 'not_found',
      hint: expect.stringContaining('HF_TOKEN'),
    })
  expect(await refusalOf('acme/private', { HF_TOKEN: 'hf_other' })).toMatchObject({
    exit_code: 5,
    hint: expect.stringContaining('may read it'),
  })
  expect(await refusalOf('acme/gated')).toMatchObject({ exit_code: 4, hint: expect.stringContaining('set HF_TOKEN') })
  expect(await refusalOf('acme/gated', { HF_TOKEN: 'hf_other' })).toMatchObject({
    exit_code: 4,
    hint: expect.stringContaining('Accept the terms'),
  })
  expect(await refusalOf('acme/open@v9')).toMatchObject({ exit_code: 5, message: expect.stringContaining('v9') })
  expect(await refusalOf('acme/bare')).toMatchObject({ exit_code: 5 })
  hub.fail(503)
  expect(await refusalOf('acme/open')).toMatchObject({ exit_code: 8 })
  hub.fail(429)
  expect(await refusalOf('acme/open')).toMatchObject({ exit_code: 7 })
  hub.fail('hang up')
  expect(await refusalOf('acme/open')).toMatchObject({ exit_code: 8 })
  expect(await acme.client.providers.models(acme.id).toArray()).toEqual([])
}, 120_000)

it.each([
  { what: 'a small file whose blob is another', name: 'config.json', reported: { oid: '0'.repeat(40) }, exit: 8 },
  {
    what: 'a file without a SHA-256 that is too large to fetch',
    name: 'config.json',
    reported: { size: 2 ** 40 },
    exit: 2,
  },
  { what: 'a pointer without a SHA-256', name: 'config.json', reported: { lfs: { oid: 'x', size: 2 } }, exit: 8 },
  {
    what: 'a name that leads out',
    name: '../config.json',
    reported: { lfs: { oid: '0'.repeat(64), size: 2 } },
    exit: 2,
  },
  { what: 'an entry of an unknown kind', name: 'config.json', reported: { type: 'commit' }, exit: 8 },
])(
  'rejects $what',
  async ({ name, reported, exit }) => {
    const { hub, register } = await start()
    hub.publish('acme/atlas', { sha: commit('3'), contents: { [name]: { content: '{}', reported } } })
    expect(errorOf(await register('acme/atlas', ['--description', 'A small model for chat'])).exit_code).toBe(exit)
  },
  60_000,
)

it('rejects an invalid address before any request', async () => {
  const { hub, register, call } = await start()
  for (const hf of [
    '',
    'acme/..',
    'acme/x/y',
    'https://hub.example/acme/x',
    'acme/x@',
    'acme/x@../y',
    'acme/x@a@b',
    '-x',
  ])
    expect({ hf, exit: errorOf(await register(hf)).exit_code }).toEqual({ hf, exit: 2 })
  expect(errorOf(await register('acme/x', ['--digest', 'a'.repeat(64)])).exit_code).toBe(2)
  expect(errorOf(await register('acme/x', [], { HF_ENDPOINT: 'ftp://hub.example' })).exit_code).toBe(2)
  expect((await call(['models', 'register', 'x.bin', '--hf', 'acme/x'])).exit).toBe(2)
  expect(hub.seen).toEqual([])
}, 120_000)
