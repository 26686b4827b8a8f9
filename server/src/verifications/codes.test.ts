import { describe, expect, it } from 'vitest'
import { nonceKeyOf } from './codes.ts'

describe('the key of a nonce', () => {
  const expiresAt = Date.UTC(2026, 10, 20, 12, 0, 30)
  const signature = { fingerprint: 'a'.repeat(64), nonce: '6567a1b2c3d4e5f60718', expiresAt }
  const key = nonceKeyOf('prv_1', signature)

  it('is the same if the nonce is signed again', () => {
    expect(nonceKeyOf('prv_1', { ...signature, expiresAt: expiresAt + 45_000 })).toBe(key)
  })

  it.each([
    ['provider', 'prv_2', signature],
    ['server', 'prv_1', { ...signature, fingerprint: 'b'.repeat(64) }],
    ['nonce with the same beginning', 'prv_1', { ...signature, nonce: '6567a1b2c3d4e5f60719' }],
  ])('differs for another %s', (_, provider_id, other) => {
    expect(nonceKeyOf(provider_id, other)).not.toBe(key)
  })

  it('begins with the hour and the beginning of the nonce', () => {
    const later = nonceKeyOf('prv_1', { ...signature, nonce: '6567a1b3c3d4e5f60718' })
    const nextHour = nonceKeyOf('prv_1', { ...signature, nonce: '0'.repeat(20), expiresAt: expiresAt + 3_600_000 })
    expect([nextHour, later, key].sort()).toEqual([key, later, nextHour])
  })
})
