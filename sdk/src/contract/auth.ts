import { z } from 'zod'
import { type Endpoints, endpoint } from './endpoint.ts'
import { Email, line, nameLine, ProviderId, requiredLine, SessionId, Time, textOrNull, Website } from './fields.ts'
import { limits } from './limits.ts'
import { routes } from './routes.ts'

/** 8 to 128 characters of any kind, not trimmed. The server rejects common passwords. */
export const Password = z
  .string('Please enter a password')
  .min(limits.passwordMin, `A password has at least ${limits.passwordMin} characters`)
  .max(limits.passwordMax, `A password has at most ${limits.passwordMax} characters`)

/** A password as typed, only for comparison. */
const TypedPassword = z.string('Please enter a password').min(1, 'Please enter a password').max(1_024)

/** Services to sign in with. */
export const identityProviders = ['github', 'google'] as const
/** An identity provider. */
export const IdentityProvider = z.enum(identityProviders)
export type IdentityProvider = z.infer<typeof IdentityProvider>

/** Why a sign-in with an identity provider created no session: the `error` codes of `/auth/callback`, with their messages. */
export const signInErrors = {
  not_configured: 'Signing in with this service is not set up on this registry.',
  access_denied: 'The sign-in was declined at the other service.',
  sign_in_expired: 'This sign-in has expired, was already used, or was started in another browser. Please try again.',
  link_expired:
    'This request to connect an account has expired, was already used, or was started in another browser. Please start again.',
  service_unavailable: 'The other service cannot be reached right now. Please try again later.',
  answer_invalid: 'The answer of the other service could not be trusted. Please try again.',
  email_not_verified: 'The other service has not verified your email address. Verify your primary address there first.',
  account_exists_sign_in_to_link:
    'An account with this email address exists. Sign in to it as before, then connect this service in its settings.',
  identity_taken: 'This account of the other service is connected to another account here.',
  too_many_attempts: 'Too many attempts. Please wait a minute and try again.',
  oauth_failed: 'OAuth authentication failed. Please try again.',
} as const
/** Why a sign-in with another service failed. */
export type SignInError = keyof typeof signInErrors

/** Random, single use, stored only as a hash. */
const Secret = z.string().min(1).max(512)

/** A sign-up with email and password. */
export const EmailRegistration = z.strictObject({
  email: Email,
  password: Password,
  company_name: nameLine(1, 120, 'Company name is required'),
  website: Website,
})
export type EmailRegistration = z.output<typeof EmailRegistration>

/** A new session. `token` is a bearer token; `api_key` is the console key that ends with the session. */
export const Session = z.strictObject({
  token: z.string(),
  auth_token: z.string(),
  provider_id: ProviderId,
  api_key: z.string(),
  needs_verification: z.literal(false),
  expires_at: Time,
})
export type Session = z.infer<typeof Session>

/** The same for every address, known or not. */
export const PendingRegistration = z.strictObject({
  needs_verification: z.literal(true),
  /** To type if the email is opened in a different browser from the one that registered. */
  confirmation_code: z.string(),
  message: z.string(),
})
export type PendingRegistration = z.infer<typeof PendingRegistration>

/**
 * Proof that the person who opens the email is the one who registered: the registering browser's cookie, the caller's API key, or
 * one of these.
 */
const proofOfRegistration = {
  password: TypedPassword.optional(),
  confirmation_code: z.string().max(40).optional(),
}

/** The token from the email, with a proof that the same person registered. */
export const EmailProof = z.strictObject({ token: Secret, ...proofOfRegistration })
export type EmailProof = z.output<typeof EmailProof>

/** `auth_token` and `api_key` are set for a new session, `setup_token` if the account has no password yet. */
export const VerifiedEmail = z.strictObject({
  verified: z.literal(true),
  email: z.string(),
  provider_id: ProviderId,
  auth_token: textOrNull,
  api_key: textOrNull,
  needs_auth_setup: z.boolean(),
  /** For `/auth-setup`: sets the first password, or links an identity. 24 hours, once. */
  setup_token: textOrNull,
  domain_verified: z.boolean(),
})
export type VerifiedEmail = z.infer<typeof VerifiedEmail>

/** The account that a `setPassword` token belongs to, shown before its new password is typed. */
export const PasswordAccount = z.strictObject({ provider_id: ProviderId, email: textOrNull })
export type PasswordAccount = z.infer<typeof PasswordAccount>

/** An account at an identity provider. */
export const Identity = z.strictObject({ provider: IdentityProvider, login: textOrNull, linked_at: Time })

/** A signed-in browser or device. */
export const SignedInSession = z.strictObject({
  id: SessionId,
  /** The name of a machine that a person approved; null for a browser. */
  device: textOrNull,
  is_current: z.boolean(),
  created_at: Time,
  last_used_at: Time,
  expires_at: Time,
  user_agent: textOrNull,
})
export type SignedInSession = z.infer<typeof SignedInSession>

const message = z.strictObject({ message: z.string() })

/** Whether an email address is at a website’s domain. */
export const DomainCheck = z.strictObject({ match: z.boolean(), email_domain: textOrNull, website_domain: textOrNull })

/** The details of a registration. With a key, the provider's own address is verified and all fields are optional. */
export const SendVerification = z.strictObject({
  email: Email.optional(),
  domain: line(253).optional(),
  company_name: nameLine(1, 120, 'Company name is required').optional(),
  website: Website.optional(),
})
export type SendVerification = z.output<typeof SendVerification>

/** The code from the email. */
export const VerifyEmail = z.strictObject({
  email: Email.optional(),
  domain: line(253).optional(),
  /** From the email. */
  verification_code: requiredLine(1, 40, 'Enter the code from the email'),
  ...proofOfRegistration,
})
export type VerifyEmail = z.output<typeof VerifyEmail>

/** Endpoints for signing up and in. */
export const auth = {
  checkDomain: endpoint(routes.auth.checkDomain, {
    summary: 'Whether an email address is at a website’s registrable domain',
    caller: 'public',
    body: z.strictObject({ email: Email, website: Website }),
    response: DomainCheck,
  }),
  sendVerification: endpoint(routes.auth.sendVerification, {
    summary: 'Send an email with a link and a code: with a key, for its provider; without, to start a registration',
    caller: 'optional',
    scope: 'account',
    body: SendVerification,
    response: PendingRegistration,
    errors: ['not_registered'],
  }),
  verifyEmail: endpoint(routes.auth.verifyEmail, {
    summary: 'Verify an email address with the code from the email, instead of its link',
    caller: 'optional',
    scope: 'account',
    body: VerifyEmail,
    response: VerifiedEmail,
    errors: ['code_invalid', 'confirmation_required', 'email_taken'],
  }),
  register: endpoint(routes.auth.register, {
    summary: 'Sign up with email and password; the link in the email completes it',
    caller: 'public',
    body: EmailRegistration,
    response: PendingRegistration,
  }),
  login: endpoint(routes.auth.login, {
    summary: 'Sign in with email and password',
    caller: 'public',
    body: z.strictObject({ email: Email, password: TypedPassword }),
    response: Session,
    errors: ['unauthorized'],
  }),
  verify: endpoint(routes.auth.verify, {
    summary: 'Complete a registration with the token from its email',
    caller: 'optional',
    scope: 'account',
    body: EmailProof,
    response: VerifiedEmail,
    errors: ['code_invalid', 'confirmation_required', 'email_taken'],
  }),
  setPassword: endpoint(routes.auth.setPassword, {
    summary: 'Set a password with a setup or reset token; ends all sessions and starts a new one',
    caller: 'public',
    body: z.strictObject({ token: Secret, password: Password }),
    response: Session,
    errors: ['code_invalid', 'presence_required'],
  }),
  passwordAccount: endpoint(routes.auth.passwordAccount, {
    summary: 'The account that a setup or reset token belongs to; the token stays valid',
    caller: 'public',
    body: z.strictObject({ token: Secret }),
    response: PasswordAccount,
    errors: ['code_invalid'],
  }),
  forgotPassword: endpoint(routes.auth.forgotPassword, {
    summary: 'Send an email to reset the password; the answer is the same for every address',
    caller: 'public',
    body: z.strictObject({ email: Email }),
    response: message,
  }),
  changePassword: endpoint(routes.auth.changePassword, {
    summary: 'Change the password; ends all other sessions and starts a new one',
    caller: 'provider',
    personal: true,
    whileDeactivated: true,
    body: z.strictObject({ current_password: TypedPassword, new_password: Password }),
    response: Session,
  }),
  signOut: endpoint(routes.auth.signOut, {
    summary: 'End the presented session',
    caller: 'provider',
    personal: true,
    whileDeactivated: true,
    scope: 'any',
    body: z.strictObject({}),
    response: message,
  }),
  sessions: endpoint(routes.auth.sessions, {
    summary: 'The caller’s sessions',
    caller: 'provider',
    personal: true,
    whileDeactivated: true,
    response: z.strictObject({ sessions: z.array(SignedInSession) }),
  }),
  revokeSession: endpoint(routes.auth.revokeSession, {
    summary: 'End one of the caller’s sessions',
    caller: 'provider',
    personal: true,
    whileDeactivated: true,
    params: z.strictObject({ id: SessionId }),
    response: z.strictObject({ message: z.string(), id: SessionId }),
  }),
  exchange: endpoint(routes.auth.exchange, {
    summary:
      'Exchange the one-time code of an identity provider’s callback for a session; bound to a cookie, valid for 60 seconds',
    caller: 'public',
    body: z.strictObject({ code: Secret }),
    response: Session.extend({ linked: z.boolean() }),
    errors: ['code_invalid'],
  }),
  identities: endpoint(routes.auth.identities, {
    summary: 'Identity providers linked to the caller’s account',
    caller: 'provider',
    personal: true,
    response: z.strictObject({ email: textOrNull, identities: z.array(Identity), has_password: z.boolean() }),
  }),
  startLink: endpoint(routes.auth.startLink, {
    summary:
      'Create a single-use token, bound to a cookie and valid for 15 minutes, with which this browser can link an identity provider',
    caller: 'provider',
    personal: true,
    body: z.strictObject({ provider: IdentityProvider }),
    response: z.strictObject({ linking_token: z.string(), url: z.string(), expires_at: Time }),
    errors: ['email_not_verified'],
  }),
  unlink: endpoint(routes.auth.unlink, {
    summary: 'Unlink an identity provider from the caller’s account; its address and password stay',
    caller: 'provider',
    personal: true,
    params: z.strictObject({ provider: IdentityProvider }),
    response: z.strictObject({ message: z.string(), provider: IdentityProvider }),
  }),
} satisfies Endpoints<typeof routes.auth>
