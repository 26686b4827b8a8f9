import type { KeyObject } from 'node:crypto'
import {
  type EmailProof,
  type EmailRegistration,
  invalidField,
  mailboxOf,
  type PendingRegistration,
  Refusal,
  type SendVerification,
  type VerifiedEmail,
  type VerifyEmail,
} from '@countersign/sdk/contract'
import type { AuthService } from '../auth/service.ts'
import type { Database } from '../db/engine.ts'
import { retriedAfterClash } from '../db/retry.ts'
import type { Tx } from '../db/schema.ts'
import type { DomainService } from '../domains/service.ts'
import type { EventRecorder } from '../events/service.ts'
import type { Caller } from '../http/callers.ts'
import type { Visitor } from '../http/endpoint.ts'
import type { IsFamiliar } from '../http/rate-limits.ts'
import type { NewId } from '../ids.ts'
import type { MailService } from '../mail/service.ts'
import type { PeopleService } from '../people/service.ts'
import type { ProviderService } from '../providers/service.ts'
import { codeHash, hashSecret, newCode, newSecret } from '../secrets.ts'
import type { SessionService } from '../sessions/service.ts'
import { createCompletion } from './complete.ts'
import { codeInvalid, lifetimeMs, maxTries } from './rules.ts'
import {
  findAccount,
  findProvider,
  findRegistration,
  findToken,
  insertRegistration,
  insertToken,
  listOwnTokens,
  listTokens,
  type RegistrationRow,
  spendTry,
  type TokenRow,
  takeToken,
} from './store.ts'

interface Deps {
  database: Database
  events: EventRecorder
  providers: Pick<ProviderService, 'checkName' | 'create'>
  domains: Pick<DomainService, 'checkWebsite'>
  people: PeopleService
  sessions: Pick<SessionService, 'begin'>
  auth: Pick<AuthService, 'hashNew' | 'matches' | 'keepPassword' | 'beginSetup'>
  mail: Pick<MailService, 'queue'>
  isFamiliar: IsFamiliar
  /** Keys the hashes of short codes, because a plain hash would not hide them from someone who reads the database. */
  secret: KeyObject
  publicUrl: string
  now: () => number
  newId: NewId
}

type Proof = Pick<EmailProof, 'password' | 'confirmation_code'>
type Browser = Pick<Visitor, 'userAgent' | 'cookies'>
type Asking = Browser & Pick<Visitor, 'address'>
/** The visitor who must confirm that the registration is theirs. */
type Registrant = Proof & Browser & { caller: Caller | undefined }
/** What waits for a mailbox to be verified: typed details, or an existing provider. */
type Pending = { registration: RegistrationRow } | { provider_id: string }

interface Details {
  email: string
  company_name?: string | undefined
  website?: string | undefined
  password_hash?: string
}

const cookieName = 'reg'
/** For emails that anyone can trigger; counted apart for networks from which the owner signed in. */
const capFor = (isOwners: boolean) => ({ name: isOwners ? 'account-owner' : 'account', perHour: 3 })
type Cap = ReturnType<typeof capFor>

const sameForAll = 'If the address can be used, an email is on its way. Open its link, or enter its code.'
const notConfirmed = () =>
  new Refusal(
    'confirmation_required',
    'Open this in the browser you registered with, or enter the password or the confirmation code that was shown there.',
  )

/**
 * Accounts by email. An address is verified only for someone who shows both the mailbox, by a link or a code, and the registration, by
 * its browser's cookie, its password, its confirmation code or its key: neither a scanner that opens links nor someone who typed another
 * person's address has both.
 */
export const createRegistrationService = (needs: Deps) => {
  const { database, providers, domains, auth, mail, isFamiliar, secret, publicUrl, now, newId } = needs

  const { completeRegistration, completeProvider } = createCompletion(needs)
  const hashOf = (code: string) => codeHash(secret, code)

  /* ---- requesting an email ---- */

  /** The email's side of a pending registration. Returns the secrets that the email contains. */
  const insertProof = async (tx: Tx, of: { email_norm: string; cookie_hash: string } & Partial<TokenRow>) => {
    const [token, code] = [newSecret(), newCode()]
    const row = {
      ...of,
      hash: hashSecret(token),
      code_hash: hashOf(code),
      created_at: now(),
      expires_at: now() + lifetimeMs,
    }
    await insertToken(tx, row)
    return { token, code }
  }

  const sendProof = (tx: Tx, to: string, cap: Cap, { token, code }: { token: string; code: string }) =>
    mail.queue(tx, {
      to,
      subject: 'Verify your email address',
      cap,
      lines: [
        'Someone, probably you, gave this address to a Countersign registry. To verify it, open this link in the same browser:',
        { link: `${publicUrl}/verify-email/${token}`, label: 'Verify your address' },
        'or enter this code where you registered:',
        { code },
        "Link and code work once, within 24 hours. If this wasn't you, ignore this email: the address stays unverified.",
      ],
    })

  const emailOwner = (tx: Tx, to: string, cap: Cap) =>
    mail.queue(tx, {
      to,
      subject: 'You already have an account',
      cap,
      lines: [
        'Someone, probably you, tried to register with this address. It already has an account; nothing was changed.',
        { link: `${publicUrl}/login`, label: 'Sign in' },
        'If you forgot your password, you can reset it there.',
      ],
    })

  /**
   * Several registrations may wait for one address: a stranger can displace none, and the first to be verified wins. For an address that
   * has an account the same is written, but already expired, so that neither response nor timing reveals it.
   */
  const registerPending = async (
    { email, company_name, website, password_hash }: Details,
    { address, cookies }: Asking,
  ) => {
    providers.checkName(company_name, { website: website ?? null })
    const email_norm = mailboxOf(email)
    const confirmation_code = newCode()
    const cookie = newSecret()
    const cookie_hash = hashSecret(cookie)
    const cap = capFor(await isFamiliar({ address, email }))
    await database.transaction(async (tx) => {
      const account = await findAccount(tx, email_norm)
      const id = newId('reg')
      await insertRegistration(tx, {
        id,
        email,
        email_norm,
        company_name: company_name ?? null,
        website: website ?? null,
        password_hash: password_hash ?? null,
        cookie_hash,
        confirmation_hash: hashOf(confirmation_code),
        created_at: now(),
        expires_at: now() + lifetimeMs,
        completed_at: account ? now() : null,
      })
      const proof = await insertProof(tx, { registration_id: id, email_norm, cookie_hash })
      await (account ? emailOwner(tx, email, cap) : sendProof(tx, email, cap, proof))
    })
    cookies.set(cookieName, cookie, { maxAgeSeconds: lifetimeMs / 1_000 })
    return pendingWith(confirmation_code)
  }

  const sendToProvider = async ({ provider_id }: Caller, { address, cookies }: Asking) => {
    const confirmation_code = newCode()
    const cookie = newSecret()
    await database.transaction(async (tx) => {
      const account = await findProvider(tx, provider_id, now())
      if (!account?.email) throw new Refusal('not_registered', 'Your provider has no email address.')
      if (account.email_verified_at !== null && account.email_vouched_by === null) return
      const data = JSON.stringify({ confirmation_hash: hashOf(confirmation_code) })
      const email_norm = mailboxOf(account.email)
      await sendProof(
        tx,
        account.email,
        capFor(await isFamiliar({ address, email: account.email })),
        await insertProof(tx, { provider_id, email_norm, cookie_hash: hashSecret(cookie), data }),
      )
    })
    cookies.set(cookieName, cookie, { maxAgeSeconds: lifetimeMs / 1_000 })
    return pendingWith(confirmation_code)
  }

  /* ---- showing both sides ---- */

  const isOwn = (
    { provider_id, cookie_hash }: TokenRow,
    { caller, cookies }: Pick<Registrant, 'caller' | 'cookies'>,
  ) => {
    if (provider_id !== null && caller?.provider_id === provider_id) return true
    const cookie = cookies.read(cookieName)
    return cookie !== undefined && hashSecret(cookie) === cookie_hash
  }

  const ownOf = (email_norm: string, { caller, cookies }: Pick<Registrant, 'caller' | 'cookies'>) => ({
    email_norm,
    at: now(),
    cookie_hash: hashSecret(cookies.read(cookieName) ?? ''),
    provider_id: caller?.provider_id ?? '',
  })

  const pendingOf = async ({ provider_id, registration_id }: TokenRow): Promise<Pending> => {
    if (provider_id !== null) return { provider_id }
    const registration = registration_id === null ? undefined : await findRegistration(database.read, registration_id)
    if (!registration) throw codeInvalid()
    return { registration }
  }

  const confirmationHashOf = ({ data }: TokenRow, pending: Pending): string | undefined =>
    'registration' in pending
      ? pending.registration.confirmation_hash
      : (JSON.parse(data ?? '{}') as { confirmation_hash?: string }).confirmation_hash

  /** Whether the person who shows the mailbox is the one who registered. */
  const isRegistrant = async (token: TokenRow, pending: Pending, registrant: Registrant) => {
    const { password, confirmation_code } = registrant
    if (isOwn(token, registrant)) return true
    if (password === undefined && confirmation_code === undefined) return false
    const [tried] = await database.transaction((tx) =>
      spendTry(tx, { hashes: [token.hash], of: 'attempts', max: maxTries }),
    )
    if (!tried) throw codeInvalid()
    if (confirmation_code !== undefined && hashOf(confirmation_code) === confirmationHashOf(token, pending)) return true
    return (
      password !== undefined && 'registration' in pending && auth.matches(password, pending.registration.password_hash)
    )
  }

  /**
   * Someone who shows the other side of an email uses up attempts of that email; everyone else uses up those of strangers, so that no one
   * can end another's email with wrong guesses.
   */
  const findByCode = (email_norm: string, code: string, registrant: Registrant): Promise<TokenRow | undefined> =>
    database.transaction(async (tx) => {
      const code_hash = hashOf(code)
      const own = await listOwnTokens(tx, ownOf(email_norm, registrant))
      const others = (await listTokens(tx, { email_norm, at: now() })).filter((token) => !isOwn(token, registrant))
      for (const [tokens, of] of [
        [own, 'attempts'],
        [others, 'stray_attempts'],
      ] as const) {
        const tried = await spendTry(tx, { hashes: tokens.map(({ hash }) => hash), of, max: maxTries })
        const found = tried.find((token) => token.code_hash === code_hash)
        if (found) return tokens.find(({ hash }) => hash === found.hash)
      }
      return undefined
    })

  /**
   * Any email to a mailbox proves it. If strangers used up the emails of an hour, the registrant opens one of theirs, and completes the
   * registration of their own browser or session.
   */
  const ownInsteadOf = async (mailed: TokenRow, registrant: Registrant): Promise<TokenRow> => {
    if (isOwn(mailed, registrant) || mailed.email_norm === null) return mailed
    const [newest] = await listOwnTokens(database.read, ownOf(mailed.email_norm, registrant))
    return newest ?? mailed
  }

  const complete = async (mailed: TokenRow, registrant: Registrant): Promise<VerifiedEmail> => {
    const found = await ownInsteadOf(mailed, registrant)
    const pending = await pendingOf(found)
    if (!(await isRegistrant(found, pending, registrant))) throw notConfirmed()
    const { cookies, caller, userAgent } = registrant
    // The browser that receives the setup token: no other may link an identity with it.
    const cookie = newSecret()
    const work = async (tx: Tx): Promise<VerifiedEmail> => {
      const token = await takeToken(tx, { hash: found.hash, at: now() })
      if (!token) throw codeInvalid()
      return 'registration' in pending
        ? completeRegistration(tx, pending.registration, { userAgent, cookie })
        : completeProvider(tx, pending.provider_id, token, caller)
    }
    const verified = await retriedAfterClash(() => database.transaction(work))
    cookies.clear(cookieName)
    if (verified.setup_token !== null) cookies.set('link', cookie, { maxAgeSeconds: lifetimeMs / 1_000 })
    return verified
  }

  return {
    async register(
      { email, password, company_name, website }: EmailRegistration,
      asking: Asking,
    ): Promise<PendingRegistration> {
      domains.checkWebsite(website)
      const password_hash = await auth.hashNew(password, { email, company_name })
      return registerPending({ email, company_name, website, password_hash }, asking)
    },

    async sendVerification(
      { email, domain, company_name, website }: SendVerification,
      caller: Caller | undefined,
      asking: Asking,
    ) {
      if (caller) return sendToProvider(caller, asking)
      if (email === undefined) throw invalidField('email', 'Email is required')
      const site = website ?? (domain ? `https://${domain}` : undefined)
      if (site !== undefined) domains.checkWebsite(site)
      return registerPending({ email, company_name, website: site }, asking)
    },

    /** With the token of the email's link. */
    async verify({ token, ...proof }: EmailProof, caller: Caller | undefined, asking: Browser): Promise<VerifiedEmail> {
      const found = await findToken(database.read, { hash: hashSecret(token), at: now() })
      if (!found) throw codeInvalid()
      return complete(found, registrantOf(proof, caller, asking))
    },

    /** With the code of the email. */
    async verifyEmail(
      { email, verification_code, ...proof }: VerifyEmail,
      caller: Caller | undefined,
      asking: Browser,
    ) {
      const address = email ?? (caller && (await findProvider(database.read, caller.provider_id, now()))?.email)
      if (!address) throw codeInvalid()
      const registrant = registrantOf(proof, caller, asking)
      const found = await findByCode(mailboxOf(address), verification_code, registrant)
      if (!found) throw codeInvalid()
      return complete(found, registrant)
    },
  }
}

const pendingWith = (confirmation_code: string): PendingRegistration => ({
  needs_verification: true,
  confirmation_code,
  message: sameForAll,
})

const registrantOf = (
  { password, confirmation_code }: Proof,
  caller: Caller | undefined,
  { userAgent, cookies }: Browser,
): Registrant => ({
  password,
  confirmation_code,
  caller,
  userAgent,
  cookies,
})

export type RegistrationService = ReturnType<typeof createRegistrationService>
