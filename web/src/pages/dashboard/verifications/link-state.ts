import type { IssuedVerification } from '@countersign/sdk/contract'

/** Whether a link's time has come. What else may have ended it is told by its page. */
export const isExpired = ({ expires_at }: Pick<IssuedVerification, 'expires_at'>, now: number) => Date.parse(expires_at) <= now
