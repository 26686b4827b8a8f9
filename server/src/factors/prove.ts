import type { KeyObject } from 'node:crypto'
import { type Act, invalidField, type PasskeyAnswer, Refusal, type Session } from '@countersign/sdk/contract'
import type { Database } from '../db/engine.ts'
import { isPersonProtected } from '../db/factors.ts'
import type { Tx } from '../db/schema.ts'
import { timeOf } from '../db/times.ts'
import type { Caller } from '../http/callers.ts'
import type { Visitor } from '../http/endpoint.ts'
import type { NewId } from '../ids.ts'
import type { MailService } from '../mail/service.ts'
import type { PresenceService } from '../presence/service.ts'
import { codeHash, hashSecret, newSecret } from '../secrets.ts'
import type { SessionService } from '../sessions/service.ts'
import type { Authenticators } from './authenticators.ts'
import { type Challenges, expired, personOf } from './codes.ts'
import type { Passkeys } from './passkeys.ts'
import { challengeMs, dayMs, maxGuesses, recoveryId } from './rules.ts'
import {
  advanceCounter,
  countGuess,
  type FactorRow,
  findAccount,
  findAuthenticator,
  findPasskey,
  forgetGuesses,
  listEffective,
  lockPerson,
  takeRecoveryCode,
} from './store.ts'

interface Deps {
  database: Database
  sessions: Pick<SessionService, 'begin'>
  presence: PresenceService
  passkeys: Passkeys
  authenticators: Authenticators
  challenges: Challenges
  mail: Pick<MailService, 'queue'>
  secret: KeyObject
  publicUrl: string
  now: () => number
  newId: NewId
}

type Browser = Pick<Visitor, 'userAgent' | 'cookies'>
interface Proof {
  passkey?: PasskeyAnswer | undefined
  recovery?: { code: string; act: Act } | undefined
  totp?: { code: string; act: Act } | undefined
}

const cookieName = 'passkey'

const unknownPasskey = () =>
  new Refusal('passkey_rejected', 'This registry does not know the passkey, or it does not count yet.')

const codeInvalid = () => new Refusal('code_invalid', 'This recovery code is wrong, or was used before.')

const tooManyGuesses = () =>
  new Refusal('code_invalid', 'Too many wrong codes today. Use a passkey or a recovery code, or try again tomorrow.')

const appCodeInvalid = () =>
  new Refusal('code_invalid', 'This code is wrong or was used before. Wait for the next one.')

/** Proving presence, and signing in, with a passkey. */
export const createProving = (deps: Deps) => {
  const { database, sessions, presence, passkeys, authenticators, challenges, mail, secret, publicUrl, now, newId } =
    deps
  /** Advances the counter in the transaction that uses the answer, so that an answer counts once. */
  const checkAndUse = async <Result>(
    answer: PasskeyAnswer,
    { challenge, person_id }: { challenge: string; person_id: string | null },
    use: (tx: Tx, factor: FactorRow) => Promise<Result>,
  ): Promise<Result> => {
    const factor = await findPasskey(database.read, answer.credential_id, now())
    if (!factor || (person_id !== null && factor.person_id !== person_id)) throw unknownPasskey()
    const { credential_id, public_key, counter: was, id } = factor
    if (credential_id === null || public_key === null) throw unknownPasskey()
    const counter = await passkeys.checkAnswer(answer, challenge, { credential_id, public_key, counter: was })
    return database.transaction(async (tx) => {
      const at = now()
      if (!(await advanceCounter(tx, { person_id: factor.person_id, id, was, counter, at }))) throw expired()
      return use(tx, factor)
    })
  }

  const proveByPasskey = async (caller: Caller, answer: PasskeyAnswer, { cookies }: Pick<Browser, 'cookies'>) => {
    const { person_id, session_id } = personOf(caller)
    const { data, ...taken } = await challenges.take<{ session_id: string; act: Act }>('prove', answer)
    if (taken.person_id !== person_id || data.session_id !== session_id) throw expired()
    const proven = await checkAndUse(answer, taken, (tx, { id }) =>
      presence.begin(tx, { session_id, person_id, factor_id: id, act: data.act }),
    )
    presence.remember(cookies, proven)
    return { expires_at: timeOf(proven.expires_at) }
  }

  const proveByCode = async (
    caller: Caller,
    { code, act }: { code: string; act: Act },
    { cookies, userAgent, address }: Browser & Pick<Visitor, 'address'>,
  ) => {
    const { person_id, session_id } = personOf(caller)
    if (!(await isPersonProtected(database.read, person_id, now()))) throw codeInvalid()
    const proven = await database.transaction(async (tx) => {
      const person = await lockPerson(tx, person_id)
      if (!person || !(await takeRecoveryCode(tx, { person_id, code_hash: codeHash(secret, code) })))
        throw codeInvalid()
      await mail.queue(tx, {
        to: person.email,
        subject: 'A recovery code of your account was used',
        lines: [
          `It confirmed a change in place of a passkey, from the network address ${address}, with this browser:`,
          { quote: userAgent ?? 'unknown' },
          "If this wasn't you, end the other sessions, change your password and make new recovery codes:",
          { link: `${publicUrl}/dashboard?tab=settings&section=security`, label: 'Open your settings' },
        ],
      })
      return presence.begin(tx, { session_id, person_id, factor_id: recoveryId, act })
    })
    presence.remember(cookies, proven)
    return { expires_at: timeOf(proven.expires_at) }
  }

  /** Guesses are counted before any other work, for all sessions of the person together. */
  const checkGuess = async (person_id: string) => {
    const at = now()
    const day = Math.floor(at / dayMs)
    const hash = hashSecret(`totp ${person_id} ${day}`)
    const counted = await database.transaction((tx) =>
      countGuess(tx, { hash, person_id, max: maxGuesses, at, until: (day + 1) * dayMs }),
    )
    if (!counted) throw tooManyGuesses()
  }

  const proveByApp = async (
    caller: Caller,
    { code, act }: { code: string; act: Act },
    { cookies }: Pick<Browser, 'cookies'>,
  ) => {
    const { person_id, session_id } = personOf(caller)
    await checkGuess(person_id)
    const factor = await findAuthenticator(database.read, person_id, now())
    if (!factor || factor.secret === null) throw appCodeInvalid()
    const { id, counter: was } = factor
    const counter = authenticators.stepOf(factor.secret, person_id, { code, at: now(), last: was })
    if (counter === undefined) throw appCodeInvalid()
    const proven = await database.transaction(async (tx) => {
      if (!(await advanceCounter(tx, { person_id, id, was, counter, at: now() }))) throw appCodeInvalid()
      await forgetGuesses(tx, person_id)
      return presence.begin(tx, { session_id, person_id, factor_id: id, act })
    })
    presence.remember(cookies, proven)
    return { expires_at: timeOf(proven.expires_at) }
  }

  return {
    async beginProof(caller: Caller, act: Act) {
      const { person_id, session_id } = personOf(caller)
      const allowed = await listEffective(database.read, person_id, now())
      const challenge = await database.transaction((tx) =>
        challenges.add(tx, 'prove', { act, person_id, data: { session_id, act } }),
      )
      return { options: passkeys.requestOptions(challenge, allowed) }
    },

    async prove(caller: Caller, { passkey, recovery, totp }: Proof, browser: Browser & Pick<Visitor, 'address'>) {
      if (recovery) return proveByCode(caller, recovery, browser)
      if (totp) return proveByApp(caller, totp, browser)
      if (passkey) return proveByPasskey(caller, passkey, browser)
      throw invalidField('passkey', 'Send the answer of a passkey, a code of the authenticator app, or a recovery code')
    },

    async beginSignIn({ cookies }: Pick<Browser, 'cookies'>) {
      const cookie = newSecret()
      const challenge = await database.transaction((tx) =>
        challenges.add(tx, 'passkey_sign_in', { cookie_hash: hashSecret(cookie) }),
      )
      cookies.set(cookieName, cookie, { maxAgeSeconds: challengeMs / 1_000, sameSite: 'strict' })
      return { options: passkeys.requestOptions(challenge) }
    },

    /** Only in the browser that began: it cannot sign someone in to another person’s account. */
    async signIn(answer: PasskeyAnswer, { userAgent, cookies }: Browser): Promise<Session> {
      const taken = await challenges.take('passkey_sign_in', answer)
      if (taken.cookie_hash !== hashSecret(cookies.read(cookieName) ?? '')) throw expired()
      const { session, proven } = await checkAndUse(answer, taken, async (tx, { id, person_id }) => {
        const account = await findAccount(tx, person_id)
        if (!account) throw unknownPasskey()
        const session_id = newId('ses')
        const { provider_id } = account
        const session = await sessions.begin(tx, { person_id, provider_id, userAgent, id: session_id })
        return { session, proven: await presence.begin(tx, { session_id, person_id, factor_id: id, act: null }) }
      })
      cookies.clear(cookieName)
      presence.remember(cookies, proven)
      return session
    },
  }
}
