import { createHash } from 'node:crypto'
import type { Act } from '@countersign/sdk/contract'

/** The call as a person approves it: the method, the path with its query, and the bytes of the body. */
export const actOf = ({ method, url }: { method: string; url: string }, body: Uint8Array | undefined): Act => ({
  method: method as Act['method'],
  path: url,
  body_digest: `sha256:${createHash('sha256')
    .update(body ?? '')
    .digest('hex')}`,
})
