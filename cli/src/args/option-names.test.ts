import { expect, it } from 'vitest'
import { modelOptions } from '../commands/models/model-fields.ts'
import { nameOf } from './command.ts'
import { isGivenIn, nameField } from './option-names.ts'

it.each(modelOptions)('names $field by its option $option', ({ field, option }) => {
  expect(nameField(field.split('.'), isGivenIn({ [nameOf(option)]: 'x' }))).toBe(option)
  expect(nameField(field.split('.'), isGivenIn({}))).toBe(field)
})

it.each([
  { path: ['model_id'], given: { model: 'tiny' }, name: '--model' },
  { path: ['model_id'], given: {}, name: 'model_id' },
  { path: ['challenge'], given: { challenge: '!' }, name: '--challenge' },
  { path: ['user_fingerprint'], given: { user: '' }, name: '--user' },
  { path: ['labels', 'region'], given: { label: ['region=eu'] }, name: '--label region' },
  { path: ['labels', 'region'], given: {}, name: 'labels.region' },
  { path: ['spki_fingerprint'], given: { spki: 'x' }, name: '--spki' },
  { path: ['huggingface_model_id'], given: { hf: 'acme/tiny' }, name: '--hf' },
  { path: ['signer', 'public_key'], given: { key: 'rsa.pem' }, name: '--key' },
  { path: ['signer', 'issuer'], given: { certificateOidcIssuer: 'x' }, name: '--certificate-oidc-issuer' },
  { path: ['signer', 'issuer'], given: { repository: 'x' }, name: 'signer.issuer' },
  { path: ['api_model_identifier'], given: { key: 'x', model: 'a b' }, name: '--model' },
  { path: ['file'], given: {}, name: 'the file' },
  { path: ['toString'], given: {}, name: 'toString' },
  { path: [], given: {}, name: 'input' },
])('names $path as $name if given $given', ({ path, given, name }) => {
  expect(nameField(path, isGivenIn(given))).toBe(name)
})
