import { expect, it } from 'vitest'
import { modelOptions } from '../commands/models/model-fields.ts'
import { isGivenIn, nameField } from './option-names.ts'

it.each(modelOptions)('$field is told as $option', ({ field, option }) => {
  expect(nameField(field.split('.'), isGivenIn(['models', 'register', option, 'x']))).toBe(option)
  expect(nameField(field.split('.'), isGivenIn([]))).toBe(field)
})

it.each([
  { path: ['model_id'], argv: ['tokens', 'mint', '--model=tiny'], told: '--model' },
  { path: ['model_id'], argv: ['tokens', 'mint'], told: 'model_id' },
  { path: ['challenge'], argv: ['--challenge', '!'], told: '--challenge' },
  { path: ['user_fingerprint'], argv: ['--user', ''], told: '--user' },
  { path: ['labels', 'region'], argv: ['--label', 'region=eu'], told: '--label region' },
  { path: ['labels', 'region'], argv: [], told: 'labels.region' },
  { path: ['spki_fingerprint'], argv: ['--spki', 'x'], told: '--spki' },
  { path: ['huggingface_model_id'], argv: ['--hf', 'acme/tiny'], told: '--hf' },
  { path: ['signer', 'public_key'], argv: ['signers', 'add', '--key', 'rsa.pem'], told: '--key' },
  { path: ['signer', 'issuer'], argv: ['signers', 'add', '--certificate-oidc-issuer=x'], told: '--certificate-oidc-issuer' },
  { path: ['signer', 'issuer'], argv: ['signers', 'add', '--repository', 'x'], told: 'signer.issuer' },
  { path: ['api_model_identifier'], argv: ['signers', 'add', '--key', 'x', '--model', 'a b'], told: '--model' },
  { path: ['file'], argv: ['providers', 'logo', 'logo.png'], told: 'the file' },
  { path: ['toString'], argv: [], told: 'toString' },
  { path: [], argv: [], told: 'input' },
])('$path of $argv is told as $told', ({ path, argv, told }) => {
  expect(nameField(path, isGivenIn(argv))).toBe(told)
})
