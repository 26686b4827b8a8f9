import { expect, it } from 'vitest'
import { readHubAddress } from './address.ts'

it.each([
  ['acme/tiny', 'acme/tiny', undefined],
  ['acme/tiny@v2', 'acme/tiny', 'v2'],
  ['https://huggingface.co/acme/tiny', 'acme/tiny', undefined],
  ['https://huggingface.co/acme/tiny/tree/main?library=x#files', 'acme/tiny', 'main'],
  ['https://hf.co/acme/tiny/blob/abc123/config.json', 'acme/tiny', 'abc123'],
  ['https://hub.example/acme/tiny', 'acme/tiny', undefined],
  ['hf.co/acme/tiny/tree/main', 'acme/tiny', 'main'],
])('reads %s', (text, id, revision) => {
  expect(readHubAddress(text, 'https://hub.example/')).toEqual({ id, revision })
})

it.each(['acme/', 'https://evil.example/acme/tiny', 'https://huggingface.co/acme', 'acme/tiny@..', 'acme/tiny@a@b'])(
  'rejects %s',
  (text) => expect(() => readHubAddress(text, 'https://hub.example')).toThrow('--hf must be ORG/NAME'),
)

it('rejects the address of a dataset by name', () => {
  const text = 'https://huggingface.co/datasets/acme/tiny'
  expect(() => readHubAddress(text, 'https://hub.example')).toThrow('of a dataset')
})
