import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { createVerifier } from '@countersign/sdk/verify'
import { expect, it } from 'vitest'
import { ask } from '../support/ask.ts'
import { isFull, sampled } from '../support/full.ts'
import { createWorld, type World } from '../support/world.ts'

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Record<string, unknown>

const mintLink = async (world: World, name = 'acme') => {
  const acme = await world.provider(name)
  const model_id = await acme.registerModel()
  const { deployment_id, spki_fingerprint } = await acme.registerDeployment([model_id])
  const minted = await acme.client.verifications.create(
    { model_id, challenge: 'blue otter', origin: 'https://chat.acme.example', user_fingerprint: 'u' },
    { headers: { 'X-Client-Cert-Fingerprint': spki_fingerprint } },
  )
  const [header, claims, signature] = minted.token.split('.')
  return {
    acme,
    model_id,
    deployment_id,
    minted,
    header: decode(header),
    claims: decode(claims),
    parts: [header, claims, signature] as [string, string, string],
  }
}

const createOffline = async (world: World) =>
  createVerifier({ issuer: world.publicUrl, jwks: await world.anyone.signing.jwks(), now: world.clock.now })

const online = async (world: World, token: string) => ask(`${world.address}/api/v1/verify/${encodeURIComponent(token)}`)

/** Rejected by every way of checking, each time with a named reason. */
const expectRefused = async (world: World, name: string, token: string, code: string) => {
  const reply = await online(world, token)
  expect({ name, status: reply.status, code: reply.body.code, result: reply.body.result }).toEqual({
    name,
    status: 400,
    code,
    result: 'not_verified',
  })
  expect(await world.anyone.verifications.inspect(token), name).toMatchObject({
    valid: false,
    result: 'not_verified',
    claims: null,
    model: null,
  })
  const verdict = await (await createOffline(world)).verify(token)
  expect(verdict.result, name).toBe('not_verified')
  await expect(world.anyone.verifications.bind(token, { response_text: 'x' }), name).rejects.toMatchObject({ code })
}

it('rejects every token that this registry did not sign in exactly this form', async () => {
  const world = await createWorld()
  const { minted, header, claims, parts, acme } = await mintLink(world)
  const [publicKey] = (await world.anyone.signing.jwks()).keys
  const stranger = generateKeyPairSync('ed25519')
  const forge = (head: object, payload: object, signature?: Buffer) => {
    const input = `${encode(head)}.${encode(payload)}`
    return `${input}.${(signature ?? sign(null, Buffer.from(input), stranger.privateKey)).toString('base64url')}`
  }
  const hmac = (head: object, secret: Buffer) => {
    const input = `${encode(head)}.${encode(claims)}`
    return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
  }
  const rows: [name: string, token: string, code: string][] = [
    ['alg none, no signature', `${encode({ ...header, alg: 'none' })}.${parts[1]}.`, 'link_forged'],
    ['alg none, the old signature', `${encode({ ...header, alg: 'none' })}.${parts[1]}.${parts[2]}`, 'link_forged'],
    ['alg NonE', `${encode({ ...header, alg: 'NonE' })}.${parts[1]}.${parts[2]}`, 'link_forged'],
    [
      'HS256 with the public key',
      hmac({ ...header, alg: 'HS256' }, Buffer.from(publicKey?.x ?? '', 'base64url')),
      'link_forged',
    ],
    [
      'HS256 with the public key as JSON',
      hmac({ ...header, alg: 'HS256' }, Buffer.from(JSON.stringify(publicKey))),
      'link_forged',
    ],
    ['alg missing', forge({ typ: header.typ, kid: header.kid }, claims), 'link_forged'],
    ['a stranger’s key under our kid', forge(header, claims), 'link_forged'],
    ['a stranger’s key under another kid', forge({ ...header, kid: 'other' }, claims), 'link_forged'],
    [
      'a stranger’s key in the header',
      forge({ ...header, kid: undefined, jwk: stranger.publicKey.export({ format: 'jwk' }) }, claims),
      'link_forged',
    ],
    ['a key behind a URL', forge({ ...header, jku: 'https://mallory.example/jwks.json' }, claims), 'link_forged'],
    ['no kid', `${encode({ ...header, kid: undefined })}.${parts[1]}.${parts[2]}`, 'link_forged'],
    ['kid of a prototype', `${encode({ ...header, kid: '__proto__' })}.${parts[1]}.${parts[2]}`, 'link_forged'],
    ['typ JWT', `${encode({ ...header, typ: 'JWT' })}.${parts[1]}.${parts[2]}`, 'link_malformed'],
    ['typ bound+jwt', `${encode({ ...header, typ: 'bound+jwt' })}.${parts[1]}.${parts[2]}`, 'link_forged'],
    ['crit', `${encode({ ...header, crit: ['exp'] })}.${parts[1]}.${parts[2]}`, 'link_malformed'],
    [
      'members in another order',
      `${encode({ kid: header.kid, alg: header.alg, typ: header.typ })}.${parts[1]}.${parts[2]}`,
      'link_forged',
    ],
    [
      'a plain token with a binding added',
      `${parts[0]}.${encode({ ...claims, bound_to_response: true, response_hash: 'a'.repeat(64), bound_by: 'provider' })}.${parts[2]}`,
      'link_forged',
    ],
    ['another signature', `${parts[0]}.${parts[1]}.${randomBytes(64).toString('base64url')}`, 'link_forged'],
    ['a signature of zeros', `${parts[0]}.${parts[1]}.${Buffer.alloc(64).toString('base64url')}`, 'link_forged'],
    ['no signature', `${parts[0]}.${parts[1]}.`, 'link_malformed'],
    ['half a signature', `${parts[0]}.${parts[1]}.${parts[2].slice(0, 43)}`, 'link_malformed'],
    ['cut off by one', minted.token.slice(0, -1), 'link_malformed'],
    ['two parts', `${parts[0]}.${parts[1]}`, 'link_malformed'],
    ['four parts', `${minted.token}.${parts[2]}`, 'link_malformed'],
    ['padding', `${minted.token}==`, 'link_malformed'],
    ['an API key', acme.apiKey, 'link_malformed'],
    ['an API key for a token’s parts', `${acme.apiKey}.${acme.apiKey}.${acme.apiKey}`, 'link_malformed'],
    ['a model’s id', String(claims.model_id), 'link_malformed'],
    ['claims that are an array', `${parts[0]}.${encode([claims])}.${parts[2]}`, 'link_malformed'],
    ['no claims', `${parts[0]}.${encode({})}.${parts[2]}`, 'link_malformed'],
    ['5000 characters', `eyJ${'a'.repeat(4_996)}.`, 'link_malformed'],
  ]
  rows.push([
    'a deployment that was only named, said to be proven',
    `${parts[0]}.${encode({ ...claims, deployment_binding: 'mtls' })}.${parts[2]}`,
    'link_forged',
  ])
  for (const [name, value] of Object.entries(claims)) {
    if (name === 'deployment_binding') continue
    const changed =
      typeof value === 'string'
        ? `${value.slice(0, -1)}${value.endsWith('0') ? '1' : '0'}`
        : typeof value === 'number'
          ? value + 1
          : !value
    rows.push([
      `the claim ${name} changed`,
      `${parts[0]}.${encode({ ...claims, [name]: changed })}.${parts[2]}`,
      name === 'iss' ? 'link_foreign' : 'link_forged',
    ])
  }
  const refusals: string[] = []
  for (const [name, token, code] of rows) {
    await expectRefused(world, name, token, code).catch((error) => refusals.push(`${name}: ${error.message}`))
  }
  expect(refusals).toEqual([])
  expect((await world.anyone.verifications.get(minted.token)).result).toBe('verified')
})

it('rejects a genuine token outside its validity', async () => {
  const world = await createWorld()
  const { minted } = await mintLink(world)
  const verifier = await createOffline(world)
  const verifierBehind = createVerifier({
    issuer: world.publicUrl,
    jwks: await world.anyone.signing.jwks(),
    now: () => world.clock.now() - 60_000,
  })
  expect(await verifierBehind.verify(minted.token)).toMatchObject({ result: 'not_verified', reason: 'claim_mismatch' })
  world.clock.advance('899s')
  expect((await world.anyone.verifications.get(minted.token)).result).toBe('verified')
  world.clock.advance('1s')
  expect(await online(world, minted.token)).toMatchObject({
    status: 400,
    body: { code: 'link_expired', reason: 'expired', change: 'expired' },
  })
  world.clock.advance('10s')
  expect(await verifier.verify(minted.token)).toMatchObject({ result: 'not_verified', reason: 'expired' })
})

it('rejects tokens of its own that are not in the record', async () => {
  const world = await createWorld()
  const { header, claims } = await mintLink(world)
  const make = (change: Record<string, unknown>) =>
    world.registry.signing.sign(String(header.kid), 'plain', { ...claims, ...change } as never)
  const iat = Math.floor(world.clock.now() / 1_000)
  const rows: [change: Record<string, unknown>, code: string][] = [
    [{ iat: iat + 60, exp: iat + 660 }, 'link_forged'],
    [{ exp: iat + 901 }, 'link_forged'],
    [{ iat: iat - 1_000, exp: iat - 100 }, 'link_expired'],
    [{ challenge: 'another' }, 'link_unknown'],
    [{ bound_to_response: true, response_hash: 'a'.repeat(64), bound_by: 'provider' }, 'link_forged'],
  ]
  for (const [change, code] of rows)
    expect((await online(world, await make(change))).body.code, JSON.stringify(change)).toBe(code)
})

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const odd = [...'.=+/ ~%"\\\u0000\u200bé']

/** Every character of the text, replaced by others in turn. */
const mutationsOf = (text: string, count: number): string[] => {
  const mutations: string[] = []
  for (let round = 0; mutations.length < count; round++) {
    for (let index = 0; index < text.length && mutations.length < count; index++) {
      const known = alphabet.indexOf(text[index] ?? '')
      // The neighbour first: in the last character of a part it may encode the same bytes.
      const step = round < 4 ? [1, 63, 2, 16][round] : round * 7
      const replacement =
        round % 8 === 7
          ? (odd[(index + round) % odd.length] ?? '')
          : known < 0
            ? 'A'
            : (alphabet[(known + (step ?? 1)) % 64] ?? '')
      if (replacement !== text[index]) mutations.push(text.slice(0, index) + replacement + text.slice(index + 1))
    }
  }
  return mutations
}

it('accepts no token with one character changed, offline', async () => {
  const world = await createWorld()
  const { minted } = await mintLink(world)
  const verifier = await createOffline(world)
  const answers = new Map<string, number>()
  const tokens = sampled(mutationsOf(minted.token, 10_000), 5)
  for (const token of tokens) {
    const verdict = await verifier.verify(token)
    const answer = verdict.result === 'not_verified' ? verdict.reason : verdict.result
    answers.set(answer, (answers.get(answer) ?? 0) + 1)
    if (answer === 'verified' || answer === 'keys_unavailable') throw new Error(`${answer}: ${JSON.stringify(token)}`)
  }
  expect([...answers.values()].reduce((sum, count) => sum + count)).toBe(tokens.length)
  expect(
    [...answers.keys()].filter(
      (reason) => !['bad_signature', 'malformed', 'unknown_key', 'foreign_registry', 'claim_mismatch'].includes(reason),
    ),
  ).toEqual([])
  expect((await verifier.verify(minted.token)).result).toBe('verified')
})

it('accepts no such token online, and gives a reason for each', async () => {
  const world = await createWorld()
  const { minted } = await mintLink(world)
  const tokens = mutationsOf(minted.token, 10_000).filter((_, index) => index % (isFull ? 10 : 40) === 0)
  const tail = mutationsOf(minted.token, minted.token.length * 4).filter(
    (token) => token.slice(0, -2) === minted.token.slice(0, -2),
  )
  const codes = new Set(['link_forged', 'link_malformed', 'link_foreign'])
  for (let index = 0; index < tokens.length + tail.length; index += 20) {
    const batch = [...tokens, ...tail].slice(index, index + 20)
    const replies = await Promise.all(batch.map((token) => online(world, token)))
    for (const [at, { status, body }] of replies.entries()) {
      expect({ token: batch[at], status, isTyped: codes.has(String(body.code)) }).toEqual({
        token: batch[at],
        status: 400,
        isTyped: true,
      })
    }
  }
})

const symbols = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

it('distinguishes every one-character typo in a link code from an unknown link', async () => {
  const world = await createWorld()
  const { minted } = await mintLink(world)
  const link = minted.verification_url
  const start = link.lastIndexOf('/') + 1
  const wrong: string[] = []
  for (let index = start; index < link.length; index++) {
    if (link[index] === '-') continue
    for (const symbol of symbols)
      if (symbol !== link[index]) wrong.push(link.slice(0, index) + symbol + link.slice(index + 1))
  }
  expect(wrong).toHaveLength(16 * 31)
  for (let index = 0; index < wrong.length; index += 31) {
    const replies = await Promise.all(wrong.slice(index, index + 31).map((code) => online(world, code)))
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.code} ${body.reason}`))).toEqual(
      new Set(['400 link_mistyped mistyped']),
    )
  }
  const [{ formatLinkCode }, { createLinkCode }] = await Promise.all([
    import('@countersign/sdk/verify'),
    import('@countersign/sdk/verify/link-codes'),
  ])
  const unknown = formatLinkCode(createLinkCode(world.clock.now(), randomBytes(8)))
  expect(await online(world, unknown)).toMatchObject({
    status: 400,
    body: { code: 'link_unknown', reason: 'not_found' },
  })
})

it('finds a link in every spelling that a person or a model uses', async () => {
  const world = await createWorld()
  const { minted } = await mintLink(world)
  const url = minted.verification_url
  const code = url.slice(url.lastIndexOf('/') + 1)
  const spellings = [
    code,
    code.toLowerCase(),
    code.replaceAll('-', ''),
    code.replaceAll('-', ' '),
    code.replaceAll('-', '–'),
    code.replaceAll('0', 'O').replaceAll('1', 'l'),
    code.replaceAll('1', 'I').toLowerCase(),
    ` ${code}\n`,
    `"${code}"`,
    `${code}.`,
    `**${code}**`,
    `\`${code}\``,
    url,
    `<${url}>`,
    `${url}).`,
    `[Check me](${url})`,
    `[${url}](${url})`,
    `You can verify me here: ${url}!`,
    url.replace('/v/', '/verify/'),
    `${url}?utm_source=chat`,
    `${url}/`,
    [...code].join('\u200b'),
  ]
  for (const spelling of spellings)
    expect((await online(world, spelling)).body.verification_id, spelling).toBe(minted.verification_id)
})

it('makes no request about links of another registry', async () => {
  const world = await createWorld()
  const { minted } = await mintLink(world)
  const code = minted.verification_url.slice(minted.verification_url.lastIndexOf('/'))
  for (const link of [
    `https://other.example/v${code}`,
    `http://127.0.0.1.other.example/v${code}`,
    `${world.publicUrl.replace('//', '//registry@other.example/')}/v${code}`,
  ]) {
    expect(await online(world, link), link).toMatchObject({
      status: 400,
      body: { code: 'link_foreign', reason: 'foreign_registry' },
    })
  }
  const other = await createWorld()
  const theirs = await mintLink(other)
  await expectRefused(world, 'another registry’s token', theirs.minted.token, 'link_foreign')
})
