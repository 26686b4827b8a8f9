import { createHmac, type KeyObject } from 'node:crypto'
import {
  type EmailProof,
  type EmailRegistration,
  type PendingRegistration,
  Refusal,
  type SendVerification,
  type Session,
  type VerifiedEmail,
  type VerifyEmail,
} from '@countersign/sdk/contract'
import type { Database } from '../db/engine.ts'
import { failureOf } from '../db/retry.ts'
import type { Tx } from '../db/schema.ts'
import type { DomainService } from '../domains/service.ts'
import type { EventRecorder } from '../events/service.ts'
import type { Caller } from '../http/callers.ts'
import type { Visitor } from '../http/mount.ts'
import type { NewId } from '../ids.ts'
import type { MailService } from '../mail/service.ts'
import type { ProviderService } from '../providers/service.ts'
import type { SessionService } from '../sessions/service.ts'
import type { PasswordHasher } from './hashing.ts'
import {
  hashSecret,
  maxAttempts,
  newCode,
  newSecret,
  normalCode,
  passwordRefusal,
  registrationLifetimeMs,
  resetLifetimeMs,
  setupLifetimeMs,
} from './rules.ts'
import {
  countAttempt,
  countAttempts,
  findAccount,
  findAccountById,
  findRegistration,
  findToken,
  forgetPending,
  forgetTokensOf,
  insertRegistration,
  insertToken,
  listTokens,
  markEmailVerified,
  putPassword,
  type RegistrationRow,
  replacePassword,
  type TokenRow,
  takeToken,
} from './store.ts'

interface Needs {
  database: Database
  events: EventRecorder
  providers: Pick<ProviderService, 'create'>
  domains: Pick<DomainService, 'claim' | 'proveByEmail' | 'compare'>
  sessions: SessionService
  mail: Pick<MailService, 'queue'>
  passwords: PasswordHasher
  /** Keys the short codes, which a hash alone would not hide from who reads the database. */
  secret: KeyObject
  publicUrl: string
  now: () => number
  newId: NewId
}

type Proof = Pick<EmailProof, 'password' | 'confirmation_code'>
type Asking = Pick<Visitor, 'userAgent' | 'cookies'>
/** What waits for a mailbox: somebody's typed details, or a provider that is there already. */
type Pending = { registration: RegistrationRow } | { provider_id: string }

const cookieName = 'reg'
/** Of mails that anyone can cause. */
const cap = { name: 'account', perHour: 3 }

const sameForAll = 'If the address can be used, a mail is on its way. Open its link, or enter its code.'
const notSignedIn = 'E-mail or password is not right, or the address is not verified yet.'
const codeInvalid = () => new Refusal('code_invalid', 'This code or link is not valid any more, or never was. Ask for a new mail.')
const emailTaken = (cause?: unknown) =>
  new Refusal('email_taken', 'Another account has verified this address. Sign in to it instead.', {}, { cause })
const normalEmail = (email: string) => email.toLowerCase()

/**
 * Accounts by e-mail. An address is verified only for who shows the mailbox, by a link or a code, and the registration, by
 * its browser's cookie, its password, its confirmation code or its key: neither a scanner that opens links nor somebody
 * who typed another's address has both.
 */
export const createAuthService = (needs: Needs) => {
  const { database, events, providers, domains, sessions, mail, passwords, secret, publicUrl, now, newId } = needs

  const codeHash = (code: string) => createHmac('sha256', secret).update(normalCode(code)).digest('hex')

  const checkPassword = (password: string, known: Parameters<typeof passwordRefusal>[1], field?: string) => {
    const refusal = passwordRefusal(password, known, field)
    if (refusal) throw refusal
  }

  /* ---- asking for a mail ---- */

  const tokenRow = (purpose: TokenRow['purpose'], lifetimeMs: number, of: Partial<TokenRow>) => {
    const token = newSecret()
    const row = {
      hash: hashSecret(token),
      purpose,
      registration_id: null,
      provider_id: null,
      email_norm: null,
      code_hash: null,
      cookie_hash: null,
      data: null,
      attempts: 0,
      created_at: now(),
      expires_at: now() + lifetimeMs,
      used_at: null,
      ...of,
    }
    return { token, row }
  }

  const sendProof = async (tx: Tx, email: string, of: Partial<TokenRow>) => {
    const code = newCode()
    const { token, row } = tokenRow('verify_email', registrationLifetimeMs, {
      ...of,
      email_norm: normalEmail(email),
      code_hash: codeHash(code),
    })
    await insertToken(tx, row)
    await mail.queue(tx, {
      to: email,
      subject: 'Verify your e-mail address',
      cap,
      lines: [
        'Somebody, probably you, gave this address to a Countersign registry. To verify it, open this link in the same browser:',
        { link: `${publicUrl}/verify-email/${token}`, label: 'Verify your address' },
        'or enter this code where you registered:',
        { code },
        'Both work once, for 24 hours. If it was not you, do nothing: without you the address stays unverified.',
      ],
    })
  }

  const tellOwner = (tx: Tx, email: string) =>
    mail.queue(tx, {
      to: email,
      subject: 'You already have an account',
      cap,
      lines: [
        'Somebody, probably you, tried to register with this address. It has an account already; nothing was changed.',
        { link: `${publicUrl}/login`, label: 'Sign in' },
        'If you forgot your password, ask for a new one there.',
      ],
    })

  interface Details {
    email: string
    company_name?: string | undefined
    website?: string | undefined
    password_hash?: string
  }

  /** Several may wait for one address: none can be displaced by a stranger, and the first to be proven wins. */
  const registerPending = async (
    { email, company_name, website, password_hash }: Details,
    { cookies }: Asking,
  ): Promise<PendingRegistration> => {
    const email_norm = normalEmail(email)
    const confirmation_code = newCode()
    const cookie = newSecret()
    await database.transaction(async (tx) => {
      if (await findAccount(tx, email_norm)) return tellOwner(tx, email)
      const id = newId('reg')
      await insertRegistration(tx, {
        id,
        email,
        email_norm,
        company_name: company_name ?? null,
        website: website ?? null,
        password_hash: password_hash ?? null,
        cookie_hash: hashSecret(cookie),
        confirmation_hash: codeHash(confirmation_code),
        created_at: now(),
        expires_at: now() + registrationLifetimeMs,
        completed_at: null,
      })
      await sendProof(tx, email, { registration_id: id })
    })
    cookies.set(cookieName, cookie, { maxAgeSeconds: registrationLifetimeMs / 1_000 })
    return { needs_verification: true, confirmation_code, message: sameForAll }
  }

  const sendToProvider = async (caller: Caller): Promise<PendingRegistration> => {
    const confirmation_code = newCode()
    await database.transaction(async (tx) => {
      const account = await findAccountById(tx, caller.provider_id)
      if (!account?.email) throw new Refusal('not_registered', 'Your provider has no e-mail address.')
      if (account.email_verified_at !== null && account.email_vouched_by === null) return
      await sendProof(tx, account.email, {
        provider_id: account.id,
        data: JSON.stringify({ confirmation_hash: codeHash(confirmation_code) }),
      })
    })
    return { needs_verification: true, confirmation_code, message: sameForAll }
  }

  /* ---- showing both sides ---- */

  const pendingOf = async (token: TokenRow): Promise<Pending> => {
    if (token.provider_id !== null) return { provider_id: token.provider_id }
    const registration = token.registration_id === null ? undefined : await findRegistration(database.read, token.registration_id)
    if (!registration) throw codeInvalid()
    return { registration }
  }

  const confirmationHashOf = (token: TokenRow, pending: Pending): string | undefined =>
    'registration' in pending
      ? pending.registration.confirmation_hash
      : (JSON.parse(token.data ?? '{}') as { confirmation_hash?: string }).confirmation_hash

  /** Whether the one who shows the mailbox is the one who registered. */
  const isRegistrant = async (
    token: TokenRow,
    pending: Pending,
    { password, confirmation_code }: Proof,
    caller: Caller | undefined,
    { cookies }: Asking,
  ) => {
    if ('provider_id' in pending && caller?.provider_id === pending.provider_id) return true
    if ('registration' in pending) {
      const cookie = cookies.read(cookieName)
      if (cookie !== undefined && hashSecret(cookie) === pending.registration.cookie_hash) return true
    }
    if (password === undefined && confirmation_code === undefined) return false
    // Counted before it is compared, so that many at once do not get more tries.
    const attempt = await database.transaction((tx) => countAttempt(tx, { hash: token.hash, max: maxAttempts }))
    if (!attempt) throw codeInvalid()
    if (confirmation_code !== undefined && codeHash(confirmation_code) === confirmationHashOf(token, pending)) return true
    return (
      password !== undefined && 'registration' in pending && passwords.matches(password, pending.registration.password_hash ?? undefined)
    )
  }

  const completeRegistration = async (
    tx: Tx,
    registration: RegistrationRow,
    { userAgent, cookie }: Pick<Asking, 'userAgent'> & { cookie: string },
  ): Promise<VerifiedEmail> => {
    const { email, email_norm, company_name, website, password_hash } = registration
    if (await findAccount(tx, email_norm)) throw emailTaken()
    const session_id = newId('ses')
    const provider_id = await providers.create(tx, {
      email,
      actor: session_id,
      ...(company_name !== null && { company_name }),
      ...(website !== null && { website }),
    })
    await forgetPending(tx, { email_norm })
    const account = await findAccountById(tx, provider_id)
    const verified = { verified: true, email, provider_id, domain_verified: account?.domain_verified_at != null } as const
    if (password_hash !== null) {
      await putPassword(tx, { provider_id, hash: password_hash, set_at: now() })
      const session = await sessions.begin(tx, { provider_id, userAgent, id: session_id })
      return { ...verified, auth_token: session.auth_token, api_key: session.api_key, needs_auth_setup: false, setup_token: null }
    }
    const { token, row } = tokenRow('setup', setupLifetimeMs, { provider_id, cookie_hash: hashSecret(cookie) })
    await insertToken(tx, row)
    return { ...verified, auth_token: null, api_key: null, needs_auth_setup: true, setup_token: token }
  }

  const completeProvider = async (tx: Tx, provider_id: string, token: TokenRow, caller: Caller | undefined): Promise<VerifiedEmail> => {
    const email_norm = token.email_norm ?? ''
    const at = now()
    const owner = await findAccount(tx, email_norm)
    if (owner && owner.id !== provider_id) throw emailTaken()
    const proven = await markEmailVerified(tx, { id: provider_id, email_norm, at })
    if (!proven) throw codeInvalid()
    await forgetPending(tx, { email_norm })
    const actor = caller?.actor ?? 'registry'
    await events.record(tx, { provider_id, actor, action: 'email.verified', subject: ['provider', provider_id] })
    const domain_verified = await domains.proveByEmail(tx, { provider_id, actor })
    const account = await findAccountById(tx, provider_id)
    return {
      verified: true,
      email: account?.email ?? email_norm,
      provider_id,
      auth_token: null,
      api_key: null,
      needs_auth_setup: false,
      setup_token: null,
      domain_verified,
    }
  }

  const complete = async (found: TokenRow, proof: Proof, caller: Caller | undefined, asking: Asking): Promise<VerifiedEmail> => {
    const pending = await pendingOf(found)
    if (!(await isRegistrant(found, pending, proof, caller, asking))) {
      throw new Refusal(
        'confirmation_required',
        'Open this in the browser that registered, or give the password or the confirmation code that was shown there.',
      )
    }
    // Of the browser that is shown the setup token: no other may link an identity with it.
    const cookie = newSecret()
    const verified = await database
      .transaction(async (tx) => {
        const token = await takeToken(tx, { hash: found.hash, purposes: ['verify_email'], at: now() })
        if (!token) throw codeInvalid()
        return 'registration' in pending
          ? completeRegistration(tx, pending.registration, { userAgent: asking.userAgent, cookie })
          : completeProvider(tx, pending.provider_id, token, caller)
      })
      .catch((error) => {
        throw failureOf(error) === 'unique' ? emailTaken(error) : error
      })
    asking.cookies.clear(cookieName)
    if (verified.setup_token !== null) asking.cookies.set('link', cookie, { maxAgeSeconds: setupLifetimeMs / 1_000 })
    return verified
  }

  const beginAfterPassword = async (tx: Tx, provider_id: string, userAgent: string | null): Promise<Session> => {
    await sessions.endAll(tx, provider_id)
    await forgetTokensOf(tx, provider_id)
    return sessions.begin(tx, { provider_id, userAgent })
  }

  const tellPasswordChanged = (tx: Tx, email: string | null) =>
    email === null
      ? undefined
      : mail.queue(tx, {
          to: email,
          subject: 'Your password was changed',
          lines: [
            'The password of your account was changed, and everyone who was signed in to it was signed out.',
            'If it was not you, set a new one at once:',
            { link: `${publicUrl}/login`, label: 'Sign in or reset the password' },
          ],
        })

  return {
    compare: domains.compare,

    async register({ email, password, company_name, website }: EmailRegistration, asking: Asking): Promise<PendingRegistration> {
      domains.claim(website)
      checkPassword(password, { email, company_name })
      const password_hash = await passwords.hash(password)
      return registerPending({ email, company_name, website, password_hash }, asking)
    },

    async sendVerification({ email, domain, company_name, website }: SendVerification, caller: Caller | undefined, asking: Asking) {
      if (caller) return sendToProvider(caller)
      if (email === undefined)
        throw new Refusal('validation_failed', 'email: Email is required', {
          errors: [{ loc: ['body', 'email'], msg: 'Email is required', pointer: '#/email' }],
        })
      const site = website ?? (domain ? `https://${domain}` : undefined)
      if (site !== undefined) domains.claim(site)
      return registerPending({ email, company_name, website: site }, asking)
    },

    async verify({ token, ...proof }: EmailProof, caller: Caller | undefined, asking: Asking): Promise<VerifiedEmail> {
      const found = await findToken(database.read, { hash: hashSecret(token), purposes: ['verify_email'], at: now() })
      if (!found) throw codeInvalid()
      return complete(found, proof, caller, asking)
    },

    async verifyEmail({ email, verification_code, password, confirmation_code }: VerifyEmail, caller: Caller | undefined, asking: Asking) {
      const address = email ?? (caller && (await findAccountById(database.read, caller.provider_id))?.email)
      if (!address) throw codeInvalid()
      const email_norm = normalEmail(address)
      const waiting = await listTokens(database.read, { email_norm, purposes: ['verify_email'], at: now() })
      const wanted = codeHash(verification_code)
      const found = waiting.find(({ code_hash, attempts }) => code_hash === wanted && attempts < maxAttempts)
      if (!found) {
        await database.transaction((tx) => countAttempts(tx, { email_norm, purpose: 'verify_email' }))
        throw codeInvalid()
      }
      return complete(found, { password, confirmation_code }, caller, asking)
    },

    async login({ email, password }: { email: string; password: string }, { userAgent }: Asking): Promise<Session> {
      const account = await findAccount(database.read, normalEmail(email))
      const hashed = account?.hash ?? undefined
      if (!(await passwords.matches(password, hashed)) || !account || hashed === undefined) throw new Refusal('unauthorized', notSignedIn)
      const renewed = passwords.isOutdated(hashed) ? await passwords.hash(password) : undefined
      return database.transaction(async (tx) => {
        // Of a login and a reset at the same moment one waits for the other: no session outlives the password it began with.
        const held = await replacePassword(tx, { provider_id: account.id, was: hashed, hash: renewed ?? hashed })
        if (!held) throw new Refusal('unauthorized', notSignedIn)
        return sessions.begin(tx, { provider_id: account.id, userAgent })
      })
    },

    /** The same work and the same answer for an address that nobody has: its token opens nothing and is sent to nobody. */
    async forgotPassword(email: string) {
      const account = await findAccount(database.read, normalEmail(email))
      const { token, row } = tokenRow('reset', resetLifetimeMs, { provider_id: account?.id ?? null })
      await database.transaction(async (tx) => {
        await insertToken(tx, row)
        if (!account?.email) return
        await mail.queue(tx, {
          to: account.email,
          subject: 'Set a new password',
          cap,
          lines: [
            'Somebody, probably you, asked for a new password. Set it here, within an hour:',
            { link: `${publicUrl}/setup-password?token=${token}&provider_id=${account.id}`, label: 'Set a new password' },
            'If it was not you, do nothing: the password stays as it is.',
          ],
        })
      })
      return { message: 'If an account has this address, a mail is on its way.' }
    },

    async setPassword({ token, password }: { token: string; password: string }, { userAgent }: Asking): Promise<Session> {
      const purposes = ['setup', 'reset'] as const
      const found = await findToken(database.read, { hash: hashSecret(token), purposes, at: now() })
      const account = found?.provider_id ? await findAccountById(database.read, found.provider_id) : undefined
      if (!account) throw codeInvalid()
      checkPassword(password, { email: account.email ?? '', company_name: account.company_name })
      const hash = await passwords.hash(password)
      return database.transaction(async (tx) => {
        const taken = await takeToken(tx, { hash: hashSecret(token), purposes, at: now() })
        if (taken?.provider_id !== account.id) throw codeInvalid()
        const provider_id = account.id
        await putPassword(tx, { provider_id, hash, set_at: now() })
        await events.record(tx, { provider_id, actor: 'registry', action: 'password.set', subject: ['provider', provider_id] })
        if (taken.purpose === 'reset') await tellPasswordChanged(tx, account.email)
        return beginAfterPassword(tx, provider_id, userAgent)
      })
    },

    async changePassword(
      caller: Caller,
      { current_password, new_password }: { current_password: string; new_password: string },
      { userAgent }: Asking,
    ) {
      const { provider_id, actor } = caller
      const account = await findAccountById(database.read, provider_id)
      const was = account?.hash ?? undefined
      if (!(await passwords.matches(current_password, was)) || !account || was === undefined)
        throw new Refusal('unauthorized', 'The current password is not right.')
      checkPassword(new_password, { email: account.email ?? '', company_name: account.company_name }, 'new_password')
      const hash = await passwords.hash(new_password)
      return database.transaction(async (tx) => {
        const replaced = await replacePassword(tx, { provider_id, was, hash, at: now() })
        if (!replaced) throw new Refusal('unauthorized', 'The current password is not right.')
        await events.record(tx, { provider_id, actor, action: 'password.set', subject: ['provider', provider_id] })
        await tellPasswordChanged(tx, account.email)
        return beginAfterPassword(tx, provider_id, userAgent)
      })
    },

    /** A key is no session: there is nothing to end, and saying so changes nothing. */
    async signOut(caller: Caller) {
      if (caller.session_id !== null) await sessions.end(caller, caller.session_id)
      return { message: 'You have been signed out' }
    },
  }
}

export type AuthService = ReturnType<typeof createAuthService>
