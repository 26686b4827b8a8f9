import { createHmac, createPrivateKey, createPublicKey, sign } from 'node:crypto'

const issuer = 'https://registry.example'
const issuedAt = Date.parse('2026-11-20T10:15:00.000Z') / 1_000
const order = 2n ** 252n + 27742317777372353535851937790883648493n

/** A key pair from a seed. Nothing is protected by it. */
const keyFrom = (seed: string) => {
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, seed)])
  const privateKey = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
  return { privateKey, jwk: (kid: string) => ({ kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' }) }
}

const registry = keyFrom('registry')
const attacker = keyFrom('attacker')
const kid = 'registry-key-1'

const plain = {
  iss: issuer,
  jti: 'vrf_06dh0e3x7c9bw4vjz2n8qk5ytm',
  iat: issuedAt,
  exp: issuedAt + 900,
  model_id: 'mdl_06dh0e3x7c9bw4vjz2n8qk5yt0',
  provider_id: 'prv_06dh0e3x7c9bw4vjz2n8qk5yt1',
  provider_domain: 'acme.example',
  model_identifier: 'tiny',
  version: '1.0.0',
  model_digest: `sha256:${'9f2c41d7'.repeat(8)}`,
  deployment_id: 'dep_06dh0e3x7c9bw4vjz2n8qk5yt2',
  deployment_binding: 'mtls',
  spki_fingerprint: '64fe2b81'.repeat(8),
  user_fp: 'c0ffee00'.repeat(8),
  challenge: 'blue heron 42',
  origin: 'https://chat.acme.example',
  bound_to_response: false,
}
const binding = { bound_to_response: true, response_hash: '2cf24dba'.repeat(8), bound_by: 'provider' }
const bound = { ...plain, ...binding }

const plainHeader = { alg: 'EdDSA', typ: 'vt+jwt', kid }
const boundHeader = { ...plainHeader, typ: 'bound+jwt' }

const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

const signed = (claims: unknown, header: unknown = plainHeader, key = registry.privateKey) => {
  const content = `${encode(header)}.${encode(claims)}`
  return `${content}.${sign(null, Buffer.from(content), key).toString('base64url')}`
}

const withHmac = (claims: unknown, secret: Buffer) => {
  const content = `${encode({ ...plainHeader, alg: 'HS256' })}.${encode(claims)}`
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`
}

/** Another content under the signature of a good token. */
const changed = (change: object, header: unknown = plainHeader) =>
  `${encode(header)}.${encode({ ...plain, ...change })}.${signatureOf(signed(plain))}`

const signatureOf = (token: string) => token.slice(token.lastIndexOf('.') + 1)
const withSignature = (token: string, signature: string) => token.slice(0, token.lastIndexOf('.') + 1) + signature

const without = (name: keyof typeof plain) => Object.fromEntries(Object.entries(plain).filter(([key]) => key !== name))

/** S + L is another spelling of S, and refused (RFC 8032 §5.1.7). */
const withLargeS = (token: string) => {
  const bytes = Buffer.from(signatureOf(token), 'base64url')
  const s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`) + order
  Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse().copy(bytes, 32)
  return withSignature(token, bytes.toString('base64url'))
}

/** The same bytes with a bit set that no byte has room for. */
const withStrayBit = (token: string) => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return token.slice(0, -1) + alphabet[alphabet.indexOf(token.slice(-1)) + 1]
}

const otherValues: Partial<Record<keyof typeof plain, unknown>> = {
  jti: 'vrf_06dh0e3x7c9bw4vjz2n8qk5yt9',
  iat: issuedAt + 1,
  exp: issuedAt + 899,
  model_id: 'mdl_06dh0e3x7c9bw4vjz2n8qk5yt9',
  provider_id: 'prv_06dh0e3x7c9bw4vjz2n8qk5yt9',
  provider_domain: 'northwind.example',
  model_identifier: 'large',
  version: '2.0.0',
  model_digest: `sha256:${'00000000'.repeat(8)}`,
  deployment_id: 'dep_06dh0e3x7c9bw4vjz2n8qk5yt9',
  deployment_binding: 'proxy',
  spki_fingerprint: '00000000'.repeat(8),
  user_fp: '00000000'.repeat(8),
  challenge: 'red heron 42',
  origin: 'https://chat.northwind.example',
}

const good = () => [
  { name: 'plain', token: signed(plain) },
  { name: 'bound by the provider', token: signed(bound, boundHeader) },
  { name: 'bound by the bearer', token: signed({ ...bound, bound_by: 'bearer' }, boundHeader) },
  {
    name: 'without a deployment',
    token: signed({ ...without('deployment_id'), deployment_binding: undefined, spki_fingerprint: undefined }),
  },
  { name: 'with a claim that we do not know', token: signed({ ...plain, region: 'eu' }) },
  {
    name: 'issued within the tolerance of the clock',
    token: signed({ ...plain, iat: issuedAt + 64, exp: issuedAt + 964 }),
  },
  {
    name: 'expired within the tolerance of the clock',
    token: signed({ ...plain, iat: issuedAt - 844, exp: issuedAt + 56 }),
  },
  {
    name: 'with another key in the header, signed by ours',
    token: signed(plain, { ...plainHeader, jwk: attacker.jwk('x') }),
  },
]

const bad = () => [
  {
    name: 'alg none, no signature',
    reason: 'bad_signature',
    token: `${encode({ ...plainHeader, alg: 'none' })}.${encode(plain)}.`,
  },
  {
    name: 'alg none, with a signature',
    reason: 'bad_signature',
    token: signed(plain, { ...plainHeader, alg: 'none' }),
  },
  {
    name: 'alg HS256 with the public key as the secret',
    reason: 'bad_signature',
    token: withHmac(plain, Buffer.from(registry.jwk(kid).x, 'base64url')),
  },
  { name: 'alg ES256 in the header', reason: 'bad_signature', token: signed(plain, { ...plainHeader, alg: 'ES256' }) },
  { name: 'alg missing', reason: 'bad_signature', token: signed(plain, { typ: 'vt+jwt', kid }) },
  {
    name: 'alg twice in the header',
    reason: 'malformed',
    token: signed(plain, `{"alg":"none","alg":"EdDSA","typ":"vt+jwt","kid":"${kid}"}`),
  },
  {
    name: 'alg twice, once escaped',
    reason: 'malformed',
    token: signed(plain, `{"\\u0061lg":"none","alg":"EdDSA","typ":"vt+jwt","kid":"${kid}"}`),
  },
  { name: 'another kid', reason: 'unknown_key', token: signed(plain, { ...plainHeader, kid: 'registry-key-2' }) },
  { name: 'kid missing', reason: 'unknown_key', token: signed(plain, { alg: 'EdDSA', typ: 'vt+jwt' }) },
  {
    name: 'kid __proto__',
    reason: 'unknown_key',
    token: signed(plain, `{"alg":"EdDSA","typ":"vt+jwt","kid":"__proto__"}`),
  },
  { name: 'typ JWT', reason: 'malformed', token: signed(plain, { ...plainHeader, typ: 'JWT' }) },
  { name: 'typ at+jwt', reason: 'malformed', token: signed(plain, { ...plainHeader, typ: 'at+jwt' }) },
  { name: 'typ missing', reason: 'malformed', token: signed(plain, { alg: 'EdDSA', kid }) },
  { name: 'crit in the header', reason: 'malformed', token: signed(plain, { ...plainHeader, crit: ['exp'] }) },
  {
    name: 'signed by another key under our kid',
    reason: 'bad_signature',
    token: signed(plain, plainHeader, attacker.privateKey),
  },
  {
    name: 'a key in the header, under our kid',
    reason: 'bad_signature',
    token: signed(plain, { ...plainHeader, jwk: attacker.jwk(kid) }, attacker.privateKey),
  },
  {
    name: 'a key in the header, under its own kid',
    reason: 'unknown_key',
    token: signed(plain, { ...plainHeader, kid: 'mine', jwk: attacker.jwk('mine') }, attacker.privateKey),
  },
  {
    name: 'the address of keys in the header',
    reason: 'unknown_key',
    token: signed(
      plain,
      { ...plainHeader, kid: 'mine', jku: 'https://evil.example/jwks.json', x5u: 'https://evil.example/x' },
      attacker.privateKey,
    ),
  },
  ...Object.entries(otherValues).map(([name, value]) => ({
    name: `${name} changed`,
    reason: 'bad_signature',
    token: changed({ [name]: value }),
  })),
  ...(['provider_domain', 'deployment_id', 'challenge', 'origin'] as const).map((name) => ({
    name: `${name} taken out`,
    reason: 'bad_signature',
    token: changed({ [name]: undefined }),
  })),
  { name: 'iss changed', reason: 'foreign_registry', token: changed({ iss: 'https://evil.example' }) },
  {
    name: 'iss with a slash at its end, signed',
    reason: 'foreign_registry',
    token: signed({ ...plain, iss: `${issuer}/` }),
  },
  {
    name: 'another registry, signed with our key',
    reason: 'foreign_registry',
    token: signed({ ...plain, iss: 'https://other.example' }),
  },
  {
    name: 'the signature of another token',
    reason: 'bad_signature',
    token: withSignature(signed(plain), signatureOf(signed({ ...plain, version: '2' }))),
  },
  { name: 'the signature all zero', reason: 'bad_signature', token: withSignature(signed(plain), 'A'.repeat(86)) },
  { name: 'the signature in its other spelling', reason: 'bad_signature', token: withLargeS(signed(plain)) },
  { name: 'a binding added to a plain token', reason: 'claim_mismatch', token: changed(binding) },
  { name: 'a binding in a plain token, signed', reason: 'claim_mismatch', token: signed(bound) },
  {
    name: 'a hash in a plain token, signed',
    reason: 'claim_mismatch',
    token: signed({ ...plain, response_hash: binding.response_hash }),
  },
  { name: 'a plain token called bound', reason: 'claim_mismatch', token: signed(plain, boundHeader) },
  {
    name: 'bound without a hash',
    reason: 'claim_mismatch',
    token: signed({ ...plain, bound_to_response: true, bound_by: 'bearer' }, boundHeader),
  },
  {
    name: 'bound without `bound_by`',
    reason: 'claim_mismatch',
    token: signed({ ...plain, bound_to_response: true, response_hash: binding.response_hash }, boundHeader),
  },
  { name: 'expired', reason: 'expired', token: signed({ ...plain, iat: issuedAt - 900, exp: issuedAt }) },
  {
    name: 'expired at the end of the tolerance',
    reason: 'expired',
    token: signed({ ...plain, iat: issuedAt - 845, exp: issuedAt + 55 }),
  },
  {
    name: 'issued in the future',
    reason: 'claim_mismatch',
    token: signed({ ...plain, iat: issuedAt + 600, exp: issuedAt + 1_500 }),
  },
  {
    name: 'issued just beyond the tolerance',
    reason: 'claim_mismatch',
    token: signed({ ...plain, iat: issuedAt + 66, exp: issuedAt + 966 }),
  },
  { name: 'longer than 15 minutes', reason: 'claim_mismatch', token: signed({ ...plain, exp: issuedAt + 901 }) },
  {
    name: 'ends before it begins',
    reason: 'claim_mismatch',
    token: signed({ ...plain, iat: issuedAt, exp: issuedAt - 1 }),
  },
  { name: 'exp missing', reason: 'malformed', token: signed(without('exp')) },
  { name: 'exp as text', reason: 'malformed', token: signed({ ...plain, exp: String(plain.exp) }) },
  { name: 'jti missing', reason: 'malformed', token: signed(without('jti')) },
  { name: 'a list for claims', reason: 'malformed', token: signed([plain]) },
  { name: 'null for claims', reason: 'malformed', token: signed(null) },
  { name: 'claims that are not JSON', reason: 'malformed', token: signed('{') },
  { name: 'cut off in the signature', reason: 'malformed', token: signed(plain).slice(0, -10) },
  { name: 'cut off in the claims', reason: 'malformed', token: signed(plain).split('.').slice(0, 2).join('.') },
  { name: 'four parts', reason: 'malformed', token: `${signed(plain)}.${encode(plain)}` },
  { name: 'padding', reason: 'malformed', token: `${signed(plain)}==` },
  { name: 'another spelling of the last byte', reason: 'malformed', token: withStrayBit(signed(plain)) },
  { name: 'an API key', reason: 'malformed', token: `csk_a1b2c3d4_${'k'.repeat(49)}` },
  { name: 'the domain never verified', reason: 'provider_unverified', token: signed(without('provider_domain')) },
]

export const tokenVectors = () => ({
  about:
    'Tokens judged offline, at `now`, with a tolerance of `clock_tolerance_seconds`, by the keys of `jwks`. Each of `good` is verified; each of `bad` is not, for its `reason`. The keys protect nothing.',
  issuer,
  now: new Date((issuedAt + 60) * 1_000).toISOString(),
  clock_tolerance_seconds: 5,
  jwks: { keys: [registry.jwk(kid)] },
  good: good(),
  bad: bad(),
})
