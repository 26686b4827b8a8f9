import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** CBOR (RFC 8949), as far as WebAuthn needs it. */
const head = (major: number, value: number): Buffer =>
  value < 24
    ? Buffer.from([(major << 5) | value])
    : value < 256
      ? Buffer.from([(major << 5) | 24, value])
      : Buffer.from([(major << 5) | 25, value >> 8, value & 255])

type Cbor = number | string | Buffer | Map<number | string, Cbor>

const cbor = (value: Cbor): Buffer => {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, of]) => [cbor(key), cbor(of)])])
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** What a test can do wrong on purpose. */
interface Wrong {
  origin?: string
  rpId?: string
  challenge?: string
  isVerified?: boolean
  counter?: number
}

/** A browser with one passkey (ES256), as a registry sees it. */
export const createAuthenticator = ({ origin, hasCounter = true }: { origin: string; hasCounter?: boolean }) => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const cose = cbor(
    new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  )
  let counter = 0
  let userHandle: string | null = null

  const clientData = (type: string, options: Record<string, unknown>, wrong: Wrong) =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: wrong.challenge ?? options.challenge,
        origin: wrong.origin ?? origin,
        crossOrigin: false,
      }),
    )

  const authData = (flags: number, wrong: Wrong, credential: Buffer = Buffer.alloc(0)) => {
    if (hasCounter) counter = wrong.counter ?? counter + 1
    const verified = wrong.isVerified === false ? 0 : 0b100
    return Buffer.concat([
      sha256(wrong.rpId ?? new URL(origin).hostname),
      Buffer.from([flags | verified | 1]),
      uint32(counter),
      credential,
    ])
  }

  return {
    credential_id: id.toString('base64url'),

    /** What `navigator.credentials.create` returns. */
    create: ({ options }: { options: Record<string, unknown> }, wrong: Wrong = {}) => {
      userHandle = (options.user as { id: string }).id
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose])
      const attestation = new Map<string, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData(0b1000000, wrong, credential)],
      ])
      return {
        credential_id: id.toString('base64url'),
        client_data: clientData('webauthn.create', options, wrong).toString('base64url'),
        attestation: cbor(attestation).toString('base64url'),
        transports: ['internal'],
      }
    },

    /** What `navigator.credentials.get` returns. */
    get: ({ options }: { options: Record<string, unknown> }, wrong: Wrong = {}) => {
      const client = clientData('webauthn.get', options, wrong)
      const data = authData(0, wrong)
      return {
        credential_id: id.toString('base64url'),
        client_data: client.toString('base64url'),
        authenticator_data: data.toString('base64url'),
        signature: sign('sha256', Buffer.concat([data, sha256(client)]), privateKey).toString('base64url'),
        user_handle: userHandle,
      }
    },
  }
}

export type Authenticator = ReturnType<typeof createAuthenticator>
