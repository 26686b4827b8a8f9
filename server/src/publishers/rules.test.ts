import { constants, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { publisherIssuers } from '@countersign/sdk/contract'
import { describe, expect, it } from 'vitest'
import {
  type Claims,
  checkClaims,
  describeMismatch,
  identityOf,
  isSignedBy,
  matchPublisher,
  readToken,
  runOf,
  type Trusted,
  tokenFault,
  trustedOf,
  usableUntil,
} from './rules.ts'

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const jwkOf = (key: KeyObject) => createPublicKey(key).export({ format: 'jwk' })

type MakeSignature = (text: Buffer) => Buffer
const signedAs = (alg: string, make: MakeSignature, kid = 'one') => {
  const signed = `${part({ alg, kid })}.${part({ iss: 'x' })}`
  const read = readToken(`${signed}.${make(Buffer.from(signed)).toString('base64url')}`)
  if (!read) throw new Error('unreadable')
  return read
}

const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey
const strangerRsa = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey
const strangerEc = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const shortRsa = generateKeyPairSync('rsa', { modulusLength: 1_024 }).privateKey
const [p256, p384, p521] = ['P-256', 'P-384', 'P-521'].map(
  (namedCurve) => generateKeyPairSync('ec', { namedCurve }).privateKey,
) as [KeyObject, KeyObject, KeyObject]
const ed = generateKeyPairSync('ed25519').privateKey
const pss =
  (digest: string): MakeSignature =>
  (text) =>
    sign(digest, text, {
      key: rsa,
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
    })
const raw =
  (key: KeyObject, digest: string): MakeSignature =>
  (text) =>
    sign(digest, text, { key, dsaEncoding: 'ieee-p1363' })

const algorithms: [alg: string, key: KeyObject, make: MakeSignature][] = [
  ['RS256', rsa, (text) => sign('sha256', text, rsa)],
  ['RS384', rsa, (text) => sign('sha384', text, rsa)],
  ['RS512', rsa, (text) => sign('sha512', text, rsa)],
  ['PS256', rsa, pss('sha256')],
  ['PS384', rsa, pss('sha384')],
  ['PS512', rsa, pss('sha512')],
  ['ES256', p256, raw(p256, 'sha256')],
  ['ES384', p384, raw(p384, 'sha384')],
  ['ES512', p521, raw(p521, 'sha512')],
  ['EdDSA', ed, (text) => sign(null, text, ed)],
]

describe('a signature', () => {
  it.each(algorithms)('of %s counts only under its own name and algorithm', (alg, key, make) => {
    expect(isSignedBy(signedAs(alg, make), jwkOf(key))).toBe(true)
    for (const [other] of algorithms)
      if (other !== alg) expect(isSignedBy(signedAs(other, make), jwkOf(key)), other).toBe(false)
    expect(isSignedBy(signedAs(alg, make), jwkOf(alg.startsWith('ES') ? strangerEc : strangerRsa))).toBe(false)
    expect(isSignedBy(signedAs(alg, make), { ...jwkOf(key), use: 'enc' })).toBe(false)
    expect(isSignedBy(signedAs(alg, make), { ...jwkOf(key), alg: 'HS256' })).toBe(false)
    const { signed, ...rest } = signedAs(alg, make)
    expect(isSignedBy({ ...rest, signed: `${signed}A` }, jwkOf(key))).toBe(false)
  })

  it('counts under no other name, not with a short key, and not with a public symmetric one', () => {
    const make: MakeSignature = (text) => sign('sha256', text, rsa)
    for (const alg of ['none', 'HS256', 'rs256', 'RS1', '__proto__', 'constructor', ''])
      expect(isSignedBy(signedAs(alg, make), jwkOf(rsa)), alg).toBe(false)
    expect(
      isSignedBy(
        signedAs('RS256', (text) => sign('sha256', text, shortRsa)),
        jwkOf(shortRsa),
      ),
    ).toBe(false)
    expect(isSignedBy(signedAs('HS256', make), { kty: 'oct', k: 'AAAA' })).toBe(false)
    expect(isSignedBy(signedAs('RS256', make), { kty: 'RSA', n: 'x', e: '' })).toBe(false)
  })
})

it.each([
  '',
  'a.b',
  'a.b.c.d',
  `${part({ alg: 'RS256' })}.${part({})}.AA`,
  `${part({ alg: 1, kid: 'x' })}.${part({})}.AA`,
  `e30.bm8.AA`,
  'e30=.e30.AA',
])('%j is not a token', (text) => {
  expect(readToken(text)).toBeUndefined()
})

const now = 1_800_000_000_000
const at = now / 1_000
const good = { aud: 'https://registry.example', iat: at, exp: at + 300, jti: 'one' }

it.each([
  { name: 'good', claims: good },
  { name: 'a list of one', claims: { ...good, aud: [good.aud] } },
  { name: '30 seconds of another clock', claims: { ...good, iat: at + 30, nbf: at + 30 } },
  { name: 'ended 29 seconds ago', claims: { ...good, exp: at - 29 } },
  { name: 'ended 30 seconds ago', claims: { ...good, exp: at - 30 }, claim: 'exp' },
  { name: 'an expiry that is not a number', claims: { ...good, exp: `${at + 300}` }, claim: 'exp' },
  { name: 'no expiry', claims: { ...good, exp: Number.POSITIVE_INFINITY }, claim: 'exp' },
  { name: 'made in the future', claims: { ...good, iat: at + 31 }, claim: 'iat', detail: /in the future.*clock/ },
  { name: 'no time of issue', claims: { ...good, iat: undefined }, claim: 'iat', detail: /no time of issue\.$/ },
  { name: 'older than a day', claims: { ...good, iat: at - 86_401 }, claim: 'iat' },
  { name: 'not valid yet', claims: { ...good, nbf: at + 31 }, claim: 'nbf', detail: /clock/ },
  { name: 'two audiences', claims: { ...good, aud: [good.aud, 'other'] }, claim: 'aud' },
  { name: 'an audience that begins alike', claims: { ...good, aud: `${good.aud}.evil.example` }, claim: 'aud' },
  { name: 'no audience', claims: { ...good, aud: [] }, claim: 'aud' },
  { name: 'no ID of its own', claims: { ...good, jti: '' }, claim: 'jti' },
  { name: 'an invalid ID', claims: { ...good, jti: 7 }, claim: 'jti' },
] as { name: string; claims: Claims; claim?: string; detail?: RegExp }[])(
  'a token with $name is rejected because of $claim',
  ({ claims, claim, detail = /^/ }) => {
    const fault = tokenFault(claims, { audience: 'https://registry.example', now })
    expect(fault?.claim).toBe(claim)
    expect(fault?.detail ?? '').toMatch(detail)
  },
)

it.each([
  { name: 'expires in five minutes', exp: at + 300, until: at + 330 },
  { name: 'expires between two milliseconds', exp: at + 0.00001, until: at + 30.001 },
  { name: 'never expires', exp: 1e300, until: at + 86_430 },
])('a token that $name is remembered for as long as it could be used', ({ exp, until }) => {
  expect(usableUntil({ ...good, exp })).toBe(until * 1_000)
})

const github = trustedOf({ kind: 'github', repository: 'Acme/Models', workflow: 'release.yml' })
const job: Claims = {
  repository: 'acme/models',
  repository_id: '1',
  repository_owner_id: '2',
  event_name: 'push',
  ref: 'refs/tags/v1',
  sha: 'abc',
  job_workflow_ref: 'acme/models/.github/workflows/release.yml@refs/tags/v1',
}
const failedOf = (trusted: Trusted, claims: Claims) =>
  checkClaims(trusted, claims)
    .filter(({ passed }) => !passed)
    .map(({ claim }) => claim)

it.each([
  { name: 'as registered', changes: {}, failed: [] },
  {
    name: 'at the commit itself',
    changes: { job_workflow_ref: 'acme/models/.github/workflows/release.yml@abc' },
    failed: [],
  },
  {
    name: 'of a file that differs in case',
    changes: { job_workflow_ref: 'acme/models/.github/workflows/Release.yml@refs/tags/v1' },
    failed: ['job_workflow_ref'],
  },
  {
    name: 'without a ref of the file',
    changes: { job_workflow_ref: 'acme/models/.github/workflows/release.yml' },
    failed: ['job_workflow_ref'],
  },
  {
    name: 'of a file whose name ends alike',
    changes: { job_workflow_ref: 'acme/models/.github/workflows/pre-release.yml@refs/tags/v1' },
    failed: ['job_workflow_ref'],
  },
  {
    name: 'with a mark in the ref',
    changes: { ref: 'refs/heads/a@b', job_workflow_ref: 'acme/models/.github/workflows/release.yml@refs/heads/a@b' },
    failed: [],
  },
  {
    name: 'without numeric IDs',
    changes: { repository_id: undefined, repository_owner_id: '7\u0000' },
    failed: ['repository_id', 'repository_owner_id'],
  },
  { name: 'of a repository that begins alike', changes: { repository: 'acme/models2' }, failed: ['repository'] },
  {
    name: 'without claims',
    changes: Object.fromEntries(Object.keys(job).map((name) => [name, undefined])),
    failed: ['repository', 'repository_id', 'repository_owner_id', 'event_name', 'ref', 'job_workflow_ref'],
  },
  {
    name: 'with objects instead of texts',
    changes: { repository: {}, ref: ['refs/heads/main'] },
    failed: ['repository', 'ref', 'job_workflow_ref'],
  },
])('a job of GitHub $name fails $failed', ({ changes, failed }) => {
  expect(failedOf(github, { ...job, ...changes })).toEqual(failed)
})

it('compares pinned IDs exactly', () => {
  const fixed = { ...github, repository_id: '1', repository_owner_id: '2' }
  expect(failedOf(fixed, job)).toEqual([])
  expect(failedOf(fixed, { ...job, repository_id: '01' })).toEqual(['repository_id'])
  expect(failedOf(fixed, { ...job, repository_id: 1 })).toEqual(['repository_id'])
  expect(failedOf(fixed, { ...job, repository_owner_id: '3' })).toEqual(['repository_owner_id'])
})

it('finds the matching publisher, or else the closest one of the same repository, or none', () => {
  const [strict, other] = [
    { ...github, environment: 'release' },
    { ...github, workflow: 'other.yml' },
  ]
  expect(matchPublisher([other, strict, github], job)).toEqual({ state: 'trusted', publisher: github })
  expect(matchPublisher([{ ...other, environment: 'x' }, strict], job)).toEqual({
    state: 'refused',
    publisher: strict,
    claim: 'environment',
  })
  const namesake = { ...github, repository_id: '9' }
  expect(matchPublisher([namesake], job)).toEqual({ state: 'stranger', publisher: namesake, claim: 'repository_id' })
  expect(matchPublisher([github], { ...job, repository: 'mallory/models' })).toMatchObject({
    state: 'stranger',
    publisher: undefined,
  })
  expect(matchPublisher([], job)).toMatchObject({ state: 'stranger', publisher: undefined })
})

it('tells only repositories and projects that they must be added again', () => {
  const detailOf = (claims: Claims) =>
    describeMismatch({ state: 'stranger', publisher: undefined, claim: 'x' }, 'https://ci.acme.example', claims).detail
  expect(detailOf({ sub: 'acme/release' })).not.toContain('recreated')
  expect(detailOf(job)).toContain('recreated')
  expect(detailOf({ project_path: 'acme/models', project_id: '1' })).toContain('recreated')
})

it('the same publisher is equal in any spelling and with any numeric IDs', () => {
  expect(github.issuer).toBe(publisherIssuers.github)
  const again = trustedOf({ kind: 'github', repository: 'acme/models', workflow: 'release.yml', repository_id: '1' })
  expect(identityOf(again)).toBe(identityOf(github))
  expect(identityOf({ ...github, environment: 'release' })).not.toBe(identityOf(github))
  expect(identityOf({ ...github, workflow: 'Release.yml' })).not.toBe(identityOf(github))
})

it('shows the name of a job in safe characters only', () => {
  expect(runOf({ kind: 'github' }, { run_id: '7', run_attempt: 2 })).toBe('run 7, attempt 2')
  expect(runOf({ kind: 'gitlab' }, { pipeline_id: '\u001b[31m7', job_id: {} })).toBe('pipeline __31m7, job ?')
})
