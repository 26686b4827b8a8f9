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

describe('the SPKI fingerprint', () => {
  it.each(vectors.good)('of $name is what OpenSSL computes', ({ pem, hex, key_type, source }) => {
    const expected = { hex, pin: `sha256/${Buffer.from(hex, 'hex').toString('base64')}`, keyType: key_type, source }
    expect(spkiFingerprint(pem)).toMatchObject(expected)
    expect(spkiFingerprint(Buffer.from(pem))).toMatchObject(expected)
  })

  it.each(single)('of $name is the same in DER', ({ pem, hex, source }) => {
    expect(spkiFingerprint(new Uint8Array(derOf(pem)))).toMatchObject({ hex, source })
  })

  it('survives a renewal, and the certificate’s own does not', () => {
    const [before, after] = vectors.good.map(({ pem }) => spkiFingerprint(pem))
    expect(before?.hex).toBe(after?.hex)
    expect(before?.certificateSha256).toMatch(/^[0-9a-f]{64}$/)
    expect(before?.certificateSha256).not.toBe(after?.certificateSha256)
    expect(Date.parse(before?.notAfter ?? '')).toBeGreaterThan(Date.parse('2100-01-01'))
  })

  it.each(vectors.good.filter(({ source, name }) => source === 'certificate' && !name.includes('chain')))(
    'of $name comes with the end that OpenSSL reads',
    ({ pem }) => {
      const [certificate = ''] = /-----BEGIN CERT[\s\S]+?-----END [A-Z ]+-----/.exec(pem) ?? []
      expect(spkiFingerprint(pem).notAfter).toBe(new X509Certificate(certificate).validToDate.toISOString())
    },
  )

  it('is refused for a certificate with a character that is not base64, which Node would leave out', () => {
    const pem = vectors.good[0]?.pem ?? ''
    const cut = pem.indexOf('\n') + 20
    expect(() => spkiFingerprint(`${pem.slice(0, cut)}!${pem.slice(cut)}`)).toThrow('not base64')
  })

  it.each(vectors.bad)('is refused for $name', ({ pem, reason }) => {
    expect(() => spkiFingerprint(pem)).toThrow(reason === 'encrypted' ? /encrypted/ : /No certificate/)
  })

  it('is refused for DER that is cut off, at any place', () => {
    const der = derOf(vectors.good[2]?.pem ?? '')
    for (let length = 0; length < der.length; length++) expect(() => spkiFingerprint(der.subarray(0, length))).toThrow()
  })
})
