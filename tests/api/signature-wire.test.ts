import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { spkiFingerprint } from '@countersign/sdk/node'
import { signatureBase } from '@countersign/sdk/signer'
import { beforeAll, expect, it } from 'vitest'
import type { ProviderActor } from '../support/actors.ts'
import { shareWorld } from '../support/world.ts'

const path = '/api/v1/create-verification'
const pairs = {
  ed25519: generateKeyPairSync('ed25519'),
  'ecdsa-p256-sha256': generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  'ecdsa-p384-sha384': generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  other: generateKeyPairSync('ed25519'),
}
type Kind = keyof typeof pairs

const spkiOf = (kind: Kind) => pairs[kind].publicKey.export({ type: 'spki', format: 'der' })
const keyidOf = (kind: Kind) => spkiFingerprint(spkiOf(kind)).hex

/** The order of the group that the numbers in an ECDSA signature belong to. */
const orders = {
  'ecdsa-p256-sha256': 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
  'ecdsa-p384-sha384':
    0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
}
const edOrder = 2n ** 252n + 27742317777372353535851937790883648493n

const numberIn = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
const bytesOf = (value: bigint, length: number) => Buffer.from(value.toString(16).padStart(2 * length, '0'), 'hex')

/** Another signature by the same numbers, which anyone can compute. */
const twinOf = (kind: keyof typeof orders | 'ed25519', signature: Buffer): Buffer => {
  const [first, second] = [signature.subarray(0, signature.length / 2), signature.subarray(signature.length / 2)]
  if (kind === 'ed25519')
    return Buffer.concat([first, bytesOf(numberIn(Buffer.from(second).reverse()) + edOrder, 32).reverse()])
  return Buffer.concat([first, bytesOf(orders[kind] - numberIn(second), second.length)])
}

interface Change {
  kind?: Kind
  /** What is signed as `@target-uri`. */
  target?: string
  /** Is signed, so that only its form is wrong. */
  parameters?: (text: string) => string
  /** Is not signed. */
  input?: (text: string) => string
  line?: string
  host?: string
  headers?: (headers: string[]) => string[]
  body?: (body: string) => string
}

const world = shareWorld()

let acme: ProviderActor
let deployments: string[]
beforeAll(async () => {
  acme = await world().provider('acme')
  const registered = (Object.keys(pairs) as Kind[]).map((kind) => acme.registerDeployment([], keyidOf(kind)))
  deployments = (await Promise.all(registered)).map(({ deployment_id }) => deployment_id)
})

/** A model of which links are minted even without proof. */
const setUp = async () => {
  const model_id = await acme.registerModel({ api_model_identifier: randomBytes(8).toString('hex') })
  for (const deployment_id of deployments) await acme.client.models.allowDeployment(model_id, { deployment_id })
  return { model_id }
}

type Scene = Awaited<ReturnType<typeof setUp>>

const bindingsOf = async ({ model_id }: Scene) => {
  const { read } = world().database
  const rows = await read.selectFrom('verifications').select('binding').where('model_id', '=', model_id).execute()
  return rows.map(({ binding }) => binding)
}

/** A request as text. Without a change, it mints a proven link. */
const write = ({ model_id }: Scene, change: Change = {}): string => {
  const { kind = 'ed25519', target = world().publicUrl + path } = change
  const body = JSON.stringify({ model_id })
  const at = Math.floor(world().clock.now() / 1_000)
  const list = '("@method" "@target-uri" "content-digest" "countersign-key")'
  const plain = `${list};created=${at};expires=${at + 60};nonce="${randomBytes(16).toString('hex')}";keyid="${keyidOf(kind)}";tag="countersign-mint"`
  const parameters = change.parameters?.(plain) ?? plain
  const values: Record<string, string> = {
    '@method': 'POST',
    '@target-uri': target,
    '@authority': new URL(target).host,
    '@path': path,
    'content-digest': `sha-256=:${createHash('sha256').update(body).digest('base64')}:`,
    'countersign-key': `:${spkiOf(kind).toString('base64')}:`,
  }
  const components = (/^\(([^)]*)\)/.exec(parameters)?.[1] ?? '').split(' ').map((written): [string, string] => {
    const [name, ...flags] = written.split(';')
    const value = values[name?.slice(1, -1) ?? ''] ?? ''
    return [written, flags.includes('bs') ? `:${Buffer.from(value).toString('base64')}:` : value]
  })
  const base = Buffer.from(signatureBase(components, parameters))
  const { privateKey: key } = pairs[kind]
  const signature = sign(kind.startsWith('ecdsa') ? kind.slice(-6) : null, base, { key, dsaEncoding: 'ieee-p1363' })
  const headers = [
    `Host: ${change.host ?? new URL(world().publicUrl).host}`,
    'Content-Type: application/json',
    `X-API-Key: ${acme.apiKey}`,
    `Content-Digest: ${values['content-digest']}`,
    `Countersign-Key: ${values['countersign-key']}`,
    `Signature-Input: ${change.input?.(`mint=${parameters}`) ?? `mint=${parameters}`}`,
    `Signature: mint=:${signature.toString('base64')}:`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  return [
    change.line ?? `POST ${path} HTTP/1.1`,
    ...(change.headers?.(headers) ?? headers),
    '',
    change.body?.(body) ?? body,
  ].join('\r\n')
}

/** Each answer as its status and its code, or its binding. */
const send = async (request: string, port = world().port): Promise<string[]> => {
  const socket = connect(port, '127.0.0.1')
  socket.write(request)
  const answers = (await text(socket)).split(/(?=HTTP\/1\.1 \d{3} )/)
  return answers.map((answer) => {
    const [, word = ''] = /"(?:deployment_binding|code)":"(\w+)"/.exec(answer) ?? []
    const isVague = word === 'signature_invalid' && !/"expected":"[^"]/.test(answer)
    return [answer.slice(9, 12), word, isVague ? 'without what was expected' : ''].join(' ').trim()
  })
}

const closing = (request: string) => request.replace('\r\n', '\r\nConnection: close\r\n')
const isOf = (name: string) => (header: string) => header.startsWith(`${name}:`)
const line = (target: string, version = '1.1'): Change => ({ line: `POST ${target} HTTP/${version}` })
const headers = (change: (headers: string[]) => string[]): Change => ({ headers: change })
const header = (name: string, change: (header: string) => string | string[]) =>
  headers((all) => all.flatMap((each) => (isOf(name)(each) ? change(each) : [each])))
const more = (...added: string[]) => headers((all) => [...all, ...added])
const twice = (name: string) => header(name, (each) => [each, each])
const fold = (name: string) => header(name, (each) => each.replace(/(.{30})/, '$1\r\n '))
const signed = (from: string | RegExp, to: string): Change => ({ parameters: (text) => text.replace(from, to) })
const unsigned = (from: string | RegExp, to: string): Change => ({ input: (text) => text.replace(from, to) })
/** The signature of another address, sent with the headers that would name it. */
const elsewhere = (target: string, host: string, ...added: string[]): Change => ({
  ...more(...added),
  target: target + path,
  host,
})
/** Sends the body in chunks, and some of the headers after it. */
const chunked = (isTrailer: (header: string) => boolean, ...added: string[]): Change => {
  let trailers: string[] = []
  return {
    headers: (all) => {
      trailers = all.filter(isTrailer)
      const rest = all.filter((each) => !isTrailer(each) && !isOf('Content-Length')(each))
      return [...rest, 'Transfer-Encoding: chunked', 'Trailer: Signature, Signature-Input, Countersign-Key', ...added]
    },
    body: (body) => [Buffer.byteLength(body).toString(16), body, '0', ...trailers, '', ''].join('\r\n'),
  }
}
const isSignature = (header: string) => /^(Signature|Signature-Input|Countersign-Key):/.test(header)
const ofOther = signed(/keyid="\w+"/, `keyid="${keyidOf('other')}"`)

/** Two ways in: directly, and through a proxy whose headers the registry trusts. */
const attacks: Record<string, Record<string, () => Change>> = {
  '201 signed': {
    'as it should be': () => ({}),
    'with its body in chunks': () => chunked(() => false),
    'over HTTP/1.0': () => line(path, '1.0'),
    'with a query that it covers': () => ({ ...line(`${path}?a=1`), target: `${world().publicUrl}${path}?a=1` }),
    'with its parameters in another order': () => signed(/(created=\d+);(expires=\d+)/, '$2;$1'),
    // It covers the public address, which no header changes.
    'with another Host': () => ({ host: 'evil.example' }),
    'with another forwarded address': () => more('X-Forwarded-Host: evil.example', 'X-Forwarded-Proto: https'),
  },
  '403 signature_invalid': {
    'with the signature twice': () => twice('Signature'),
    'with its input twice': () => twice('Signature-Input'),
    'with its digest twice': () => twice('Content-Digest'),
    'with its key twice': () => twice('Countersign-Key'),
    'with its host twice': () => twice('Host'),
    'with another host first': () => header('Host', (each) => ['Host: evil.example', each]),
    'with another host last': () => header('Host', (each) => [each, 'Host: evil.example']),
    'with an underscore in a name': () => header('Signature-Input', (each) => each.replace('-', '_')),
    'with only the signature': () => headers((all) => all.filter((each) => !/^(Signature-Input|Counter)/.test(each))),
    'with only its input': () => headers((all) => all.filter((each) => !/^(Signature|Countersign-Key):/.test(each))),
    'with only its key': () => headers((all) => all.filter((each) => !each.startsWith('Signature'))),
    'with empty headers': () =>
      headers((all) => all.map((each) => (isSignature(each) ? each.replace(/:.*/, ':') : each))),
    'with the signature as a trailer': () => chunked(isOf('Signature')),
    'with the signature as a trailer and a wrong one before': () =>
      chunked(isOf('Signature'), 'Signature: mint=:AAAA:'),
    'with all its headers as trailers': () => chunked(isSignature),
    'for another host, sent as Host': () => elsewhere('http://evil.example', 'evil.example'),
    'for another port': () => elsewhere('http://127.0.0.1:1', '127.0.0.1:1'),
    'for a host with a dot at its end': () => elsewhere(`http://127.0.0.1.:${world().port}`, '127.0.0.1.'),
    'for an address with a user': () => elsewhere(`http://u@127.0.0.1:${world().port}`, `u@127.0.0.1:${world().port}`),
    'for the address in capitals': () => elsewhere(world().publicUrl.toUpperCase(), 'LOCALHOST'),
    'for a forwarded host': () =>
      elsewhere('https://evil.example:444', '127.0.0.1', 'X-Forwarded-Host: evil.example:444', 'X-Forwarded-Port: 444'),
    'for a forwarded scheme': () =>
      elsewhere(world().publicUrl.replace('http', 'https'), '127.0.0.1', 'X-Forwarded-Proto: https'),
    'for a host in Forwarded': () =>
      elsewhere('https://evil.example', '127.0.0.1', 'Forwarded: host=evil.example;proto=https'),
    'for another address, beside a proxy’s fingerprint': () =>
      elsewhere('http://evil.example', '127.0.0.1', `X-Client-Cert-Fingerprint: ${keyidOf('ed25519')}`),
    'with a query that it does not cover': () => line(`${path}?a=1`),
    'with an empty query': () => line(`${path}?`),
    'with a fragment': () => line(`${path}#a`),
    'with an encoded path': () => line(path.replace('c', '%63')),
    'with a slash at the end': () => line(`${path}/`),
    'with the path in capitals': () => line(path.toUpperCase()),
    'with a negative time': () => signed(/created=\d+/, 'created=-1'),
    'with a decimal time': () => signed(/created=(\d+)/, 'created=$1.0'),
    'with an exponent': () => signed(/created=\d+/, 'created=1e9'),
    'with zeros before a time': () => signed(/created=/, 'created=0000'),
    'with a time as a string': () => signed(/created=(\d+)/, 'created="$1"'),
    'with a time as a date': () => signed(/created=/, 'created=@'),
    'with an end after 15 digits': () => signed(/expires=\d+/, 'expires=999999999999999'),
    'with an end beyond 64 bits': () => signed(/expires=\d+/, 'expires=18446744073709551676'),
    'with times that a double cannot tell apart': () =>
      signed(/created=\d+;expires=\d+/, 'created=9007199254740992;expires=9007199254740993'),
    'with the largest times': () => signed(/created=\d+;expires=\d+/, 'created=9999999998;expires=9999999999'),
    'with its purpose in capitals': () => signed('countersign-mint', 'Countersign-Mint'),
    'with a parameter’s name in capitals': () => signed(';tag', ';Tag'),
    'with its keyid in capitals': () => ({
      parameters: (text) => text.replace(/keyid="(\w+)"/, (_, hex) => `keyid="${hex.toUpperCase()}"`),
    }),
    'with the keyid of another deployment': () => ofOther,
    'with the keyid and the key of another deployment': () => ({
      ...ofOther,
      ...header('Countersign-Key', () => `Countersign-Key: :${spkiOf('other').toString('base64')}:`),
    }),
    'with a wrong label before its own': () => ({
      ...unsigned(/^/, 'other=("@method");created=1, '),
      ...header('Signature', (each) => each.replace(': ', ': other=:AAAA:, ')),
    }),
    'with a wrong label after its own': () => ({
      ...unsigned(/$/, ', other=("@method");created=1'),
      ...header('Signature', (each) => `${each}, other=:AAAA:`),
    }),
    'with two signatures for one input': () => header('Signature', (each) => `${each}, other=:AAAA:`),
    'with its parameters reordered after signing': () => unsigned(/(created=\d+);(expires=\d+)/, '$2;$1'),
    'with its components reordered after signing': () => unsigned('"@method" "@target-uri"', '"@target-uri" "@method"'),
    'with a second nonce': () => signed(/$/, ';nonce="0123456789abcdef"'),
    'covering ;req': () => signed('"@method"', '"@method";req'),
    'covering ;bs': () => signed('"content-digest"', '"content-digest";bs'),
    'covering ;sf': () => signed('"content-digest"', '"content-digest";sf'),
    'covering ;tr': () => signed('"content-digest"', '"content-digest";tr'),
    'covering ;key': () => signed('"content-digest"', '"content-digest";key="sha-256"'),
    'covering the digest twice, once as ;sf': () => signed('"content-digest"', '"content-digest" "content-digest";sf'),
    'covering a name in capitals': () => signed('"content-digest"', '"Content-Digest"'),
    'covering host and path instead of the address': () => signed('"@target-uri"', '"@authority" "@path"'),
  },
  '400 bad_request': {
    'with the address in absolute form': () => line(world().publicUrl + path),
    'with another address in absolute form': () => ({
      ...elsewhere('http://evil.example', 'evil.example'),
      ...line(`http://evil.example${path}`),
    }),
    'with a folded signature': () => fold('Signature'),
    'with a folded input': () => fold('Signature-Input'),
    'with a folded digest': () => fold('Content-Digest'),
    'with a space before the colon': () => header('Signature', (each) => each.replace(':', ' :')),
    'with two lengths': () => twice('Content-Length'),
    'with a length and chunks': () => chunked(() => false, 'Content-Length: 5'),
    'with its method in small letters': () => ({ line: `post ${path} HTTP/1.1` }),
    'with backslashes': () => line(path.replaceAll('/', '\\')),
  },
  '400': {
    'without a Host': () => headers((all) => all.slice(1)),
  },
  '404 not_found': {
    'with dots in the path': () => line(path.replace('create', 'x/../create')),
    'with encoded dots in the path': () => line(path.replace('create', '%2e/create')),
    'with a double slash': () => line(path.replace('/v1', '//v1')),
    'with a parameter in the path': () => line(`${path};a=1`),
    'with a host in the path': () => ({
      ...line(`//evil.example${path}`),
      target: `${world().publicUrl}//evil.example${path}`,
    }),
  },
  '405 method_not_allowed': {
    'with its method in a header': () => ({
      ...more('X-HTTP-Method-Override: POST'),
      line: `GET ${path} HTTP/1.1`,
    }),
  },
}

it.each(Object.entries(attacks))('answers %s to a signed request', async (outcome, changes) => {
  const scene = await setUp()
  const loopback = [{ address: '127.0.0.1', prefix: 32, family: 'ipv4' as const }]
  const proxied = await world().startReplica({ trustedProxies: loopback, clientCertProxies: loopback })
  for (const { port } of [world(), proxied])
    for (const [name, change] of Object.entries(changes))
      expect([name, await send(closing(write(scene, change())), port)]).toEqual([name, [outcome]])
  // Nothing falls back to a link without proof.
  const isMinted = outcome === '201 signed'
  expect(await bindingsOf(scene)).toEqual(isMinted ? Array(2 * Object.keys(changes).length).fill('signed') : [])
})

it('counts a nonce once for two requests in one packet', async () => {
  const scene = await setUp()
  const request = write(scene)
  expect(await send(request + closing(request))).toEqual(['201 signed', '403 signature_invalid'])
  expect(await bindingsOf(scene)).toEqual(['signed'])
})

it.each([
  // By RFC 8032, the second number must be below the order.
  { kind: 'ed25519', twin: '403 signature_invalid', right: '201 signed' },
  { kind: 'ecdsa-p256-sha256', twin: '201 signed', right: '403 signature_invalid' },
  { kind: 'ecdsa-p384-sha384', twin: '201 signed', right: '403 signature_invalid' },
] as const)('makes one link from a signature and its twin, with $kind', async ({ kind, twin, right }) => {
  const scene = await setUp()
  const request = closing(write(scene, { kind }))
  const changed = request.replace(/(?<=Signature: mint=:)[^:]+/, (base64) =>
    twinOf(kind, Buffer.from(base64, 'base64')).toString('base64'),
  )
  expect(await send(changed)).toEqual([twin])
  expect(await send(request)).toEqual([right])
  expect(await send(changed)).toEqual(['403 signature_invalid'])
  expect(await bindingsOf(scene)).toEqual(['signed'])
})

it('belongs to one deployment of its provider', async () => {
  await expect(acme.registerDeployment([], keyidOf('ed25519'))).rejects.toMatchObject({
    code: 'deployment_exists',
  })
})
