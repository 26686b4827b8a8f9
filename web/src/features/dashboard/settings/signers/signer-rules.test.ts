import { NewSigner } from '@countersign/sdk/contract'
import { expect, it } from 'vitest'
import { emptySignerForm, holdsPrivateKey, newSignerOf, type SignerForm, suggestedForm } from './signer-rules.ts'

const github = 'https://token.actions.githubusercontent.com'
const repository = 'https://github.com/acme/models'
const pem = '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA\n-----END PUBLIC KEY-----'
const nobody = { identity: null, issuer: null, repository: null, workflow: null, key_fingerprint: null }

it.each([
  {
    name: 'every workflow of a repository',
    form: { repository, workflow: ' ' },
    sent: { signer: { kind: 'repository', repository, issuer: github } },
  },
  {
    name: 'one workflow, for one identifier',
    form: { repository, workflow: '.github/workflows/release.yml', api_model_identifier: ' tiny ' },
    sent: {
      signer: { kind: 'repository', repository, workflow: '.github/workflows/release.yml', issuer: github },
      api_model_identifier: 'tiny',
    },
  },
  {
    name: 'a person, ignoring fields of other kinds',
    form: { kind: 'identity', identity: 'release@acme.example', repository, public_key: pem },
    sent: { signer: { kind: 'identity', identity: 'release@acme.example', issuer: github } },
  },
  { name: 'a key', form: { kind: 'key', public_key: pem }, sent: { signer: { kind: 'key', public_key: pem } } },
] as const)('declares $name as the contract takes it', ({ form, sent }) => {
  const made = newSignerOf({ ...emptySignerForm, ...(form as Partial<SignerForm>) })
  expect(made).toEqual(sent)
  expect(NewSigner.parse(made)).toEqual(sent)
})

it.each([
  {
    name: 'the workflow that signed',
    signer: {
      ...nobody,
      identity: `${repository}/.github/workflows/a.yml@refs/tags/v1`,
      issuer: github,
      repository,
      workflow: 'a.yml',
    },
    form: { kind: 'repository', repository, workflow: 'a.yml', issuer: github },
  },
  {
    name: 'the person who signed',
    signer: { ...nobody, identity: 'release@acme.example', issuer: 'https://accounts.google.com' },
    form: { kind: 'identity', identity: 'release@acme.example', issuer: 'https://accounts.google.com' },
  },
  {
    name: 'a key, which must be entered',
    signer: { ...nobody, key_fingerprint: 'ab'.repeat(32) },
    form: { kind: 'key', public_key: '' },
  },
  {
    name: 'no identity from a private authority',
    signer: { ...nobody, identity: 'anybody', key_fingerprint: 'ab'.repeat(32) },
    form: { kind: 'key', identity: '' },
  },
  { name: 'nothing for an unknown signer', signer: null, form: { kind: 'repository', repository: '' } },
] as const)('fills in $name', ({ signer, form }) => {
  expect(suggestedForm({ signer, api_model_identifier: 'tiny' })).toMatchObject({
    ...form,
    api_model_identifier: 'tiny',
  })
})

it.each([
  { text: '-----BEGIN PRIVATE KEY-----\nMC4', isPrivate: true },
  { text: '-----BEGIN ENCRYPTED PRIVATE KEY-----\nMC4', isPrivate: true },
  { text: '-----BEGIN EC PRIVATE KEY-----\nMC4', isPrivate: true },
  { text: pem, isPrivate: false },
])('recognises a private key: $isPrivate', ({ text, isPrivate }) => {
  expect(holdsPrivateKey(text)).toBe(isPrivate)
})
