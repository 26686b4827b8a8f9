import { expect, it } from 'vitest'
import { compareDigest } from './compare-digest.ts'

const sum = (letter: string) => letter.repeat(64)
const file = (name: string, letter: string) => ({ name, size: 1, sha256: sum(letter) })
const registered = [file('a.safetensors', 'a'), file('b.safetensors', 'b'), file('deep/c.bin', 'c')]
const model = `sha256:${sum('e')}`

it.each([
  {
    name: 'the whole model',
    chosen: { kind: 'directory', digest: model, files: registered },
    result: 'same',
    files: ['a.safetensors: same', 'b.safetensors: same', 'deep/c.bin: same'],
  },
  {
    name: 'the same files under another digest',
    chosen: { kind: 'directory', digest: `sha256:${sum('f')}`, files: registered },
    result: 'same',
    files: ['a.safetensors: same', 'b.safetensors: same', 'deep/c.bin: same'],
  },
  {
    name: 'one file of it',
    chosen: { kind: 'file', digest: `sha256:${sum('b')}`, files: [file('b.safetensors', 'b')] },
    result: 'part',
    files: ['b.safetensors: same'],
  },
  {
    name: 'one file under another name',
    chosen: { kind: 'file', digest: `sha256:${sum('b')}`, files: [file('copy.bin', 'b')] },
    result: 'renamed',
    files: ['copy.bin: same'],
  },
  {
    name: 'one file without its folders',
    chosen: { kind: 'file', digest: `sha256:${sum('c')}`, files: [file('c.bin', 'c')] },
    result: 'part',
    files: ['c.bin: same'],
  },
  {
    name: 'a folder with the same bytes under other names',
    chosen: {
      kind: 'directory',
      digest: model,
      files: [file('b.safetensors', 'a'), file('a.safetensors', 'b'), file('deep/c.bin', 'c')],
    },
    result: 'renamed',
    files: ['b.safetensors: same', 'a.safetensors: same', 'deep/c.bin: same'],
  },
  {
    name: 'a folder in which one file was changed and one was added',
    chosen: {
      kind: 'directory',
      digest: `sha256:${sum('f')}`,
      files: [file('a.safetensors', 'a'), file('b.safetensors', 'd'), file('notes.txt', 'f')],
    },
    result: 'different',
    files: ['b.safetensors: different', 'notes.txt: unlisted', 'a.safetensors: same'],
  },
] as const)('compares $name', ({ chosen, result, files }) => {
  const compared = compareDigest({ ...chosen, bytes: 1, files: [...chosen.files] }, model, registered)
  expect(compared.result).toBe(result)
  expect(compared.files.map(({ name, result }) => `${name}: ${result}`)).toEqual(files)
})

it.each([
  {
    name: 'a folder without one of two files with the same bytes',
    listed: ['a/init', 'b/init'],
    here: ['a/init'],
    result: 'part',
  },
  {
    name: 'a folder with the only file twice',
    listed: ['model.bin'],
    here: ['model.bin', 'hubconf.py'],
    result: 'renamed',
  },
  {
    name: 'a folder with the only file under another name',
    listed: ['model.bin'],
    here: ['hubconf.py'],
    result: 'renamed',
  },
  { name: 'a folder with the only file', listed: ['model.bin'], here: ['model.bin'], result: 'same' },
])('compares $name by name', ({ listed, here, result }) => {
  const of = (names: string[]) => names.map((name) => file(name, 'a'))
  expect(compareDigest({ kind: 'directory', bytes: 1, digest: model, files: of(here) }, model, of(listed)).result).toBe(
    result,
  )
})

it('allows any name for the only file of a model', () => {
  const chosen = { kind: 'file', digest: `sha256:${sum('a')}`, files: [file('copy.bin', 'a')] } as const
  expect(
    compareDigest({ ...chosen, bytes: 64, files: [...chosen.files] }, model, [file('model.bin', 'a')]).result,
  ).toBe('same')
})

it('compares only the digest if the provider listed no files', () => {
  const resultOf = (kind: 'file' | 'directory', digest: string, bytes = 63) =>
    compareDigest({ kind, bytes, digest, files: registered }, model, [])
  expect(resultOf('file', model)).toEqual({ result: 'same', files: [] })
  // It could hold the digests of the files of a folder.
  expect(resultOf('file', model, 64)).toEqual({ result: 'unnamed', files: [] })
  expect(resultOf('directory', model)).toEqual({ result: 'unnamed', files: [] })
  expect(resultOf('directory', `sha256:${sum('f')}`)).toEqual({ result: 'different', files: [] })
})
