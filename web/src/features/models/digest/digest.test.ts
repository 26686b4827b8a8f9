import { rootDigest } from '@countersign/sdk/node'
import { describe, expect, it } from 'vitest'
import { type ChosenFile, digestRefusal, modelFilesOf, rootDigestOf } from './digest.ts'
import { chosenFiles } from './digest-choice.ts'

const files = (...names: string[]): ChosenFile[] => names.map((name) => ({ name, file: new File([name], name) }))
const bundle = (name: string): ChosenFile => ({
  name,
  file: new File(['{"mediaType":"application/vnd.dev.sigstore.bundle.v0.3+json"}'], name),
})
const namesOf = (found: readonly ChosenFile[]) => found.map(({ name }) => name)

describe('the model files of a folder', () => {
  it('leave out git’s files and the signature at the top, in code point order', async () => {
    const others = files('b.bin', 'a/b', 'a.txt', '.gitattributes', '.git/HEAD', 'sub/.gitignore', 'Z')
    const chosen = [bundle('model.sig'), bundle('sub/model.sig'), ...others]
    const { files: found, leftOut } = await modelFilesOf({ name: 'tiny', kind: 'directory', files: chosen })
    expect(namesOf(found)).toEqual(['Z', 'a.txt', 'a/b', 'b.bin', 'sub/.gitignore', 'sub/model.sig'])
    expect(leftOut).toEqual(['.git', '.gitattributes', 'model.sig'])
  })

  it.each([
    files('model.sig'),
    files('model.sig/a.bin'),
    [{ name: 'model.sig', file: new File(['"mediaType"'], 'model.sig') }],
  ])('keep %o, which only has the name of a signature', async (...chosen) => {
    const { files: found, leftOut } = await modelFilesOf({ name: 'tiny', kind: 'directory', files: chosen })
    expect(found).toEqual(chosen)
    expect(leftOut).toEqual([])
  })

  it('include a single file under any name', async () => {
    const { files: found } = await modelFilesOf({ name: 'model.sig', kind: 'file', files: [bundle('model.sig')] })
    expect(namesOf(found)).toEqual(['model.sig'])
  })
})

it.each([
  { what: 'no files', names: [], refusal: { reason: 'empty' } },
  {
    what: 'too many files',
    names: Array.from({ length: 10_001 }, (_, index) => `f${index}`),
    refusal: { reason: 'tooMany' },
  },
  { what: 'a name that means another path', names: ['a\\b'], refusal: { reason: 'badName', name: 'a\\b' } },
  { what: 'a name with a line break', names: ['a\nb'], refusal: { reason: 'badName', name: 'a\nb' } },
  { what: 'two files with the same name', names: ['a', 'a'], refusal: { reason: 'sameName', name: 'a' } },
  { what: 'valid files', names: ['a', 'b/a'], refusal: undefined },
])('$what: $refusal.reason', ({ names, refusal }) => expect(digestRefusal(files(...names))).toEqual(refusal))

it('computes the same root digest as Node', () => {
  const digests = ['ab', 'cd', '01'].map((pair) => pair.repeat(32))
  expect(rootDigestOf(digests)).toBe(rootDigest(digests.map((digest) => ({ digest }))))
})

describe('a choice', () => {
  const inFolder = (path: string) =>
    Object.defineProperty(new File([''], path.split('/').at(-1) ?? ''), 'webkitRelativePath', { value: path })
  const plain = (name: string) => Object.defineProperty(new File([''], name), 'webkitRelativePath', { value: '' })

  it('is a file, a folder without its own name, or several files as one', () => {
    expect(chosenFiles([plain('tiny.gguf')])).toMatchObject({ name: 'tiny.gguf', kind: 'file' })
    expect(chosenFiles([inFolder('tiny/a/b.bin'), inFolder('tiny/c')])).toMatchObject({
      name: 'tiny',
      kind: 'directory',
      files: [{ name: 'a/b.bin' }, { name: 'c' }],
    })
    expect(chosenFiles([plain('a'), plain('b')])).toMatchObject({
      name: '.',
      kind: 'directory',
      files: [{ name: 'a' }, { name: 'b' }],
    })
    expect(chosenFiles([])).toBeUndefined()
  })
})
