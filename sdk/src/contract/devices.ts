import { z } from 'zod'
import { type Endpoints, endpoint } from './endpoint.ts'
import { ProviderId, requiredLine, Time, textOrNull } from './fields.ts'
import { routes } from './routes.ts'

/** RFC 8628 §3.4. */
export const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code'

/** Why polling got no session (RFC 8628 §3.5); the member `error` of the problem document. */
export const deviceErrors = ['authorization_pending', 'slow_down', 'access_denied', 'expired_token'] as const
/** One of {@link deviceErrors}. */
export type DeviceError = (typeof deviceErrors)[number]

/** RFC 8628 §3.2. */
export const DeviceAuthorization = z.strictObject({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.string(),
  verification_uri_complete: z.string(),
  /** Seconds. */
  expires_in: z.number().int(),
  interval: z.number().int(),
})
export type DeviceAuthorization = z.infer<typeof DeviceAuthorization>

/** RFC 8628 §3.5. */
export const DeviceToken = z.strictObject({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.number().int(),
  provider_id: ProviderId,
})
export type DeviceToken = z.infer<typeof DeviceToken>

/** A program that asks for a session, as the person who approves it sees it. */
export const DeviceRequest = z.strictObject({
  user_code: z.string(),
  /** What the program says of its machine. */
  name: z.string(),
  user_agent: textOrNull,
  address: z.string(),
  is_same_network: z.boolean(),
  created_at: Time,
  expires_at: Time,
})
export type DeviceRequest = z.infer<typeof DeviceRequest>

const typed = z.strictObject({ user_code: z.string().min(1, 'Enter the code from your terminal').max(40) })
const own = { caller: 'provider', scope: 'full', personal: true, whileDeactivated: true } as const

/** Endpoints with which a program without a browser gets a session (RFC 8628). */
export const devices = {
  begin: endpoint(routes.devices.begin, {
    summary: 'Ask for a session on a machine without a browser (RFC 8628): a person approves it on the page /device',
    caller: 'public',
    body: z.strictObject({ name: requiredLine(1, 60, 'Please name this machine') }),
    response: DeviceAuthorization,
  }),
  token: endpoint(routes.devices.token, {
    summary:
      'Poll for the session that a person approved, at the interval that was answered. Each code gives one session',
    caller: 'public',
    body: z.strictObject({
      grant_type: z.literal(deviceGrantType, `Must be ${deviceGrantType}`),
      device_code: z.string().min(1).max(200),
    }),
    response: DeviceToken,
    errors: ['device_not_approved'],
  }),
  find: endpoint(routes.devices.find, {
    ...own,
    summary: 'Show which machine is waiting with a code',
    body: typed,
    response: DeviceRequest,
    errors: ['code_invalid'],
  }),
  approve: endpoint(routes.devices.approve, {
    ...own,
    summary: 'Give the machine that shows a code a session of the signed-in person; it carries no presence',
    body: typed,
    response: DeviceRequest,
    errors: ['code_invalid'],
  }),
  deny: endpoint(routes.devices.deny, {
    ...own,
    summary: 'Reject the machine that shows a code',
    body: typed,
    response: DeviceRequest,
    errors: ['code_invalid'],
  }),
} satisfies Endpoints<typeof routes.devices>
