import { createPublicKey, type KeyObject, sign } from 'node:crypto'

const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = 0x30

/** The algorithm of the signature, as DER, by the kind of key. */
const algorithms = {
  p256: { hash: 'sha256', oid: '06082a8648ce3d040302' },
  p384: { hash: 'sha384', oid: '06082a8648ce3d040303' },
  ed25519: { hash: null, oid: '06032b6570' },
} as const

export type KeyKind = keyof typeof algorithms

/** A certificate request (PKCS #10) with this common name, as PEM, signed by its own key. */
export const certificateRequest = (key: KeyObject, kind: KeyKind, commonName: string): string => {
  const { hash, oid } = algorithms[kind]
  const name = der(0x31, der(sequence, Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from(commonName))))
  const info = der(
    sequence,
    der(0x02, Buffer.from([0])),
    der(sequence, name),
    createPublicKey(key).export({ type: 'spki', format: 'der' }),
    der(0xa0),
  )
  const signature = der(0x03, Buffer.from([0]), sign(hash, info, key))
  const request = der(sequence, info, der(sequence, Buffer.from(oid, 'hex')), signature).toString('base64')
  return `-----BEGIN CERTIFICATE REQUEST-----\n${request.replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE REQUEST-----\n`
}
