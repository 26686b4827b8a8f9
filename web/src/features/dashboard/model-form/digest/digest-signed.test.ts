import { createHash } from 'node:crypto'
import type { ModelFile, UploadedBundle } from '@countersign/sdk/contract'
import { modelStatement, rootDigest } from '@countersign/sdk/integrity'
import { expect, it } from 'vitest'
import { matchSigned } from './digest-signed.ts'

const hexOf = (text: string) => createHash('sha256').update(text).digest('hex')
const file = (name: string, text = name): ModelFile => ({ name, size: text.length, sha256: hexOf(text) })

const bundleOf = (statement: object): UploadedBundle => ({
  mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
  verificationMaterial: {},
  dsseEnvelope: { payload: Buffer.from(JSON.stringify(statement)).toString('base64') },
})

const signed = (names: readonly string[], ignorePaths: string[] = []) =>
  bundleOf(modelStatement({ name: 'tiny', files: names.map((name) => ({ name, digest: hexOf(name) })), ignorePaths }))

it.each([
  { order: ['a.txt', 'a/b'], what: 'the specification’s' },
  { order: ['a/b', 'a.txt'], what: 'the reference implementation’s' },
])('uses the order of the bundle, $what, without the files it ignores', ({ order }) => {
  const resources = order.map((name) => ({ name, algorithm: 'sha256', digest: hexOf(name) }))
  const statement = modelStatement({ name: 'tiny', files: resources, ignorePaths: ['.cache'] }) as { predicate: object }
  const bundle = bundleOf({ ...statement, predicate: { ...statement.predicate, resources } })
  expect(matchSigned([file('a.txt'), file('.cache/x'), file('a/b')], bundle)).toEqual({
    files: order.map((name) => file(name)),
    digest: rootDigest(order.map((name) => ({ digest: hexOf(name) }))),
  })
})

it.each([
  {
    what: 'another content',
    files: [file('a', 'other'), file('b')],
    differences: { changed: ['a'], missing: [], extra: [] },
  },
  { what: 'a file too few', files: [file('b'), file('c')], differences: { changed: [], missing: ['a'], extra: ['c'] } },
  {
    what: 'a file too many',
    files: [file('a'), file('b'), file('c')],
    differences: { changed: [], missing: [], extra: ['c'] },
  },
])('reports $what', ({ files, differences }) => expect(matchSigned(files, signed(['a', 'b']))).toEqual({ differences }))

it('keeps a single file’s own digest, under any name', () => {
  expect(matchSigned([file('mine', 'a')], signed(['a']))).toBeUndefined()
  expect(matchSigned([file('mine')], signed(['a']))).toEqual({
    differences: { changed: ['mine'], missing: [], extra: [] },
  })
})

it('ignores bundles that list no whole files', () => {
  expect(matchSigned([file('a')], bundleOf({ predicateType: 'https://slsa.dev/provenance/v1' }))).toBeUndefined()
  expect(matchSigned([file('a')], { mediaType: 'x', verificationMaterial: {} })).toBeUndefined()
})
