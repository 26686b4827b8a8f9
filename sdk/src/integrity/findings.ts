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

type Facts = Pick<
  BundleVerdict,
  'method' | 'signer' | 'log' | 'signed_at' | 'signed_digest' | 'predicate_type' | 'trusted_root_date'
>

/** Why a valid signature does not verify a model. Several may apply; the first in this order is reported, so that the last implies none of the others. */
const openReasons = [
  'attestation_only',
  'signer_not_declared',
  'digest_missing',
  'names_not_signed',
  'signer_not_tied',
] as const
type OpenReason = (typeof openReasons)[number]

/** Collects what was checked about one bundle, and decides the verdict. */
export const createFindings = () => {
  const checks = new Map<BundleCheckName, BundleCheck>()
  const facts: Facts = {
    method: null,
    signer: null,
    log: null,
    signed_at: null,
    signed_digest: null,
    predicate_type: null,
    trusted_root_date: null,
  }
  const faults = new Map<BundleCheckName, { reason: BundleReason; detail: string }>()
  const open = new Map<OpenReason, string>()

  const note = (name: BundleCheckName, result: BundleCheck['result'], detail: string) => {
    checks.set(name, { name, result, detail })
  }

  return {
    facts,
    pass: (name: BundleCheckName, detail: string) => note(name, 'passed', detail),
    skip: (name: BundleCheckName, detail: string) => note(name, 'not_checked', detail),
    isSigned: () => checks.get('signature')?.result === 'passed',
    /** Nothing is wrong, but something is missing that only the provider can give. */
    leaveOpen: (name: BundleCheckName, reason: OpenReason, detail: string) => {
      note(name, 'not_checked', detail)
      open.set(reason, detail)
    },
    /** Every check may pass without verifying a model. */
    withhold: (reason: OpenReason, detail: string) => {
      open.set(reason, detail)
    },
    fail: ({ check, reason, message }: Pick<Rejection, 'check' | 'reason' | 'message'>) => {
      note(check, 'failed', message)
      faults.set(check, { reason, detail: message })
    },
    /** The first fault in the order of the checks is the reason; the others appear in their checks. */
    verdict: (): BundleVerdict => {
      const failed = bundleCheckNames.find((name) => faults.has(name))
      const left = openReasons.find((reason) => open.has(reason))
      const why = failed === undefined ? left && { reason: left, detail: open.get(left) ?? '' } : faults.get(failed)
      return {
        status: why ? bundleReasons[why.reason] : 'verified',
        reason: why?.reason ?? null,
        message: messageFor(why?.reason ?? null, why?.detail ?? '', facts),
        checks: bundleCheckNames.map(
          (name) => checks.get(name) ?? { name, result: 'not_checked', detail: 'Not reached' },
        ),
        ...facts,
      }
    },
  }
}
export type Findings = ReturnType<typeof createFindings>
