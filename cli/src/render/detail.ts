import { ApiError, ConnectionError } from '@countersign/sdk'
import { quote } from '@countersign/sdk/words'

/** What happened, in a sentence for people. The `message` of the SDK's errors also names the call, for logs. */
export const detailOf = (error: unknown): string => {
  if (error instanceof ApiError || error instanceof ConnectionError) return error.detail
  return error instanceof Error ? error.message : String(error)
}

/** The same beside a verdict, where the registry's words are a quotation. */
export const quotedDetailOf = (error: unknown): string =>
  error instanceof ApiError ? `The registry answered ${error.status}: ${quote(error.detail)}` : detailOf(error)
