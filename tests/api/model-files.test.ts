import { createHash } from 'node:crypto'
import type { ModelFile, NewModel } from '@countersign/sdk/contract'
import { limits } from '@countersign/sdk/contract'
import { inOrderOf } from '@countersign/sdk/node'
import { expect, it } from 'vitest'
import type { z } from 'zod'
import { describeOnSqlite, type Engine } from '../support/databases.ts'
import { createWorld } from '../support/world.ts'

const hexOf = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
const fileOf = (name: string, content = name): ModelFile => ({ name, size: content.length, sha256: hexOf(content) })
const rootOf = (files: readonly ModelFile[]) =>
  `sha256:${hexOf(Buffer.concat(files.map(({ sha256 }) => Buffer.from(sha256, 'hex'))))}`

const start = async (engine: Engine) => {
  const world = await createWorld({ engine })
  const acme = await world.provider('acme', { isVerified: false })
  let count = 0
  const register = (fields: Partial<z.input<typeof NewModel>>) =>
    acme.client.models.register({
      display_name: 'Tiny',
      api_model_identifier: `tiny-${++count}`,
      endpoint: 'https://api.acme.example/v1',
      description: 'A small model for chat',
      ...fields,
    })
  const listed = (id: string) => acme.client.models.files(id, { limit: limits.maxFilePageSize }).toArray()
  return { world, acme, register, listed }
}

describeOnSqlite('the files of a version', (engine) => {
  it('are stored with its digest and returned in the order that gives it', async () => {
    const { register, listed, world } = await start(engine)
    const files = ['a b', 'a-b/c', 'a.txt', 'a/b', '\uffee', '\u{1f600}'].map((name) => fileOf(name))
    const given = files.map((file) => ({ ...file, sha256: `sha256:${file.sha256.toUpperCase()}` }))
    const { model_id } = await register({
      model_digest: rootOf(files),
      model_files: given.toReversed(),
      digest_source: 'local-bytes',
    })
    expect(await listed(model_id)).toEqual(files)
    expect(await world.anyone.models.files(model_id)).toEqual({ files, next_cursor: null })
    const { model_id: without } = await register({ model_digest: rootOf(files) })
    expect(await listed(without)).toEqual([])
  })

  it('may give the digest in the order of the reference implementation, or in the order of the list', async () => {
    const { register, listed } = await start(engine)
    const reference = ['a/b', 'a.txt'].map((name) => fileOf(name))
    const own = ['c', 'a', 'b'].map((name) => fileOf(name))
    for (const files of [reference, own]) {
      const { model_id } = await register({ model_digest: rootOf(files), model_files: files })
      expect(await listed(model_id)).toEqual(files)
    }
    const { model_id } = await register({ model_digest: rootOf(reference), model_files: reference.toReversed() })
    expect(await listed(model_id)).toEqual(reference)
  })

  it('may be one file, whose own digest is the version’s', async () => {
    const { register, listed } = await start(engine)
    const file = fileOf('tiny.gguf')
    for (const model_digest of [file.sha256, rootOf([file])])
      expect(await listed((await register({ model_digest, model_files: [file] })).model_id)).toEqual([file])
  })

  it('that do not match the digest are rejected, and nothing is registered', async () => {
    const { register, acme } = await start(engine)
    const files = [fileOf('a'), fileOf('b')]
    const cases = [
      { model_digest: rootOf(files), model_files: [fileOf('a')] },
      { model_digest: rootOf(files), model_files: [...files, fileOf('c')] },
      { model_digest: rootOf(files), model_files: [fileOf('a'), fileOf('b', 'other')] },
      { model_digest: fileOf('a').sha256, model_files: files },
    ]
    for (const fields of cases)
      await expect(register(fields)).rejects.toMatchObject({ status: 422, code: 'files_digest_mismatch' })
    expect(await acme.client.providers.models(acme.id).toArray()).toEqual([])
  })

  it.each([
    { what: 'no digest', fields: { model_files: [fileOf('a')] }, loc: ['body', 'model_digest'] },
    { what: 'no file', files: [], loc: ['body', 'model_files'] },
    { what: 'a way out', files: [fileOf('../a')], loc: ['body', 'model_files', 0, 'name'] },
    { what: 'an absolute name', files: [fileOf('/a')], loc: ['body', 'model_files', 0, 'name'] },
    { what: 'a backslash', files: [fileOf('a\\b')], loc: ['body', 'model_files', 0, 'name'] },
    { what: 'a line break', files: [fileOf('a\nb')], loc: ['body', 'model_files', 0, 'name'] },
    {
      what: 'a mark of direction',
      files: [fileOf('model\u202esrosnetefas.py')],
      loc: ['body', 'model_files', 0, 'name'],
    },
    { what: 'a name twice', files: [fileOf('a'), fileOf('a')], loc: ['body', 'model_files', 1, 'name'] },
    { what: 'a negative size', files: [{ ...fileOf('a'), size: -1 }], loc: ['body', 'model_files', 0, 'size'] },
    { what: 'another digest', files: [{ ...fileOf('a'), sha256: 'x' }], loc: ['body', 'model_files', 0, 'sha256'] },
    {
      what: 'one file too many',
      files: Array.from({ length: limits.modelFiles + 1 }, () => 0),
      loc: ['body', 'model_files'],
    },
  ])('with $what are rejected by name', async ({ fields, files, loc }) => {
    const { register } = await start(engine)
    const given = fields ?? { model_digest: hexOf('x'), model_files: files as ModelFile[] }
    const error = await register(given).catch((refused) => refused)
    expect(error).toMatchObject({ status: 422, code: 'validation_failed' })
    expect(error.problem.errors[0].loc).toEqual(loc)
  })

  it('come page by page, each once', async () => {
    const { register, listed, acme } = await start(engine)
    const files = Array.from({ length: limits.modelFiles }, (_, index) =>
      fileOf(`weights/${String(index).padStart(5, '0')}.safetensors`),
    )
    const { model_id } = await register({ model_digest: rootOf(files), model_files: files })
    expect(await listed(model_id)).toEqual(files)
    for (const { limit, skip } of [
      { limit: 1, skip: 0 },
      { limit: 249, skip: 2 },
      { limit: 250, skip: 250 },
      { limit: 1_000, skip: 9_500 },
      { limit: 10, skip: 9_990 },
    ]) {
      const page = await acme.client.models.files(model_id, { limit, skip })
      expect(page.files).toEqual(files.slice(skip, skip + limit))
      expect(page.next_cursor === null).toBe(skip + limit >= files.length)
    }
    for (const cursor of ['x', Buffer.from('["a","b"]').toString('base64url')])
      await expect(acme.client.models.files(model_id, { cursor })).rejects.toMatchObject({ status: 422 })
  })

  it('of a private model are unknown to strangers', async () => {
    const { register, listed, world } = await start(engine)
    const files = [fileOf('canary')]
    const { model_id } = await register({ model_digest: rootOf(files), model_files: files, is_public: false })
    const other = await world.provider('northwind', { isVerified: false })
    for (const client of [world.anyone, other.client])
      await expect(client.models.files(model_id)).rejects.toMatchObject({ status: 404, code: 'not_found' })
    expect(await listed(model_id)).toEqual(files)
  })

  it('change with their digest: an edit brings other files or none, and other fields leave them', async () => {
    const { register, listed, acme } = await start(engine)
    const [first, second] = [[fileOf('a')], [fileOf('b'), fileOf('c')]]
    const { model_id } = await register({ model_digest: rootOf(first), model_files: first })
    const edit = (fields: Parameters<typeof acme.client.models.quickEdit>[1]) =>
      acme.client.models.quickEdit(model_id, fields)
    await edit({ description: 'A model that was edited.', model_digest: rootOf(first) })
    expect(await listed(model_id)).toEqual(first)
    await expect(edit({ model_files: second })).rejects.toMatchObject({ code: 'files_digest_mismatch' })
    await edit({ model_digest: rootOf(second), model_files: second })
    expect(await listed(model_id)).toEqual(second)
    await edit({ model_digest: rootOf(first) })
    expect(await listed(model_id)).toEqual([])
    await edit({ model_files: first })
    expect(await listed(model_id)).toEqual(first)
  })

  it('are erased with their provider', async () => {
    const { register, acme, world } = await start(engine)
    const files = [fileOf('canary')]
    await register({ model_digest: rootOf(files), model_files: files })
    await acme.client.providers.delete(acme.id)
    expect(await world.database.read.selectFrom('model_files').selectAll().execute()).toEqual([])
  })
})

it('a digest reveals which order it was made in', () => {
  const files = ['a/b', 'a.txt'].map((name) => ({ name, digest: hexOf(name) }))
  expect(inOrderOf(files, hexOf('x'))).toBeUndefined()
})
