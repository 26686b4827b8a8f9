import type { BundleCheckName, BundleReason } from '../contract/bundles.ts'

/** Stops the check of one bundle; never thrown outside this folder. */
export class Rejection extends Error {
  readonly check: BundleCheckName
  readonly reason: BundleReason

  constructor(check: BundleCheckName, reason: BundleReason, detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.name = 'Rejection'
    this.check = check
    this.reason = reason
  }
}

type Reject = (check: BundleCheckName, reason: BundleReason, detail: string, cause?: unknown) => never
export const reject: Reject = (check, reason, detail, cause) => {
  throw new Rejection(check, reason, detail, { cause })
}

/** Turns errors that libraries throw for hostile input into our reasons. */
export const orReject = <T>(check: BundleCheckName, reason: BundleReason, detail: string, run: () => T): T => {
  try {
    return run()
  } catch (error) {
    return error instanceof Rejection
      ? reject(error.check, error.reason, error.message, error)
      : reject(check, reason, detail, error)
  }
}
