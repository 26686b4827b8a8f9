interface Element {
  tag: number
  /** Where the element's value begins and ends. */
  from: number
  to: number
}

const sequence = 0x30
const integer = 0x02

/** Reads the head of a DER element (X.690 §8.1, definite lengths only). Throws where it does not fit. */
const elementAt = (der: Uint8Array, at: number): Element => {
  const tag = der[at]
  const first = der[at + 1]
  if (tag === undefined || first === undefined || first === 0x80 || first > 0x84) throw new Error('Not DER')
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f
  let length = lengthBytes === 0 ? first : 0
  for (let index = 0; index < lengthBytes; index++) length = length * 256 + (der[at + 2 + index] ?? 0)
  const from = at + 2 + lengthBytes
  if (from + length > der.length) throw new Error('Not DER')
  return { tag, from, to: from + length }
}

const expect = (element: Element, tag: number) => {
  if (element.tag !== tag) throw new Error('Not a certificate request')
  return element
}

/** The SubjectPublicKeyInfo of a certificate request (RFC 2986 §4.1), as DER. Throws for anything else. */
export const requestedKey = (der: Uint8Array): Buffer => {
  const request = expect(elementAt(der, 0), sequence)
  const info = expect(elementAt(der, request.from), sequence)
  const version = expect(elementAt(der, info.from), integer)
  const subject = expect(elementAt(der, version.to), sequence)
  const key = expect(elementAt(der, subject.to), sequence)
  return Buffer.from(der.subarray(subject.to, key.to))
}
