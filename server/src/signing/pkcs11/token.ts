import { createPublicKey, verify } from 'node:crypto'
import { thumbprintOf } from '../thumbprint.ts'
import { type Attribute, loadModule } from './cryptoki.ts'

export interface TokenSettings {
  /** Path of the library. */
  module: string
  /** Label of the token. */
  token: string
  pin: string
  /** Label of the keys that are made. */
  keyLabel: string
}

export interface ModuleKey {
  kid: string
  public_x: string
}

/** The token has no private key with that ID. */
class MissingKeyError extends Error {
  override readonly name = 'MissingKeyError'
}

const numberOf = (value: number) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

const attribute = (type: number, value: Buffer): Attribute => ({ type, value, length: value.length })
const yes = Buffer.from([1])
const no = Buffer.from([0])

const is = {
  class: (value: number) => attribute(0x0, numberOf(value)),
  onToken: () => attribute(0x1, yes),
  private: () => attribute(0x2, yes),
  labelled: (label: string) => attribute(0x3, Buffer.from(label)),
  identified: (kid: string) => attribute(0x102, Buffer.from(kid, 'base64url')),
  sensitive: () => attribute(0x103, yes),
  signing: () => attribute(0x108, yes),
  verifying: () => attribute(0x10a, yes),
  inextractable: () => attribute(0x162, no),
  ofCurve: (params: Buffer) => attribute(0x180, params),
}

const privateKeyClass = 3
const pointType = 0x181
const mechanism = (type: number) => ({ type, value: null, length: 0 })
const generateEdwards = mechanism(0x1055)
const eddsa = mechanism(0x1057)
const serialReadWrite = 6
const user = 1

/** The curve as an OID (RFC 8410), and by name (PKCS#11 3.0): modules accept one of them. */
const curves = [Buffer.from('06032b6570', 'hex'), Buffer.from('130c656477617264733235353139', 'hex')]

/** An Ed25519 point: DER of an OCTET STRING or a BIT STRING, or the plain bytes. */
const pointOf = (bytes: Buffer) => bytes.subarray(-32).toString('base64url')

const keyOf = (x: string) => createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })

/** Opens a session and signs in, once per process: some tokens lock after a few wrong PINs. */
export const openToken = ({ module, token, pin, keyLabel }: TokenSettings) => {
  const cryptoki = loadModule(module)
  cryptoki.Initialize(null)

  const listSlots = () => {
    const count = [0]
    cryptoki.GetSlotList(1, null, count)
    const slots = new Array<number>(count[0] ?? 0).fill(0)
    cryptoki.GetSlotList(1, slots, count)
    return slots
  }
  const labelOf = (slot: number) => {
    // CK_TOKEN_INFO has about 200 bytes and starts with the label.
    const info = Buffer.alloc(1_024)
    cryptoki.GetTokenInfo(slot, info)
    return info.toString('utf8', 0, 32).trimEnd()
  }
  const [slot, ...others] = listSlots().filter((slot) => labelOf(slot) === token)
  if (slot === undefined) throw new Error(`There is no token labelled "${token}"`)
  if (others.length > 0) throw new Error(`Several tokens are labelled "${token}"`)
  const opened = [0]
  cryptoki.OpenSession(slot, serialReadWrite, null, null, opened)
  const [session] = opened
  const secret = Buffer.from(pin)
  cryptoki.Login(session, user, secret, secret.length)

  const find = (wanted: readonly Attribute[]) => {
    cryptoki.FindObjectsInit(session, wanted, wanted.length)
    const found = [0, 0]
    const count = [0]
    cryptoki.FindObjects(session, found, found.length, count)
    cryptoki.FindObjectsFinal(session)
    return found.slice(0, count[0])
  }
  const handles = new Map<string, number>()
  const handleOf = (kid: string) => {
    const known = handles.get(kid)
    if (known !== undefined) return known
    const [handle] = find([is.class(privateKeyClass), is.identified(kid)])
    if (handle === undefined) throw new MissingKeyError(`The token has no private key with the ID ${kid}`)
    handles.set(kid, handle)
    return handle
  }

  const generate = (curve: Buffer) => {
    const ofPublic = [is.onToken(), is.verifying(), is.labelled(keyLabel), is.ofCurve(curve)]
    const ofPrivate = [
      ...[is.onToken(), is.private(), is.sensitive(), is.inextractable()],
      ...[is.signing(), is.labelled(keyLabel)],
    ]
    const publicHandle = [0]
    const privateHandle = [0]
    cryptoki.GenerateKeyPair(
      ...[session, generateEdwards, ofPublic, ofPublic.length, ofPrivate, ofPrivate.length],
      ...[publicHandle, privateHandle],
    )
    return [publicHandle[0], privateHandle[0]]
  }
  const generateOnAnyCurve = () => {
    try {
      return generate(curves[0] as Buffer)
    } catch {
      return generate(curves[1] as Buffer)
    }
  }

  const sign = ({ kid, public_x }: ModuleKey, input: string) => {
    const data = Buffer.from(input)
    const signature = Buffer.alloc(64)
    cryptoki.SignInit(session, eddsa, handleOf(kid))
    cryptoki.Sign(session, data, data.length, signature, [signature.length])
    // A token must never be signed by another key, nor wrongly: EdDSA leaks its key through faults.
    if (!verify(null, data, keyOf(public_x), signature)) throw new Error(`The signature by ${kid} is wrong`)
    return signature
  }

  return {
    sign,
    create(): ModuleKey {
      const [publicHandle, privateHandle] = generateOnAnyCurve()
      const point = Buffer.alloc(128)
      const read = [attribute(pointType, point)]
      cryptoki.GetAttributeValue(session, publicHandle, read, 1)
      const public_x = pointOf(point.subarray(0, read[0]?.length))
      const key = { kid: thumbprintOf(public_x), public_x }
      for (const handle of [publicHandle, privateHandle])
        cryptoki.SetAttributeValue(session, handle, [is.identified(key.kid)], 1)
      sign(key, 'test')
      return key
    },
    remove({ kid }: Pick<ModuleKey, 'kid'>) {
      handles.delete(kid)
      for (const handle of find([is.identified(kid)])) cryptoki.DestroyObject(session, handle)
    },
  }
}
