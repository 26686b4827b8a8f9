import type { Check, Claims } from '../contract/verifications.ts'
import { type Expectation, expectationCheck } from './expectation.ts'
import { notLooked } from './token.ts'

/** What only the registry can tell. */
const liveChecks = ['provider', 'model', 'deployment', 'digest', 'bundle'] as const
const liveDetail = 'As of minting; live state was not checked'

const domainCheck = ({ provider_domain }: Claims, checked_at: string | null): Check => ({
  check: 'domain',
  passed: provider_domain !== undefined,
  detail: provider_domain === undefined ? 'No domain was verified at minting' : `${provider_domain} was verified at minting`,
  checked_at,
})

const names = ['format', 'signature', 'issuer', 'key', 'time', 'domain', ...liveChecks, 'answer', 'expectation', 'chat'] as const

/** Every check in its order: those that were made, and that the others were not. */
export const fillChecks = (made: readonly Check[]): Check[] =>
  names.map((name) => made.find(({ check }) => check === name) ?? notLooked(name))

/** Adds to the checks of a good token those that follow. */
export const completeChecks = (checks: Check[], claims: Claims): Check[] => [
  ...checks,
  domainCheck(claims, checks[0]?.checked_at ?? null),
  ...liveChecks.map((check) => notLooked(check, liveDetail)),
  notLooked('answer', claims.bound_to_response ? 'An answer is bound: compare it with yours' : 'No answer is bound'),
  notLooked('expectation'),
  notLooked('chat', 'No token proves which server your chat is with'),
]

/** Tells what was expected of a token and whether it is so. */
export const setExpectation = (checks: Check[], expect: Expectation, facts: Expectation) => {
  const index = checks.findIndex(({ check }) => check === 'expectation')
  checks[index] = expectationCheck(expect, facts, checks[0]?.checked_at ?? null)
}
