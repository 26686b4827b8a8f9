import { mailboxOf, type PasswordAccount, Refusal, type Session } from '@countersign/sdk/contract'
import type { Database } from '../db/engine.ts'
import { isPersonProtected } from '../db/factors.ts'
import type { Tx } from '../db/schema.ts'
import type { EventRecorder } from '../events/service.ts'
import type { Caller } from '../http/callers.ts'
import type { Visitor } from '../http/endpoint.ts'
import type { IsFamiliar, NoteFamiliar } from '../http/rate-limits.ts'
import type { MailService } from '../mail/service.ts'
import { hashSecret, newSecret } from '../secrets.ts'
import type { SessionService } from '../sessions/service.ts'
import type { PasswordHasher } from './hashing.ts'
import { passwordRefusal, resetLifetimeMs, setupLifetimeMs } from './rules.ts'
import {
  findAccount,
  findAccountById,
  findPassword,
  findSessionStart,
  findToken,
  forgetTokensOf,
  insertToken,
  putPassword,
  replacePassword,
  takeToken,
} from './store.ts'

interface Deps {
  database: Database
  events: EventRecorder
  sessions: Pick<SessionService, 'begin' | 'end' | 'endAll'>
  mail: Pick<MailService, 'queue'>
  passwords: PasswordHasher
  isFamiliar: IsFamiliar
  noteFamiliar: NoteFamiliar
  publicUrl: string
  now: () => number
}

type Asking = Pick<Visitor, 'userAgent' | 'address'>
/** The person who signs in, and the provider for which they act. */
type Signing = Pick<Caller, 'provider_id' | 'actor'> & { person_id: string; email: string }

/**
 * For emails that anyone can trigger. Counted apart from registration emails, so that a registration cannot block a password reset, and
 * apart for networks from which the owner signed in.
 */
const capFor = (isOwners: boolean) => ({ name: isOwners ? 'reset-owner' : 'reset', perHour: 3 })

/** A session without a password must have begun within this time. */
const freshMs = 15 * 60_000

const notSignedIn = () => new Refusal('unauthorized', 'Wrong email or password, or the address is not verified yet.')
const notCurrent = () => new Refusal('unauthorized', 'The current password is wrong.')
const mailboxIsNotEnough = () =>
  new Refusal(
    'presence_required',
    'This account is protected: an email alone cannot set its password. Sign in with your passkey instead.',
  )
const linkInvalid = () => new Refusal('code_invalid', 'This link is no longer valid. Request a new email.')

/** Signing in with a password, and setting one. Neither responses nor their timing reveal whether an address has an account. */
export const createAuthService = ({
  database,
  events,
  sessions,
  mail,
  passwords,
  isFamiliar,
  noteFamiliar,
  publicUrl,
  now,
}: Deps) => {
  /** Rejects passwords that others would guess. */
  const hashNew = async (
    password: string,
    of: Parameters<typeof passwordRefusal>[1],
    field?: string,
  ): Promise<string> => {
    const refusal = passwordRefusal(password, of, field)
    if (refusal) throw refusal
    return passwords.hash(password)
  }

  const accountOf = async (token: string) => {
    const found = await findToken(database.read, { hash: hashSecret(token), at: now() })
    const account = found?.person_id ? await findAccountById(database.read, found.person_id) : undefined
    if (!account) throw linkInvalid()
    return account
  }

  const keepPassword = (tx: Tx, { person_id, hash }: { person_id: string; hash: string }) =>
    putPassword(tx, { person_id, hash, set_at: now() })

  /** Pending sign-ins are ended first: one that is being completed then shows among the sessions. */
  const beginAfterPassword = async (
    tx: Tx,
    { person_id, provider_id, email, actor }: Signing,
    { userAgent, address }: Asking,
  ) => {
    await noteFamiliar(tx, { address, email, isNewPassword: true })
    await events.record(tx, { provider_id, actor, action: 'password.set', subject: ['provider', provider_id] })
    await forgetTokensOf(tx, person_id)
    await sessions.endAll(tx, person_id)
    return sessions.begin(tx, { person_id, provider_id, userAgent })
  }

  /** Sent regardless of the owner's notification settings. */
  const emailPasswordChanged = async (tx: Tx, to: string) => {
    await mail.queue(tx, {
      to,
      subject: 'Your password was changed',
      lines: [
        'The password of your account was changed and all sessions were signed out.',
        "If this wasn't you, set a new password now:",
        { link: `${publicUrl}/login`, label: 'Sign in or reset your password' },
      ],
    })
  }

  return {
    hashNew,
    keepPassword,

    matches: (password: string, hashed: string | null) => passwords.matches(password, hashed ?? undefined),

    /** A stolen session alone must not move an account to another mailbox or erase it. */
    async checkIsOwner(
      { person_id, session_id }: { person_id: string; session_id: string | null },
      password: string | undefined,
    ) {
      // With a passkey, presence was proven for this call; the password may be lost.
      if (await isPersonProtected(database.read, person_id, now())) return
      const hash = await findPassword(database.read, person_id)
      if (hash !== undefined) {
        if (!(await passwords.matches(password ?? '', hash))) throw notCurrent()
        return
      }
      const began = await findSessionStart(database.read, { person_id, id: session_id ?? '' })
      if (now() - began > freshMs)
        throw new Refusal('sign_in_again', 'Sign out and in again, then try again within 15 minutes.')
    },

    /** A token with which the browser that has the cookie creates the first way to sign in to a new account. */
    async beginSetup(tx: Tx, { person_id, cookie }: { person_id: string; cookie: string }): Promise<string> {
      const token = newSecret()
      await insertToken(tx, {
        purpose: 'setup',
        hash: hashSecret(token),
        person_id,
        cookie_hash: hashSecret(cookie),
        created_at: now(),
        expires_at: now() + setupLifetimeMs,
      })
      return token
    },

    async login(
      { email, password }: { email: string; password: string },
      { userAgent }: Pick<Asking, 'userAgent'>,
    ): Promise<Session> {
      const account = await findAccount(database.read, mailboxOf(email))
      const was = account?.hash ?? undefined
      if (!(await passwords.matches(password, was)) || !account || was === undefined) throw notSignedIn()
      const hash = passwords.isOutdated(was) ? await passwords.hash(password) : was
      return database.transaction(async (tx) => {
        // A concurrent login and reset are serialised: no session outlives the password it began with.
        const { person_id, provider_id } = account
        const isReplaced = await replacePassword(tx, { person_id, was, hash })
        if (!isReplaced) throw notSignedIn()
        return sessions.begin(tx, { person_id, provider_id, userAgent })
      })
    },

    /** The same work for an unknown address: its token opens nothing and its email is held back. */
    async forgotPassword(email: string, { address }: Pick<Visitor, 'address'>) {
      const cap = capFor(await isFamiliar({ address, email }))
      const account = await findAccount(database.read, mailboxOf(email))
      const token = newSecret()
      await database.transaction(async (tx) => {
        await insertToken(tx, {
          purpose: 'reset',
          hash: hashSecret(token),
          person_id: account?.person_id ?? null,
          created_at: now(),
          expires_at: now() + resetLifetimeMs,
        })
        await mail.queue(tx, {
          to: email,
          isHeldBack: !account,
          subject: 'Reset your password',
          cap,
          lines: [
            'Someone, probably you, asked to reset your password. This link works for one hour:',
            {
              link: `${publicUrl}/setup-password?token=${token}&provider_id=${account?.provider_id}`,
              label: 'Set a new password',
            },
            "If this wasn't you, ignore this email. Your password stays the same.",
          ],
        })
      })
      return { message: 'If an account has this address, an email is on its way.' }
    },

    async passwordAccount(token: string): Promise<PasswordAccount> {
      const { provider_id, email } = await accountOf(token)
      return { provider_id, email }
    },

    async setPassword({ token, password }: { token: string; password: string }, asking: Asking): Promise<Session> {
      const account = await accountOf(token)
      const hash = await hashNew(password, account)
      return database.transaction(async (tx) => {
        const taken = await takeToken(tx, { hash: hashSecret(token), at: now() })
        if (taken?.person_id !== account.person_id) throw linkInvalid()
        if (await isPersonProtected(tx, account.person_id, now())) throw mailboxIsNotEnough()
        await keepPassword(tx, { person_id: account.person_id, hash })
        if (taken.purpose === 'reset') await emailPasswordChanged(tx, account.email)
        return beginAfterPassword(tx, { ...account, actor: 'visitor' }, asking)
      })
    },

    /** Requires a browser session: a leaked key must not help anyone guess passwords. */
    async changePassword(
      caller: Caller,
      input: { current_password: string; new_password: string },
      asking: Asking,
    ): Promise<Session> {
      if (caller.person_id === null)
        throw new Refusal('forbidden', 'Changing the password requires a session: sign in on the web.')
      const account = await findAccountById(database.read, caller.person_id)
      const was = account?.hash ?? undefined
      if (!(await passwords.matches(input.current_password, was)) || !account || was === undefined) throw notCurrent()
      const hash = await hashNew(input.new_password, account, 'new_password')
      return database.transaction(async (tx) => {
        const { person_id } = account
        const replaced = await replacePassword(tx, { person_id, was, hash, at: now() })
        if (!replaced) throw notCurrent()
        await emailPasswordChanged(tx, account.email)
        const { provider_id, actor } = caller
        return beginAfterPassword(tx, { ...account, provider_id, actor }, asking)
      })
    },

    /** A key has no session to end, so this changes nothing. */
    async signOut(caller: Caller) {
      if (caller.session_id !== null) await sessions.end(caller, caller.session_id)
      return { message: 'You have been signed out' }
    },
  }
}

export type AuthService = ReturnType<typeof createAuthService>
