import type { Check, CheckName, Claims } from '../contract/verifications.ts'
import { type Expectation, expectationCheck } from './expectation.ts'
import { foreignCheck } from './link-checks.ts'

const notLooked = (check: CheckName, detail = 'Not looked at'): Check => ({ check, passed: null, detail, checked_at: null })

const tokenChecks = ['signature', 'issuer', 'key', 'time'] as const
/** What only the registry can tell. */
const liveChecks = ['provider', 'model', 'deployment', 'digest', 'bundle'] as const
const liveDetail = 'As of minting; live state was not checked'

const domainCheck = ({ provider_domain }: Claims, checked_at: string | null): Check => ({
  check: 'domain',
  passed: provider_domain !== undefined,
  detail: provider_domain === undefined ? 'Nobody had checked who the provider is' : `${provider_domain} was verified at minting`,
  checked_at,
})

/** Adds to a token's checks those that follow, so that every check is told; `claims` only where they are proven. */
export const completeChecks = (checks: Check[], claims?: Claims): Check[] => {
  const all = checks.slice()
  all.push(claims === undefined ? notLooked('domain') : domainCheck(claims, checks[0]?.checked_at ?? null))
  for (const check of liveChecks) all.push(notLooked(check, claims === undefined ? undefined : liveDetail))
  if (claims === undefined) all.push(notLooked('answer'), notLooked('expectation'), notLooked('chat'))
  else {
    all.push(
      notLooked('answer', claims.bound_to_response ? 'Carries the hash of an answer: compare it with yours' : 'No answer is bound'),
      notLooked('expectation', 'Nothing was expected'),
      notLooked('chat', 'No token can tell whether your chat is with this deployment'),
    )
  }
  return all
}

/** Tells what was expected of a token and whether it is so. */
export const setExpectation = (checks: Check[], expect: Expectation, facts: Expectation) => {
  const index = checks.findIndex(({ check }) => check === 'expectation')
  checks[index] = expectationCheck(expect, facts, checks[0]?.checked_at ?? null)
}

/** The checks of what never came to a signature. */
export const formatChecks = (format: Check): Check[] => completeChecks([format, ...tokenChecks.map((check) => notLooked(check))])

/** The checks of what can be read, and was not looked at any further. */
export const readableChecks = (detail: string): Check[] => formatChecks({ check: 'format', passed: true, detail, checked_at: null })

/** The checks of a link of another registry. */
export const foreignChecks = (origin: string): Check[] =>
  readableChecks('A verification link').map((check) => (check.check === 'issuer' ? foreignCheck(origin) : check))
