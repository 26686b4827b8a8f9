import { type DeviceError, Refusal } from '@countersign/sdk/contract'

/** How long a code can be approved. */
export const deviceMs = 10 * 60_000
/** RFC 8628 §3.5: each poll that comes too early makes all later ones wait longer. */
export const intervalMs = 5_000
/** Clients measure from the answer, so that a poll may arrive a little early. */
const toleranceMs = 500

export interface Polling {
  interval_ms: number
  /** Null before the first poll. */
  polled_at: number | null
}

export const afterPoll = ({ interval_ms, polled_at }: Polling, at: number): Polling & { isTooEarly: boolean } => {
  const isTooEarly = polled_at !== null && at - polled_at < interval_ms - toleranceMs
  return { isTooEarly, polled_at: at, interval_ms: isTooEarly ? interval_ms + intervalMs : interval_ms }
}

const details: Readonly<Record<DeviceError, string>> = {
  authorization_pending: 'No one has approved this device yet. Ask again after the interval.',
  slow_down: 'You ask too often. Wait five seconds longer between all further polls.',
  access_denied: 'The sign-in of this device was rejected.',
  expired_token: 'This code has expired, or was used. Start again.',
}

/** With the member `error` of RFC 8628 §3.5. */
export const notApproved = (error: DeviceError) => new Refusal('device_not_approved', details[error], { error })

export const unknownCode = () =>
  new Refusal('code_invalid', 'No device shows this code. It may be mistyped, expired or already answered.')
