import { ApiError, ConnectionError } from '@countersign/sdk'

/** What happened, in a sentence for people. The `message` of the SDK's errors also names the call, for logs. */
export const detailOf = (error: unknown): string => {
  if (error instanceof ApiError || error instanceof ConnectionError) return error.detail
  return error instanceof Error ? error.message : String(error)
}
