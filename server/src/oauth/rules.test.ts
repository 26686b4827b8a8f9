import { describe, expect, it } from 'vitest'
import { hashSecret, newSecret } from '../secrets.ts'
import { decideSignIn, landingOf, proofsOf, type SignInFacts } from './rules.ts'

const facts = (changes: Partial<SignInFacts>): SignInFacts => ({
  linkTo: null,
  owner: null,
  email: 'ada@acme.example',
  emailOwner: null,
  ...changes,
})

describe('what an identity may do', () => {
  it.each([
    { name: 'known', given: { owner: 'a' }, decision: { do: 'sign_in', person_id: 'a' } },
    {
      name: 'known, its address lost',
      given: { owner: 'a', email: null },
      decision: { do: 'sign_in', person_id: 'a' },
    },
    {
      name: 'known, its address now another’s',
      given: { owner: 'a', emailOwner: 'b' },
      decision: { do: 'sign_in', person_id: 'a' },
    },
    { name: 'new', given: {}, decision: { do: 'create', email: 'ada@acme.example' } },
    { name: 'new, without a verified address', given: { email: null }, decision: { error: 'email_not_verified' } },
    {
      name: 'new, with the address of an account',
      given: { emailOwner: 'b' },
      decision: { error: 'account_exists_sign_in_to_link' },
    },
    { name: 'linked, new', given: { linkTo: 'a' }, decision: { do: 'link', person_id: 'a' } },
    {
      name: 'linked, without a verified address',
      given: { linkTo: 'a', email: null },
      decision: { error: 'email_not_verified' },
    },
    {
      name: 'linked, with another’s address',
      given: { linkTo: 'a', emailOwner: 'b' },
      decision: { do: 'link', person_id: 'a' },
    },
    { name: 'linked again', given: { linkTo: 'a', owner: 'a' }, decision: { do: 'sign_in', person_id: 'a' } },
    { name: 'linked, another’s', given: { linkTo: 'a', owner: 'b' }, decision: { error: 'identity_taken' } },
    {
      name: 'linked, another’s, without an address',
      given: { linkTo: 'a', owner: 'b', email: null },
      decision: { error: 'identity_taken' },
    },
  ])('$name', ({ given, decision }) => {
    expect(decideSignIn(facts(given))).toEqual(decision)
  })
})

describe('the proofs of an attempt', () => {
  const cookie = newSecret()
  const state = newSecret()
  const proofs = proofsOf({ cookie, state })

  it('are the same for the same browser and attempt, and fit PKCE', () => {
    expect(proofsOf({ cookie, state })).toEqual(proofs)
    expect(proofs.verifier).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(proofs.nonce).not.toBe(proofs.verifier)
  })

  it.each([
    { name: 'another browser', given: { cookie: newSecret(), state } },
    { name: 'another attempt', given: { cookie, state: newSecret() } },
    { name: 'what the database stores', given: { cookie: hashSecret(cookie), state } },
  ])('differ for $name', ({ given }) => {
    const other = proofsOf(given)
    expect(other.verifier).not.toBe(proofs.verifier)
    expect(other.nonce).not.toBe(proofs.nonce)
  })
})

it('always redirects to the same page of this site', () => {
  expect(landingOf({ error: 'access_denied' })).toBe('/auth/callback?error=access_denied')
  expect(landingOf({ token: 'a&b=//c', linked: true })).toBe('/auth/callback?token=a%26b%3D%2F%2Fc&linked=true')
})
