import type { Check, Claims } from '../contract/verifications.ts'
import { goodChecks, notChecked } from './token.ts'

/** Checks that only the registry can make. */
const liveChecks = ['provider', 'model', 'deployment', 'digest', 'bundle'] as const
const liveDetail = 'Live state not checked'

const domainCheck = ({ provider_domain }: Claims, checked_at: string): Check => ({
  check: 'domain',
  passed: provider_domain !== undefined,
  detail: `${provider_domain ?? 'No domain'} was verified at minting`,
  checked_at,
})

const names = [
  'format',
  'signature',
  'issuer',
  'key',
  'time',
  'domain',
  ...liveChecks,
  'answer',
  'expectation',
  'chat',
] as const

/** All checks in order; those not in `made` are marked as not checked. */
export const fillChecks = (made: readonly Check[]): Check[] =>
  names.map((name) => made.find(({ check }) => check === name) ?? notChecked(name))

/** The checks of a valid token. */
export const completeChecks = (
  checked_at: string,
  claims: Claims,
  expectation: Check = notChecked('expectation'),
): Check[] => [
  ...goodChecks(checked_at),
  domainCheck(claims, checked_at),
  ...liveChecks.map((check) => notChecked(check, liveDetail)),
  notChecked('answer', claims.bound_to_response ? 'An answer is bound: see bound_by' : 'No answer is bound'),
  expectation,
  notChecked('chat', 'A token cannot prove which server you chat with'),
]
