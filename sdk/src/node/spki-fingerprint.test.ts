import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { spkiFingerprint } from './spki-fingerprint.ts'

const vectors: {
  good: { name: string; pem: string; hex: string; key_type: string; source: string }[]
  bad: { name: string; pem: string; reason: 'encrypted' | 'nothing' }[]
} = JSON.parse(readFileSync(new URL('../../../tests/vectors/fingerprints.json', import.meta.url), 'utf8'))

const derOf = (pem: string) => Buffer.from(/-----BEGIN [^-]+-----([^-]+)-----END/.exec(pem)?.[1] ?? '', 'base64')
const single = vectors.good.filter(({ pem }) => pem.match(/BEGIN/g)?.length === 1)

const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts)
  return Buffer.concat([Uint8Array.of(tag, 0x82, content.length >> 8, content.length & 0xff), content])
}

describe('the SPKI fingerprint', () => {
  it.each(vectors.good)('of $name is what OpenSSL computes', ({ pem, hex, key_type, source }) => {
    const expected = { hex, pin: `sha256/${Buffer.from(hex, 'hex').toString('base64')}`, keyType: key_type, source }
    expect(spkiFingerprint(pem)).toMatchObject(expected)
    expect(spkiFingerprint(Buffer.from(pem))).toMatchObject(expected)
  })

  it.each(single)('of $name is the same in DER', ({ pem, hex, source }) => {
    expect(spkiFingerprint(new Uint8Array(derOf(pem)))).toMatchObject({ hex, source })
  })

  it('matches OpenSSL for a request that encodes its algorithm differently', () => {
    const { pem = '', hex } = vectors.good.find(({ name }) => name === 'RSA public key') ?? {}
    const written = derOf(pem)
    const key = written.subarray(written.indexOf(Buffer.from('0500', 'hex')) + 2)
    // Without the NULL that the standard requires (RFC 3279 §2.3.1).
    const spki = der(0x30, Buffer.from('300b06092a864886f70d010101', 'hex'), key)
    const algorithm = Buffer.from('300a06082a8648ce3d040302', 'hex')
    const request = der(
      0x30,
      der(0x30, Buffer.from('020100', 'hex'), der(0x30), spki),
      algorithm,
      Buffer.from('030100', 'hex'),
    )
    expect(spkiFingerprint(request)).toMatchObject({ hex, source: 'csr' })
  })

  it('survives a renewal, unlike the certificate’s own fingerprint', () => {
    const [before, after] = vectors.good.map(({ pem }) => spkiFingerprint(pem))
    expect(before?.hex).toBe(after?.hex)
    expect(before?.certificateSha256).toMatch(/^[0-9a-f]{64}$/)
    expect(before?.certificateSha256).not.toBe(after?.certificateSha256)
    expect(Date.parse(before?.notAfter ?? '')).toBeGreaterThan(Date.parse('2100-01-01'))
  })

  it.each(vectors.good.filter(({ source, name }) => source === 'certificate' && !name.includes('chain')))(
    'of $name stops where OpenSSL does',
    ({ pem }) => {
      const [certificate = ''] = /-----BEGIN CERT[\s\S]+?-----END [A-Z ]+-----/.exec(pem) ?? []
      expect(spkiFingerprint(pem).notAfter).toBe(new X509Certificate(certificate).validToDate.toISOString())
    },
  )

  it('rejects a certificate with a character that is not base64, which Node would ignore', () => {
    const pem = vectors.good[0]?.pem ?? ''
    const cut = pem.indexOf('\n') + 20
    expect(() => spkiFingerprint(`${pem.slice(0, cut)}!${pem.slice(cut)}`)).toThrow('not base64')
  })

  it.each(vectors.bad)('rejects $name', ({ pem, reason }) => {
    expect(() => spkiFingerprint(pem)).toThrow(reason === 'encrypted' ? /encrypted/ : /No certificate/)
  })

  it('rejects DER truncated at any byte', () => {
    const der = derOf(vectors.good[2]?.pem ?? '')
    for (let length = 0; length < der.length; length++) expect(() => spkiFingerprint(der.subarray(0, length))).toThrow()
  })
})
