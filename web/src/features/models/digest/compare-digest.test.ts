import { expect, it } from 'vitest'
import { compareDigest } from './compare-digest.ts'

const sum = (letter: string) => letter.repeat(64)
const file = (name: string, letter: string) => ({ name, size: 1, sha256: sum(letter) })
const registered = [file('a.safetensors', 'a'), file('b.safetensors', 'b'), file('deep/c.bin', 'c')]
const model = `sha256:${sum('e')}`

it.each([
  {
    name: 'the whole model',
    chosen: { digest: model, files: registered },
    result: 'same',
    files: ['a.safetensors: same', 'b.safetensors: same', 'deep/c.bin: same'],
  },
  {
    name: 'the same files under another digest',
    chosen: { digest: `sha256:${sum('f')}`, files: registered },
    result: 'same',
    files: ['a.safetensors: same', 'b.safetensors: same', 'deep/c.bin: same'],
  },
  {
    name: 'one file of it',
    chosen: { digest: `sha256:${sum('b')}`, files: [file('b.safetensors', 'b')] },
    result: 'part',
    files: ['b.safetensors: same'],
  },
  {
    name: 'one file under another name',
    chosen: { digest: `sha256:${sum('b')}`, files: [file('copy.bin', 'b')] },
    result: 'renamed',
    files: ['copy.bin: same'],
  },
  {
    name: 'one file without its folders',
    chosen: { digest: `sha256:${sum('c')}`, files: [file('c.bin', 'c')] },
    result: 'part',
    files: ['c.bin: same'],
  },
  {
    name: 'a folder with the same bytes under other names',
    chosen: { digest: model, files: [file('b.safetensors', 'a'), file('a.safetensors', 'b'), file('deep/c.bin', 'c')] },
    result: 'renamed',
    files: ['b.safetensors: same', 'a.safetensors: same', 'deep/c.bin: same'],
  },
  {
    name: 'a folder in which one file was changed and one was added',
    chosen: {
      digest: `sha256:${sum('f')}`,
      files: [file('a.safetensors', 'a'), file('b.safetensors', 'd'), file('notes.txt', 'f')],
    },
    result: 'different',
    files: ['b.safetensors: different', 'notes.txt: unlisted', 'a.safetensors: same'],
  },
] as const)('compares $name', ({ chosen, result, files }) => {
  const compared = compareDigest({ digest: chosen.digest, files: [...chosen.files] }, model, registered)
  expect(compared.result).toBe(result)
  expect(compared.files.map(({ name, result }) => `${name}: ${result}`)).toEqual(files)
})

it('compares only the digest if the provider listed no files', () => {
  const [alone] = registered
  expect(compareDigest({ digest: model, files: alone ? [alone] : [] }, model, [])).toEqual({
    result: 'same',
    files: [],
  })
  expect(compareDigest({ digest: model, files: registered }, model, [])).toEqual({ result: 'unnamed', files: [] })
  const other = { digest: `sha256:${sum('f')}`, files: registered }
  expect(compareDigest(other, model, [])).toEqual({ result: 'different', files: [] })
})
