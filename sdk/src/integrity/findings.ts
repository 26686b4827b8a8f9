import {
  type BundleCheck,
  type BundleCheckName,
  type BundleReason,
  type BundleVerdict,
  bundleCheckNames,
  bundleReasons,
} from '../contract/bundles.ts'
import type { Rejection } from './rejection.ts'
import { messageFor } from './words.ts'

type Facts = Pick<BundleVerdict, 'method' | 'signer' | 'log' | 'signed_at' | 'signed_digest' | 'trusted_root_date'>

/** Collects what was checked and learned about one bundle, and says what it comes to. */
export const createFindings = () => {
  const checks = new Map<BundleCheckName, BundleCheck>()
  const facts: Facts = { method: null, signer: null, log: null, signed_at: null, signed_digest: null, trusted_root_date: null }
  const faults = new Map<BundleCheckName, { reason: BundleReason; detail: string }>()
  let open: { reason: BundleReason; detail: string } | undefined

  const note = (name: BundleCheckName, result: BundleCheck['result'], detail: string) => {
    checks.set(name, { name, result, detail })
  }

  return {
    facts,
    pass: (name: BundleCheckName, detail: string) => note(name, 'passed', detail),
    skip: (name: BundleCheckName, detail: string) => note(name, 'not_checked', detail),
    /** Nothing is wrong, but something is missing that only the provider can give. */
    leaveOpen: (name: BundleCheckName, reason: 'signer_not_declared' | 'digest_missing', detail: string) => {
      note(name, 'not_checked', detail)
      open ??= { reason, detail }
    },
    fail: ({ check, reason, message }: Pick<Rejection, 'check' | 'reason' | 'message'>) => {
      note(check, 'failed', message)
      faults.set(check, { reason, detail: message })
    },
    /** The first fault in the order of the checks is the reason; the others still show in theirs. */
    verdict: (): BundleVerdict => {
      const failed = bundleCheckNames.find((name) => faults.has(name))
      const why = failed === undefined ? open : faults.get(failed)
      return {
        status: why ? bundleReasons[why.reason] : 'verified',
        reason: why?.reason ?? null,
        message: messageFor(why?.reason ?? null, why?.detail ?? '', facts),
        checks: bundleCheckNames.map((name) => checks.get(name) ?? { name, result: 'not_checked', detail: 'Not reached' }),
        ...facts,
      }
    },
  }
}
export type Findings = ReturnType<typeof createFindings>
