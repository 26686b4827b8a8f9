import { z } from 'zod'
import { Session } from './auth.ts'
import { type Endpoints, endpoint } from './endpoint.ts'
import { Digest, Email, FactorId, line, requiredLine, Time, textOrNull } from './fields.ts'
import { routes } from './routes.ts'

/** Factors of one person, at most. */
export const maxFactors = 20

/** How people prove their presence. */
export const factorKinds = ['passkey', 'totp'] as const

/** A passkey or an authenticator of a person. */
export const Factor = z.strictObject({
  id: FactorId,
  kind: z.enum(factorKinds),
  name: z.string(),
  created_at: Time,
  /** From then on it counts. Until then, any session of its person can remove it. */
  effective_at: Time,
  /** When its removal takes effect; null if it stays, or was removed at once. */
  removes_at: Time.nullable(),
  last_used_at: Time.nullable(),
})
export type Factor = z.infer<typeof Factor>

/** Shown once. Each proves presence once, if no passkey is at hand. */
const RecoveryCodes = z.array(z.string())

/** A factor that was just added. */
export const NewFactor = Factor.extend({
  /** With the first factor only; they replace all earlier codes. */
  recovery_codes: RecoveryCodes.nullable(),
})
export type NewFactor = z.infer<typeof NewFactor>

const base64url = (max: number) =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/, 'This must be base64url')
    .max(max)

/** What a browser answers when a passkey is created: `PublicKeyCredential` and `AuthenticatorAttestationResponse`, base64url. */
export const NewPasskey = z.strictObject({
  credential_id: base64url(1_400),
  client_data: base64url(4_000),
  attestation: base64url(12_000),
  transports: z.array(z.string().max(20)).max(10).default([]),
})
export type NewPasskey = z.output<typeof NewPasskey>

/** What a browser answers when a passkey is used: `PublicKeyCredential` and `AuthenticatorAssertionResponse`, base64url. */
export const PasskeyAnswer = z.strictObject({
  credential_id: base64url(1_400),
  client_data: base64url(4_000),
  authenticator_data: base64url(4_000),
  signature: base64url(8_000),
  user_handle: base64url(100).nullish(),
})
export type PasskeyAnswer = z.output<typeof PasskeyAnswer>

/** What an authenticator app needs: the secret, as text and in the address of its QR code. */
const NewAuthenticator = z.strictObject({
  /** For `add`, within 15 minutes. */
  token: z.string(),
  secret: z.string(),
  uri: z.string(),
})

/** The call that a person approves: the request is repeated with the same method, path, query and body. */
export const Act = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: z
    .string()
    .regex(/^\/api\/v1\/\S*$/, 'This must be a path of the API')
    .max(2_000),
  /** SHA-256 of the body’s bytes. */
  body_digest: Digest,
})
export type Act = z.output<typeof Act>

/** For `navigator.credentials`, in the JSON of WebAuthn Level 3. */
const PasskeyOptions = z.strictObject({ options: z.record(z.string(), z.unknown()) })

const name = requiredLine(1, 60, 'Please enter a name')
const code = z.string().min(1, 'Please enter the code').max(40)
const params = z.strictObject({ id: FactorId })
const own = { caller: 'provider', scope: 'full', personal: true, whileDeactivated: true } as const

/** A recovery that waits or was done. */
export const Recovery = z.strictObject({
  state: z.enum(['waiting', 'done']),
  /** With the mailbox alone; null if every company must confirm it. */
  takes_effect_at: Time.nullable(),
  /** Those that have not confirmed it. */
  companies: z.array(
    z.strictObject({
      /** Its primary domain, if it is proven. */
      domain: textOrNull,
      /** The name of the TXT record that confirms it. */
      record_name: textOrNull,
      /** The value of that record. */
      record_value: textOrNull,
    }),
  ),
})
export type Recovery = z.infer<typeof Recovery>

/** Endpoints of passkeys and authenticators, and of the proof that a person is there. */
export const factors = {
  list: endpoint(routes.factors.list, {
    ...own,
    summary: 'The passkeys and authenticators of the signed-in person',
    response: z.strictObject({
      factors: z.array(Factor),
      /** Whether one of them counts now. */
      is_protected: z.boolean(),
      recovery_codes_left: z.number().int(),
      /** When all of them are removed, because someone asked for it with the mailbox. */
      recovery_at: Time.nullable(),
      /** Whether a recovery waits, including one that takes effect only if every company confirms it. */
      recovery_waits: z.boolean(),
    }),
  }),
  sendCode: endpoint(routes.factors.sendCode, {
    ...own,
    summary: 'Email a code with which a first passkey or authenticator can be added',
    body: z.strictObject({}),
    response: z.strictObject({ message: z.string() }),
    errors: ['sign_in_again'],
  }),
  begin: endpoint(routes.factors.begin, {
    ...own,
    summary:
      'Begin to add a passkey or an authenticator app. The first one needs a sign-in within the last 15 minutes and the code from the email; others need presence',
    body: z.strictObject({ code: code.optional(), kind: z.enum(factorKinds).default('passkey') }),
    response: PasskeyOptions.extend({ totp: NewAuthenticator.nullable() }),
    errors: ['presence_required', 'sign_in_again', 'code_invalid'],
  }),
  add: endpoint(routes.factors.add, {
    ...own,
    summary:
      'Add the passkey that the browser created, or the authenticator app that shows the code. The first one of an account older than a day counts after 24 hours',
    body: z.strictObject({
      name,
      passkey: NewPasskey.optional(),
      /** Instead of a passkey, with a code that the app shows. */
      totp: z.strictObject({ token: line(200), code }).optional(),
    }),
    response: NewFactor,
    status: 201,
    errors: ['passkey_rejected', 'code_invalid'],
  }),
  rename: endpoint(routes.factors.rename, {
    ...own,
    summary: 'Rename a passkey or an authenticator; needs presence',
    params,
    body: z.strictObject({ name }),
    response: Factor,
    errors: ['presence_required'],
  }),
  remove: endpoint(routes.factors.remove, {
    ...own,
    summary:
      'Remove a passkey or an authenticator; needs presence once it counts. The last one of an owner is removed after 24 hours',
    params,
    response: Factor,
    errors: ['presence_required', 'factor_too_new'],
  }),
  beginProof: endpoint(routes.factors.beginProof, {
    ...own,
    summary: 'Begin to prove presence for one call',
    body: Act,
    response: PasskeyOptions,
  }),
  prove: endpoint(routes.factors.prove, {
    ...own,
    summary:
      'Prove presence with a passkey, an authenticator app or a recovery code. The proof is in a cookie: first for the call that was approved, then for others, for five minutes',
    body: z.strictObject({
      passkey: PasskeyAnswer.optional(),
      /** Instead of a passkey, with the call to approve. */
      recovery: z.strictObject({ code, act: Act }).optional(),
      /** Instead of a passkey: a code of the authenticator app, with the call to approve. */
      totp: z.strictObject({ code, act: Act }).optional(),
    }),
    response: z.strictObject({ expires_at: Time }),
    errors: ['passkey_rejected', 'code_invalid'],
  }),
  renewCodes: endpoint(routes.factors.renewCodes, {
    ...own,
    summary: 'Replace the recovery codes; needs presence. They are shown once',
    body: z.strictObject({}),
    response: z.strictObject({ recovery_codes: RecoveryCodes }),
    errors: ['presence_required', 'factor_too_new'],
  }),
  beginSignIn: endpoint(routes.factors.beginSignIn, {
    summary: 'Begin to sign in with a passkey',
    caller: 'public',
    body: z.strictObject({}),
    response: PasskeyOptions,
  }),
  signIn: endpoint(routes.factors.signIn, {
    summary: 'Sign in with a passkey, in the browser that began; the session has presence for five minutes',
    caller: 'public',
    body: z.strictObject({ passkey: PasskeyAnswer }),
    response: Session,
    errors: ['passkey_rejected'],
  }),
  beginRecovery: endpoint(routes.factors.beginRecovery, {
    summary:
      'Ask for the link that recovers an account whose passkeys and recovery codes are lost. A session of the person gets the token at once, which then needs the DNS record or another owner',
    caller: 'optional',
    scope: 'any',
    whileDeactivated: true,
    body: z.strictObject({ email: Email }),
    response: z.strictObject({ message: z.string(), token: textOrNull }),
  }),
  recover: endpoint(routes.factors.recover, {
    summary:
      'Begin a recovery with the token, or look at the DNS records again. All owners are emailed and can cancel it. It takes effect once every company of the person has confirmed it, through another owner or a DNS record; with an emailed token and a recovery code at once, with the token alone after seven days',
    caller: 'public',
    body: z.strictObject({
      token: line(200),
      /** A recovery code; counts only with an emailed token, at most five times. */
      recovery_code: code.optional(),
    }),
    response: Recovery,
    errors: ['code_invalid'],
  }),
  cancelRecovery: endpoint(routes.factors.cancelRecovery, {
    ...own,
    summary: 'Cancel a recovery of the signed-in person',
    response: z.strictObject({ message: z.string() }),
  }),
} satisfies Endpoints<typeof routes.factors>
