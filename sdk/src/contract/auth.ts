import { z } from 'zod'
import { type Endpoints, endpoint } from './endpoint.ts'
import { Email, line, nameLine, ProviderId, requiredLine, SessionId, Time, textOrNull, Website } from './fields.ts'
import { limits } from './limits.ts'
import { routes } from './routes.ts'

/** Any characters, 8 to 128 of them; common passwords are refused by the server. Not trimmed. */
export const Password = z
  .string('Please enter a password')
  .min(limits.passwordMin, `A password has at least ${limits.passwordMin} characters`)
  .max(limits.passwordMax, `A password has at most ${limits.passwordMax} characters`)

/** A password that is only compared: whatever was typed. */
const TypedPassword = z.string('Please enter a password').min(1, 'Please enter a password').max(1_024)

export const identityProviders = ['github', 'google'] as const
export const IdentityProvider = z.enum(identityProviders)
export type IdentityProvider = z.infer<typeof IdentityProvider>

/** Why a sign-in with an identity provider ended without a session: `error` of `/auth/callback`, with words for people. */
export const signInErrors = {
  not_configured: 'Signing in with this service is not set up on this registry.',
  access_denied: 'The sign-in was declined at the other service.',
  sign_in_expired: 'This sign-in was completed before, took too long, or began in another browser. Please try again.',
  link_expired: 'This request to connect an account was used before, took too long, or began in another browser. Please start again.',
  service_unavailable: 'The other service cannot be reached right now. Please try again later.',
  answer_invalid: 'The answer of the other service could not be trusted. Please try again.',
  email_not_verified: 'The other service does not vouch for an e-mail address of yours. Verify your primary address there first.',
  account_exists_sign_in_to_link:
    'There is an account with this e-mail address. Sign in to it as before, then connect this service in its settings.',
  identity_taken: 'This account of the other service is connected to another account here.',
  too_many_attempts: 'Too many attempts. Please wait a minute and try again.',
  oauth_failed: 'OAuth authentication failed. Please try again.',
} as const
export type SignInError = keyof typeof signInErrors

/** Random, single use, hashed where it is kept. */
const Secret = z.string().min(1).max(512)

export const EmailRegistration = z.strictObject({
  email: Email,
  password: Password,
  company_name: nameLine(1, 120, 'Company name is required'),
  website: Website,
})
export type EmailRegistration = z.output<typeof EmailRegistration>

/** What begins a session. `token` is a bearer token; `api_key` the console key that belongs to it and ends with it. */
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
  /** To be typed where the mail is opened in another browser than the one that registered. */
  confirmation_code: z.string(),
  message: z.string(),
})
export type PendingRegistration = z.infer<typeof PendingRegistration>

/**
 * What shows that the one who opens the mail is the one who registered: the registering browser's cookie, or one of
 * these. A caller's API key does, too.
 */
const proofOfRegistration = {
  password: TypedPassword.optional(),
  confirmation_code: z.string().max(40).optional(),
}

export const EmailProof = z.strictObject({ token: Secret, ...proofOfRegistration })
export type EmailProof = z.output<typeof EmailProof>

/** `auth_token` and `api_key` are there for a new session; `setup_token` where the account has no password yet. */
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

/** The account that a token of `setPassword` opens: shown before anyone types a password for it. */
export const PasswordAccount = z.strictObject({ provider_id: ProviderId, email: textOrNull })
export type PasswordAccount = z.infer<typeof PasswordAccount>

export const Identity = z.strictObject({ provider: IdentityProvider, login: textOrNull, linked_at: Time })

export const SignedInSession = z.strictObject({
  id: SessionId,
  is_current: z.boolean(),
  created_at: Time,
  last_used_at: Time,
  expires_at: Time,
  user_agent: textOrNull,
})
export type SignedInSession = z.infer<typeof SignedInSession>

const message = z.strictObject({ message: z.string() })

export const DomainCheck = z.strictObject({ match: z.boolean(), email_domain: textOrNull, website_domain: textOrNull })

/** Typed details without an account; with a key the provider's own address is verified and all three may be left out. */
export const SendVerification = z.strictObject({
  email: Email.optional(),
  domain: line(253).optional(),
  company_name: nameLine(1, 120, 'Company name is required').optional(),
  website: Website.optional(),
})
export type SendVerification = z.output<typeof SendVerification>

export const VerifyEmail = z.strictObject({
  email: Email.optional(),
  domain: line(253).optional(),
  /** From the mail. */
  verification_code: requiredLine(1, 40, 'Enter the code from the mail'),
  ...proofOfRegistration,
})
export type VerifyEmail = z.output<typeof VerifyEmail>

export const auth = {
  checkDomain: endpoint(routes.auth.checkDomain, {
    summary: 'Whether an e-mail address is at a website’s registrable domain',
    caller: 'public',
    body: z.strictObject({ email: Email, website: Website }),
    response: DomainCheck,
  }),
  sendVerification: endpoint(routes.auth.sendVerification, {
    summary: 'Send a mail with a link and a code; with a key for its provider, else for a registration that then waits',
    caller: 'optional',
    scope: 'account',
    body: SendVerification,
    response: PendingRegistration,
  }),
  verifyEmail: endpoint(routes.auth.verifyEmail, {
    summary: 'Complete with the code of the mail what its link would complete',
    caller: 'optional',
    scope: 'account',
    body: VerifyEmail,
    response: VerifiedEmail,
    errors: ['code_invalid', 'confirmation_required', 'email_taken'],
  }),
  register: endpoint(routes.auth.register, {
    summary: 'Sign up with e-mail and password; a mail has the link that completes it',
    caller: 'public',
    body: EmailRegistration,
    response: PendingRegistration,
  }),
  login: endpoint(routes.auth.login, {
    summary: 'Sign in with e-mail and password',
    caller: 'public',
    body: z.strictObject({ email: Email, password: TypedPassword }),
    response: Session,
    errors: ['unauthorized'],
  }),
  verify: endpoint(routes.auth.verify, {
    summary: 'Complete a registration with the token of its mail',
    caller: 'optional',
    scope: 'account',
    body: EmailProof,
    response: VerifiedEmail,
    errors: ['code_invalid', 'confirmation_required', 'email_taken'],
  }),
  setPassword: endpoint(routes.auth.setPassword, {
    summary: 'Set a password with the token of a setup or reset; ends all sessions and begins one',
    caller: 'public',
    body: z.strictObject({ token: Secret, password: Password }),
    response: Session,
    errors: ['code_invalid'],
  }),
  passwordAccount: endpoint(routes.auth.passwordAccount, {
    summary: 'Whose password the token of a setup or reset sets; the token stays good',
    caller: 'public',
    body: z.strictObject({ token: Secret }),
    response: PasswordAccount,
    errors: ['code_invalid'],
  }),
  forgotPassword: endpoint(routes.auth.forgotPassword, {
    summary: 'Ask for a mail with which a password can be set; the answer is the same for every address',
    caller: 'public',
    body: z.strictObject({ email: Email }),
    response: message,
  }),
  changePassword: endpoint(routes.auth.changePassword, {
    summary: 'Change the password; ends all other sessions and begins a new one',
    caller: 'provider',
    whileDeactivated: true,
    body: z.strictObject({ current_password: TypedPassword, new_password: Password }),
    response: Session,
  }),
  signOut: endpoint(routes.auth.signOut, {
    summary: 'End the presented session',
    caller: 'provider',
    whileDeactivated: true,
    scope: 'any',
    body: z.strictObject({}),
    response: message,
  }),
  sessions: endpoint(routes.auth.sessions, {
    summary: 'The caller’s sessions',
    caller: 'provider',
    whileDeactivated: true,
    response: z.strictObject({ sessions: z.array(SignedInSession) }),
  }),
  revokeSession: endpoint(routes.auth.revokeSession, {
    summary: 'End one of the caller’s sessions',
    caller: 'provider',
    whileDeactivated: true,
    params: z.strictObject({ id: SessionId }),
    response: z.strictObject({ message: z.string(), id: SessionId }),
  }),
  exchange: endpoint(routes.auth.exchange, {
    summary: 'Exchange the one-time code of an identity provider’s callback for a session; bound to a cookie, 60 seconds',
    caller: 'public',
    body: z.strictObject({ code: Secret }),
    response: Session.extend({ linked: z.boolean() }),
    errors: ['code_invalid'],
  }),
  identities: endpoint(routes.auth.identities, {
    summary: 'Identity providers linked to the caller’s account',
    caller: 'provider',
    response: z.strictObject({ identities: z.array(Identity), has_password: z.boolean() }),
  }),
  startLink: endpoint(routes.auth.startLink, {
    summary: 'A token, bound to a cookie, with which this browser may link an identity provider: 15 minutes, once',
    caller: 'provider',
    body: z.strictObject({ provider: IdentityProvider }),
    response: z.strictObject({ linking_token: z.string(), url: z.string(), expires_at: Time }),
    errors: ['email_not_verified'],
  }),
  unlink: endpoint(routes.auth.unlink, {
    summary: 'Take an identity provider off the caller’s account; its address and password stay',
    caller: 'provider',
    params: z.strictObject({ provider: IdentityProvider }),
    response: z.strictObject({ message: z.string(), provider: IdentityProvider }),
  }),
} satisfies Endpoints<typeof routes.auth>
