import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { itInFull } from '../../../tests/support/full.ts'
import { limits } from '../contract/limits.ts'
import { hashFiles } from './hash-files.ts'
import { type HashProgress, hashModel } from './hash-model.ts'
import { listModelFiles } from './list-model-files.ts'
import { ModelPathError } from './model-path-error.ts'

const makeFolder = (contents: Readonly<Record<string, string>> = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'hash-directory-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const write = (name: string, content: string | Buffer) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  for (const [name, content] of Object.entries(contents)) write(name, content)
  return { folder, write, pathOf: (name: string) => join(folder, name) }
}

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest()
const rootOf = (contents: readonly string[]) => `sha256:${sha256(Buffer.concat(contents.map(sha256))).toString('hex')}`
const namesOf = async (folder: string, options: Parameters<typeof hashModel>[1] = {}) =>
  (await hashModel(folder, options)).files.map(({ name }) => name)
const refusal = (folder: string, options: Parameters<typeof hashModel>[1] = {}) =>
  hashModel(folder, options).then(
    () => undefined,
    (error) => error,
  )

describe('hashing a folder', { timeout: 30_000 }, () => {
  it('returns the root digest over the files in code point order, including empty files', async () => {
    const { folder } = makeFolder({
      'a/b': 'nested',
      'a.txt': 'text',
      'a-b/c': 'dash',
      'a b': 'space',
      '\u{1f600}': 'face',
      '\uffee': 'wide',
      empty: '',
    })
    const names = ['a b', 'a-b/c', 'a.txt', 'a/b', 'empty', '\uffee', '\u{1f600}']
    const contents = ['space', 'dash', 'text', 'nested', '', 'wide', 'face']
    expect(await hashModel(folder)).toEqual({
      kind: 'directory',
      digest: rootOf(contents),
      bytes: contents.join('').length,
      files: names.map((name, index) => ({
        name,
        size: contents[index]?.length,
        digest: `sha256:${sha256(contents[index] ?? '').toString('hex')}`,
      })),
    })
  })

  it('leaves file names out of the digest, and returns them separately', async () => {
    const [one, other] = [makeFolder({ a: 'x' }), makeFolder({ b: 'x' })]
    const [left, right] = [await hashModel(one.folder), await hashModel(other.folder)]
    expect(left.digest).toBe(right.digest)
    expect(left.files).not.toEqual(right.files)
  })

  it('leaves out git’s own files at the top, and only there', async () => {
    const { folder } = makeFolder({
      '.git/HEAD': 'x',
      '.gitattributes': 'x',
      '.gitignore': 'x',
      '.github/a.yml': 'x',
      'sub/.gitignore': 'x',
      '.hidden': 'x',
    })
    expect(await namesOf(folder)).toEqual(['.hidden', 'sub/.gitignore'])
    expect(await namesOf(folder, { ignoreGitPaths: false })).toHaveLength(6)
  })

  it('leaves out exact paths and the signature, but nothing the caller includes', async () => {
    const { folder, pathOf } = makeFolder({
      'cache/a': 'x',
      'cache/b/c': 'x',
      cache2: 'x',
      'model.sig': 'x',
      weights: 'x',
    })
    const options = { ignorePaths: ['./cache/'], exclude: [pathOf('model.sig')] }
    expect(await namesOf(folder, options)).toEqual(['cache2', 'weights'])
    expect(await namesOf(folder, { ignorePaths: [pathOf('cache/a')] })).toEqual([
      'cache/b/c',
      'cache2',
      'model.sig',
      'weights',
    ])
    expect(await namesOf(folder, { ...options, keep: ['cache/b/c', 'model.sig'] })).toEqual([
      'cache/b/c',
      'cache2',
      'model.sig',
      'weights',
    ])
  })

  it('rejects symbolic links, and follows them if allowed', async () => {
    const outside = makeFolder({ 'blobs/1': 'weights', 'more/a': 'x' })
    const { folder, pathOf } = makeFolder({ 'config.json': '{}' })
    symlinkSync(outside.pathOf('blobs/1'), pathOf('model.bin'))
    symlinkSync(outside.pathOf('more'), pathOf('sub'))
    expect(await refusal(folder)).toBeInstanceOf(ModelPathError)
    expect(await refusal(folder)).toMatchObject({ code: 'MODEL_SYMLINK' })
    expect((await hashModel(folder, { allowSymlinks: true })).digest).toBe(rootOf(['{}', 'weights', 'x']))
    symlinkSync(pathOf('absent'), pathOf('broken'))
    expect(await refusal(folder, { allowSymlinks: true })).toMatchObject({
      code: 'MODEL_BROKEN_LINK',
      path: pathOf('broken'),
    })
  })

  it('hashes the target if the given path is a link', async () => {
    const { folder, pathOf } = makeFolder({ 'model/a': 'x' })
    symlinkSync(pathOf('model'), pathOf('link'))
    symlinkSync(pathOf('model/a'), pathOf('file'))
    expect((await hashModel(pathOf('link'))).digest).toBe(rootOf(['x']))
    expect(await hashModel(join(folder, 'file'))).toMatchObject({ kind: 'file', files: [{ name: 'file' }] })
  })

  it.each([
    { name: 'a link to the folder itself', target: '.' },
    { name: 'a link to the parent folder', target: '..' },
  ])('detects $name', async ({ target }) => {
    const { folder, pathOf } = makeFolder({ 'a/b': 'x' })
    symlinkSync(target, pathOf('a/loop'))
    expect(await refusal(folder, { allowSymlinks: true })).toMatchObject({ code: 'MODEL_LOOP' })
  })

  it('rejects anything but files and folders, without waiting for it', async () => {
    const { folder, pathOf } = makeFolder({ a: 'x' })
    execFileSync('mkfifo', [pathOf('pipe')])
    expect(await refusal(folder)).toMatchObject({ code: 'MODEL_SPECIAL', path: pathOf('pipe') })
    expect(await refusal(pathOf('pipe'))).toMatchObject({ code: 'MODEL_SPECIAL' })
    expect(await refusal('/dev/null')).toMatchObject({ code: 'MODEL_SPECIAL' })
  })

  it.each([
    { what: 'a backslash', name: Buffer.from('a\\b') },
    { what: 'a line break', name: Buffer.from('a\nb') },
    { what: 'an escape', name: Buffer.from('a\u001b[31m') },
    { what: 'a byte that is not UTF-8', name: Buffer.from([0x61, 0xff]) },
    { what: 'half a code point', name: Buffer.from([0xed, 0xa0, 0x80]) },
  ])('rejects a name with $what, and prints it safely', async ({ name }) => {
    const { folder } = makeFolder({ a: 'x' })
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), name]), 'x')
    const error = await refusal(folder)
    expect(error).toMatchObject({ code: 'MODEL_NAME' })
    expect(error.message).not.toMatch(/[\p{Cc}\ufffd]/u)
  })

  it('rejects a folder without files', async () => {
    const { folder, pathOf } = makeFolder({ '.git/HEAD': 'x' })
    mkdirSync(pathOf('empty'))
    expect(await refusal(folder)).toMatchObject({ code: 'MODEL_EMPTY' })
  })

  itInFull('rejects more files than a version may list, and hashes as many as allowed', async () => {
    const { folder, write } = makeFolder()
    for (let count = 0; count < limits.modelFiles; count++) write(`f${count}`, '')
    expect((await hashModel(folder)).files).toHaveLength(limits.modelFiles)
    write('sub/one-more', '')
    expect(await refusal(folder)).toMatchObject({ code: 'MODEL_TOO_MANY_FILES', path: folder })
  })

  it('rejects a few links that form a million paths into the same folder', { timeout: 60_000 }, async () => {
    const { folder, pathOf } = makeFolder({ 'config.json': '{}' })
    for (let depth = 0; depth < 20; depth++) mkdirSync(pathOf(`d${depth}`))
    for (let depth = 1; depth < 20; depth++)
      for (const way of 'ab') symlinkSync(pathOf(`d${depth}`), pathOf(`d${depth - 1}/${way}`))
    expect(await refusal(folder, { allowSymlinks: true })).toMatchObject({ code: 'MODEL_TOO_MANY_FILES', path: folder })
  })

  it('reports the progress of all files together, and stops when aborted', async () => {
    const { folder, write, pathOf } = makeFolder({ small: 'x' })
    for (const name of ['a.bin', 'b.bin', 'c.bin']) {
      write(name, '')
      truncateSync(pathOf(name), 50_000_000)
    }
    const reports: HashProgress[] = []
    await hashModel(folder, { onProgress: (progress) => reports.push(progress) })
    expect(reports).toEqual(reports.toSorted((left, right) => left.bytes - right.bytes))
    expect(reports.at(-1)).toMatchObject({ bytes: 150_000_001, total: 150_000_001 })
    const controller = new AbortController()
    const work = hashModel(folder, {
      signal: controller.signal,
      onProgress: () => controller.abort(new Error('enough')),
    })
    await expect(work).rejects.toThrow('enough')
  })

  it('notices that a file grew while it was read, and names it', async () => {
    const { folder, write, pathOf } = makeFolder()
    for (const name of ['a.bin', 'b.bin']) {
      write(name, '')
      truncateSync(pathOf(name), 200_000_000)
    }
    let isFirst = true
    const onProgress = () => {
      if (isFirst) for (const name of ['a.bin', 'b.bin']) appendFileSync(pathOf(name), 'more')
      isFirst = false
    }
    const error = await refusal(folder, { onProgress })
    expect(error).toMatchObject({ code: 'EBUSY' })
    expect([pathOf('a.bin'), pathOf('b.bin')]).toContain(error.path)
  })
})

const expectUnread = async (bytes: number, swap: (path: string, elsewhere: string) => unknown) => {
  const { folder, pathOf } = makeFolder({ 'model/a': '' })
  truncateSync(pathOf('model/a'), bytes)
  const { files } = await listModelFiles(pathOf('model'), {}, undefined)
  // Kept open, so that its inode is not reused.
  renameSync(pathOf('model/a'), pathOf('kept'))
  swap(pathOf('model/a'), pathOf('kept'))
  const hashed: string[] = []
  const work = hashFiles({
    files,
    wanted: [0],
    threads: 1,
    followLinks: false,
    signal: undefined,
    onBytes: () => {},
    onFile: (_, { digests }) => hashed.push(...digests),
  })
  await expect(work).rejects.toMatchObject({ code: 'EBUSY', path: join(folder, 'model/a') })
  expect(hashed).toEqual([])
}

describe('a file that was replaced after it was listed', { timeout: 30_000 }, () => {
  it.each([
    { what: 'another file', swap: (path: string) => writeFileSync(path, 'other') },
    { what: 'a link to the same bytes', swap: (path: string, elsewhere: string) => symlinkSync(elsewhere, path) },
    { what: 'a pipe', swap: (path: string) => execFileSync('mkfifo', [path]) },
  ])('is not read, here or in a thread: $what', async ({ swap }) => {
    for (const bytes of [1, 17_000_000]) await expectUnread(bytes, swap)
  })
})
