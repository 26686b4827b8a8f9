import type { BundleMethod, BundleReason } from '../contract/bundles.ts'
import type { ModelStatement } from './model-signing.ts'
import { readBundle } from './read-bundle.ts'
import { Rejection } from './rejection.ts'
import { readContent } from './statement.ts'

export type ModelSigning =
  | { state: 'read'; method: BundleMethod; model: ModelStatement }
  | { state: 'invalid'; reason: BundleReason; detail: string }

/**
 * The files that an OpenSSF Model Signing bundle lists, without checking who signed them: `verifyBundle` does that.
 * Names are relative, inside the model and unique; the root digest matches the list. Never throws.
 *
 * @returns The files, or why there are none.
 * @example
 * ```ts
 * const listed = readModelSigning(bundle)
 * ```
 */
export const readModelSigning = (bundle: Uint8Array | string): ModelSigning => {
  try {
    const read = readBundle(bundle)
    const content = readContent(read)
    if (content.kind === 'model') return { state: 'read', method: read.method, model: content.model }
    return {
      state: 'invalid',
      reason: 'bundle_unsupported',
      detail: 'The bundle lists no files: it was not made by OpenSSF Model Signing',
    }
  } catch (error) {
    if (error instanceof Rejection) return { state: 'invalid', reason: error.reason, detail: error.message }
    return { state: 'invalid', reason: 'bundle_unreadable', detail: 'The bundle has the wrong structure' }
  }
}
