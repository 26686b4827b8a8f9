import { createHmac, generateKeyPairSync, randomUUID, sign, webcrypto } from 'node:crypto'
import { spkiFingerprint } from '@countersign/sdk/node'
import { expect, it } from 'vitest'
import { type Claims, forge } from '../support/ci-issuer.ts'
import { describeOnSqlite, type Engine } from '../support/databases.ts'
import { runsOf } from '../support/full.ts'
import { createWorld } from '../support/world.ts'

const newSpki = async () => {
  const { publicKey } = (await webcrypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])) as CryptoKeyPair
  return Buffer.from(await webcrypto.subtle.exportKey('spki', publicKey))
}

/** A provider that trusts an identity, and ways to make its platform's tokens, right and wrong. */
const setUp = async (engine: Engine) => {
  const world = await createWorld({ engine })
  const acme = await world.provider('northwind')
  const { issuer, signingKey } = world.jobIssuer
  await acme.client.workloads.trust({ issuer, subject: 'chat-prod', claims: { email: 'chat@northwind.example' } })
  const claimsWith = (changes: Claims = {}): Claims => {
    const iat = Math.floor(world.clock.now() / 1_000)
    const times = { iat, exp: iat + 300, jti: randomUUID() }
    return {
      iss: issuer,
      aud: world.publicUrl,
      sub: 'chat-prod',
      email: 'chat@northwind.example',
      ...times,
      ...changes,
    }
  }
  const signP256 = (text: string, key = signingKey.privateKey) =>
    sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' })
  const header = { alg: 'ES256', kid: signingKey.kid }
  const make = (changes: Claims = {}, head: object = {}, signText: (text: string) => Buffer = signP256) =>
    forge({ ...header, ...head }, claimsWith(changes), undefined, signText)
  const exchange = (subject_token: string, spki: Buffer) =>
    world.anyone.workloads.exchange({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token,
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      provider_id: acme.id,
      public_key: spki.toString('base64'),
    })
  return { world, acme, signingKey, signP256, make, exchange }
}

/** The same numbers each time. */
const createRandom = (seed: number) => (below: number) => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((seed / 2 ** 32) * below)
}

type Scene = Awaited<ReturnType<typeof setUp>>
type Random = ReturnType<typeof createRandom>

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const rsaStranger = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey

/** Another value, of any type. */
const otherThan = (value: string, random: Random): unknown => {
  const at = random(value.length)
  const others = [
    value.slice(0, at) + (value[at] === 'x' ? 'y' : 'x') + value.slice(at + 1),
    value.slice(0, at) + value.slice(at + 1),
    `${value}/`,
    ` ${value}`,
    `${value}\u0000`,
    value.toUpperCase(),
    [value],
    [value, value, 'x'],
    { value },
    1,
    true,
    null,
    undefined,
    '',
  ]
  return others[random(others.length)]
}

/** One fault each, by the part of the token that has it. */
const faults: Record<string, (scene: Scene, random: Random) => string> = {
  issuer: ({ make, world }, random) => make({ iss: otherThan(world.jobIssuer.issuer, random) }),
  subject: ({ make }, random) => make({ sub: otherThan('chat-prod', random) }),
  claim: ({ make }, random) => make({ email: otherThan('chat@northwind.example', random) }),
  audience: ({ make, world }, random) => {
    const other = otherThan(world.publicUrl, random)
    // One audience in a list is the same audience.
    return make({ aud: Array.isArray(other) && other.length === 1 ? [] : other })
  },
  expiry: ({ make, world }, random) => {
    const at = Math.floor(world.clock.now() / 1_000)
    return make({ exp: [at - 31 - random(9_999), String(at + 300), null, undefined, [at + 300], true][random(6)] })
  },
  'time of issue': ({ make, world }, random) => {
    const at = Math.floor(world.clock.now() / 1_000)
    return make({ iat: [at + 31 + random(9_999), at - 86_401 - random(9_999), String(at), null, undefined][random(5)] })
  },
  'first second': ({ make, world }, random) =>
    make({ nbf: [Math.floor(world.clock.now() / 1_000) + 31 + random(9_999), 'now', null, {}][random(4)] }),
  ID: ({ make }, random) => make({ jti: ['', null, 7, ['x'], 'x'.repeat(501)][random(5)] }),
  algorithm: ({ make }, random) =>
    make(
      {},
      { alg: ['none', 'None', 'es256', 'ES384', 'ES512', 'RS256', 'PS256', 'EdDSA', 'HS256', '', 7][random(11)] },
    ),
  'key ID': ({ make }, random) => make({}, { kid: ['mine', '', '../keys', 7, undefined, null][random(6)] }),
  'critical header': ({ make }, random) => make({}, { crit: [['b64'], [], ['exp'], null][random(4)] }),
  'its public key as a secret': ({ make, signingKey }, random) => {
    const secret =
      random(2) === 0
        ? signingKey.publicKey.export({ type: 'spki', format: 'pem' })
        : signingKey.publicKey.export({ type: 'spki', format: 'der' })
    return make({}, { alg: 'HS256' }, (text) => createHmac('sha256', secret).update(text).digest())
  },
  "a stranger's key": ({ make, signP256 }, random) => {
    const jwk = stranger.publicKey.export({ format: 'jwk' })
    const heads = [{}, { jwk }, { jku: 'https://evil.example/keys' }, { x5u: 'https://evil.example/x5u' }]
    return make({}, heads[random(4)], (text) => signP256(text, stranger.privateKey))
  },
  'a key of another kind': ({ make }) =>
    make({}, { alg: 'RS256' }, (text) => sign('sha256', Buffer.from(text), rsaStranger)),
  'a signature in another form': ({ make, signingKey, signP256 }, random) => {
    const forms: ((text: string) => Buffer)[] = [
      (text) => sign('sha256', Buffer.from(text), signingKey.privateKey),
      () => Buffer.alloc(64),
      () => Buffer.alloc(64, 255),
      (text) => signP256(text).subarray(0, 63),
      (text) => Buffer.concat([signP256(text), Buffer.from([0])]),
      (text) => signP256(`${text}.`),
      () => Buffer.alloc(0),
    ]
    return make({}, {}, forms[random(forms.length)])
  },
  'a changed character': ({ make }, random) => {
    const token = make()
    const at = random(token.length)
    const char = alphabet[random(64)] ?? ''
    return `${token.slice(0, at)}${char === token[at] ? '.' : char}${token.slice(at + 1)}`
  },
  'a missing or added character': ({ make }, random) => {
    const token = make()
    const at = random(token.length)
    return random(2) === 0
      ? token.slice(0, at) + token.slice(at + 1)
      : token.slice(0, at) + [' ', '=', '.', 'A', '\n'][random(5)] + token.slice(at)
  },
  'parts of two tokens': ({ make }, random) => {
    const [one, two] = [make().split('.'), make({ sub: 'other' }).split('.')]
    const from = random(2) + 1
    return [...one.slice(0, from), ...two.slice(from)].join('.')
  },
}

describeOnSqlite('an identity token of a platform', (engine) => {
  it('is rejected with any one of 2,000 faults', async () => {
    const scene = await setUp(engine)
    const random = createRandom(21)
    const spki = await newSpki()
    const kinds = Object.entries(faults)
    const accepted: string[] = []
    for (let index = 0; index < runsOf(2_000); index++) {
      const [name, fault] = kinds[index % kinds.length] ?? []
      const token = fault?.(scene, random) ?? ''
      const refused = await scene.exchange(token, spki).then(
        () => undefined,
        ({ code }) => code,
      )
      if (!['identity_token_invalid', 'workload_mismatch', 'validation_failed'].includes(refused))
        accepted.push(`${name}: ${refused} ${token}`)
    }
    expect(accepted).toEqual([])
    expect(await scene.world.database.read.selectFrom('workload_keys').select('workload_id').execute()).toEqual([])
    await scene.exchange(scene.make(), spki)
  }, 60_000)

  it('is rejected with a key other than the one it names', async () => {
    const { world, make, exchange } = await setUp(engine)
    const [own, stolen] = [await newSpki(), await newSpki()]
    const audienceOf = (spki: Buffer) => `${world.publicUrl}/keys/${spkiFingerprint(spki).hex}`
    const token = make({ aud: audienceOf(own) })
    for (const aud of [`${world.publicUrl}/keys/`, `${audienceOf(own)}0`, audienceOf(own).toUpperCase()])
      await expect(exchange(make({ aud }), own)).rejects.toMatchObject({ problem: { claim: 'aud' } })
    await expect(exchange(token, stolen)).rejects.toMatchObject({ problem: { claim: 'aud' } })
    expect(await exchange(token, own)).toMatchObject({ spki_fingerprint: spkiFingerprint(own).hex })
  })
})
