import { describe, expect, it } from 'vitest'
import { githubPersonOf, googlePersonOf } from './identity-providers.ts'

const entry = (email: string, primary: boolean, verified: boolean) => ({ email, primary, verified, visibility: null })

describe('someone at GitHub', () => {
  const user = { id: 583_231, login: 'ada', email: 'public@acme.example' }

  it.each<[name: string, emails: unknown, email: string | null]>([
    [
      'uses the primary address',
      [entry('old@acme.example', false, true), entry('ada@acme.example', true, true)],
      'ada@acme.example',
    ],
    [
      'ignores an unverified primary address',
      [entry('ada@acme.example', true, false), entry('old@acme.example', false, true)],
      null,
    ],
    ['ignores other addresses', [entry('old@acme.example', false, true)], null],
    [
      'ignores an address that only claims to be verified',
      [{ email: 'ada@acme.example', primary: 'true', verified: 1 }],
      null,
    ],
    ['has no address without a list', { message: 'Not Found' }, null],
    ['has no address without permission to read it', undefined, null],
    ['ignores malformed entries', [null, 5, 'ada@acme.example', { primary: true, verified: true }], null],
    ['ignores an address that is too long', [entry(`${'a'.repeat(300)}@acme.example`, true, true)], null],
  ])('has %s', (_name, emails, email) => {
    expect(githubPersonOf('i', user, emails)).toEqual({ issuer: 'i', subject: '583231', login: 'ada', email })
  })

  it.each([undefined, null, {}, { id: '583231' }, { id: 1.5 }, { id: null, login: 'ada' }, []])(
    'is rejected without a numeric ID: %j',
    (given) => {
      expect(() => githubPersonOf('i', given, [])).toThrow('no ID')
    },
  )
})

describe('someone at Google', () => {
  it.each([
    { claims: { sub: '1', email: 'ada@acme.example', email_verified: true }, email: 'ada@acme.example' },
    { claims: { sub: '1', email: 'ada@acme.example', email_verified: false }, email: null },
    { claims: { sub: '1', email: 'ada@acme.example', email_verified: 'true' }, email: null },
    { claims: { sub: '1', email: 'ada@acme.example' }, email: null },
    { claims: { sub: '1', email_verified: true }, email: null },
  ])('has the address of $claims', ({ claims, email }) => {
    expect(googlePersonOf('i', claims)).toMatchObject({ issuer: 'i', subject: '1', email })
  })

  it.each([undefined, {}, { sub: '' }, { sub: 1 }])('is rejected without a subject: %j', (claims) => {
    expect(() => googlePersonOf('i', claims)).toThrow('no subject')
  })
})
