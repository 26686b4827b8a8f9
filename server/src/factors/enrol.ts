import {
  type Factor,
  invalidField,
  maxFactors,
  type NewFactor,
  type NewPasskey,
  notFound,
  Refusal,
} from '@countersign/sdk/contract'
import { isPersonProtected, isProtected } from '../db/factors.ts'
import { listOwnerMailboxes } from '../db/people.ts'
import type { Tx } from '../db/schema.ts'
import type { Caller } from '../http/callers.ts'
import type { Visitor } from '../http/endpoint.ts'
import type { Presenting } from '../presence/service.ts'
import { codeHash, hashSecret, newCode, newSecret } from '../secrets.ts'
import { type Challenges, expired, factorOf, nameOfKind, type Person, personOf } from './codes.ts'
import { codeMs, effectiveAt, isFresh, maxTries } from './rules.ts'
import type { Deps } from './service.ts'
import {
  countRecoveryCodes,
  type FactorRow,
  findPerson,
  findSessionStart,
  forgetCodes,
  insertFactor,
  insertToken,
  listFactors,
  listMemberships,
  lockPerson,
  takeChallenge,
  tryCode,
  tryToken,
} from './store.ts'

type Browser = Pick<Visitor, 'userAgent' | 'address'>

interface NewFactorInput {
  name: string
  passkey?: NewPasskey | undefined
  totp?: { token: string; code: string } | undefined
}

/** What the browser or the app answered, and whether adding it began without presence. */
type Answered = { isFirst: boolean } & Pick<
  FactorRow,
  'kind' | 'credential_id' | 'public_key' | 'transports' | 'secret' | 'counter'
>

interface Begun {
  session_id: string
  isFirst: boolean
}

type Needed =
  | 'database'
  | 'presence'
  | 'passkeys'
  | 'authenticators'
  | 'secret'
  | 'mail'
  | 'publicUrl'
  | 'now'
  | 'newId'

interface EnrolmentDeps extends Pick<Deps, Needed> {
  challenges: Challenges
  record: (
    tx: Tx,
    person: Person,
    action: 'factor.added' | 'factor.removed',
    factor: Pick<FactorRow, 'kind' | 'name'>,
  ) => Promise<void>
  email: (
    tx: Tx,
    to: string,
    words: { subject: string; lines: readonly string[]; name: string },
    browser: Browser,
  ) => Promise<void>
  makeCodes: (tx: Tx, person_id: string, at?: number) => Promise<string[]>
  settings: { link: string; label: string }
}

/** The recipient has an account: the cap protects it from a stolen session. */
const cap = { name: 'factor', perHour: 5 }

const appCodeInvalid = () =>
  new Refusal(
    'code_invalid',
    'This code is wrong, or adding the app took too long. After five wrong codes, begin again.',
  )

/** Adding a passkey or an authenticator app. */
export const createEnrolment = (deps: EnrolmentDeps) => {
  const { database, presence, passkeys, authenticators, secret, mail, publicUrl, now, newId } = deps
  const { challenges, record, email, makeCodes, settings } = deps

  const checkFresh = async ({ person_id, session_id }: Person) => {
    const began = await findSessionStart(database.read, { person_id, id: session_id })
    if (began && isFresh({ began_at: began.created_at, at: now() })) return
    throw new Refusal('sign_in_again', 'Sign out and in again, then add it within 15 minutes.')
  }

  const checkCode = async (person_id: string, code: string | undefined) => {
    const tried =
      code !== undefined && (await database.transaction((tx) => tryCode(tx, { person_id, max: maxTries, at: now() })))
    if (code === undefined || !tried || tried.code_hash !== codeHash(secret, code))
      throw new Refusal('code_invalid', 'This code is wrong or no longer valid. Request a new email.')
  }

  /** A first factor needs a fresh sign-in and the mailbox; others need the first. */
  const checkMayAdd = async (person: Person, code: string | undefined, isFirst: boolean, presenting: Presenting) => {
    if (!isFirst) {
      await presence.require(presenting)
      return
    }
    await checkFresh(person)
    await checkCode(person.person_id, code)
  }

  /** The secret waits, encrypted, until the app shows a code. */
  const beginApp = async (person: { id: string; email: string }, begun: Begun) => {
    const { sealed, ...shown } = authenticators.begin(person)
    const [token, at] = [newSecret(), now()]
    await database.transaction((tx) =>
      insertToken(tx, {
        purpose: 'add_totp',
        hash: hashSecret(token),
        person_id: person.id,
        data: { ...begun, sealed },
        created_at: at,
        expires_at: at + codeMs,
      }),
    )
    return { token, ...shown }
  }

  type Own = Pick<Person, 'person_id' | 'session_id'>

  const readPasskey = async (passkey: NewPasskey | undefined, { person_id, session_id }: Own): Promise<Answered> => {
    if (!passkey) throw invalidField('passkey', 'Send the answer of a passkey, or a code of an authenticator app')
    const taken = await challenges.take<Begun>('add_factor', passkey)
    if (taken.person_id !== person_id || taken.data.session_id !== session_id) throw expired()
    const checked = await passkeys.checkNew(passkey, taken.challenge)
    const transports = JSON.stringify(passkey.transports)
    return { kind: 'passkey', ...checked, transports, secret: null, isFirst: taken.data.isFirst }
  }

  const readApp = async ({ token, code }: { token: string; code: string }, own: Own): Promise<Answered> => {
    const of = { purpose: 'add_totp', hash: hashSecret(token), at: now() } as const
    const begun = await database.transaction((tx) => tryToken<Begun & { sealed: string }>(tx, { ...of, max: maxTries }))
    if (begun?.person_id !== own.person_id || begun.data.session_id !== own.session_id) throw appCodeInvalid()
    const { sealed, isFirst } = begun.data
    const counter = authenticators.stepOf(sealed, own.person_id, { code, at: now(), last: 0 })
    if (counter === undefined || !(await database.transaction((tx) => takeChallenge(tx, of)))) throw appCodeInvalid()
    return { kind: 'totp', credential_id: null, public_key: null, transports: null, secret: sealed, counter, isFirst }
  }

  /** A session and the mailbox were enough: other owners may know that it was not this person. */
  const emailOwners = async (
    tx: Tx,
    person: { id: string; email: string },
    { kind, effective_at, created_at }: Pick<FactorRow, 'kind' | 'effective_at' | 'created_at'>,
    { address, userAgent }: Browser,
  ) => {
    for (const { provider_id } of await listMemberships(tx, person.id)) {
      if (!(await isProtected(tx, provider_id, created_at))) continue
      for (const owner of await listOwnerMailboxes(tx, provider_id))
        if (owner.id !== person.id)
          await mail.queue(tx, {
            to: owner.email,
            subject: `A member added ${kind === 'passkey' ? 'a passkey' : 'an authenticator app'}`,
            lines: [
              'This member of your company added their first one, confirmed with a code from their mailbox:',
              { mailbox: person.email },
              effective_at > created_at
                ? 'In 24 hours they can confirm what their role allows. It was added from the network address'
                : 'Now they can confirm what their role allows. It was added from the network address',
              { code: address },
              'with this browser:',
              { quote: userAgent ?? 'unknown' },
              'Ask them. If it was not them, remove them from your company:',
              { link: `${publicUrl}/dashboard?tab=settings&section=members`, label: 'See the members' },
            ],
          })
    }
  }

  return {
    async sendCode(caller: Caller) {
      const person = personOf(caller)
      await checkFresh(person)
      const { person_id } = person
      await database.transaction(async (tx) => {
        const found = await lockPerson(tx, person_id)
        if (!found) throw notFound()
        const [code, at] = [newCode(), now()]
        await forgetCodes(tx, person_id)
        await insertToken(tx, {
          purpose: 'factor_code',
          hash: hashSecret(newSecret()),
          person_id,
          code_hash: codeHash(secret, code),
          created_at: at,
          expires_at: at + codeMs,
        })
        await mail.queue(tx, {
          to: found.email,
          cap,
          subject: 'Your code to protect your account',
          lines: [
            'Enter this code where you add a passkey or an authenticator. It works for 15 minutes:',
            { code },
            "If this wasn't you, someone is signed in to your account. End that session and change your password:",
            settings,
          ],
        })
      })
      return { message: 'A code is on its way to your mailbox.' }
    },

    async begin(
      caller: Caller,
      { code, kind }: { code?: string | undefined; kind: Factor['kind'] },
      presenting: Omit<Presenting, 'caller'>,
    ) {
      const person = personOf(caller)
      const { person_id, session_id } = person
      const isFirst = !(await isPersonProtected(database.read, person_id, now()))
      await checkMayAdd(person, code, isFirst, { caller, ...presenting })
      const [found, rows] = await Promise.all([
        findPerson(database.read, person_id),
        listFactors(database.read, person_id, now()),
      ])
      if (!found) throw notFound()
      if (kind === 'totp') return { options: {}, totp: await beginApp(found, { session_id, isFirst }) }
      const challenge = await database.transaction((tx) =>
        challenges.add(tx, 'add_factor', { person_id, data: { session_id, isFirst } }),
      )
      return { options: passkeys.creationOptions(challenge, found, rows), totp: null }
    },

    async add(caller: Caller, { name, passkey, totp }: NewFactorInput, browser: Browser): Promise<NewFactor> {
      const person = personOf(caller)
      const { person_id, session_id } = person
      const { isFirst: wasFirst, ...answered } = totp
        ? await readApp(totp, { person_id, session_id })
        : await readPasskey(passkey, { person_id, session_id })
      return database.transaction(async (tx) => {
        const found = await lockPerson(tx, person_id)
        if (!found) throw notFound()
        const at = now()
        const existing = await listFactors(tx, person_id, at)
        if (existing.length >= maxFactors)
          throw invalidField(totp ? 'totp' : 'passkey', `At most ${maxFactors} can be added. Remove one.`)
        if (totp && existing.some(({ kind }) => kind === 'totp'))
          throw invalidField('totp', 'You have an authenticator app already. Remove it first.')
        const isAlone = !(await isPersonProtected(tx, person_id, at))
        // Begun without presence, it counts as a first one, even if another became effective meanwhile.
        const isFirst = wasFirst || isAlone
        const row: FactorRow = {
          person_id,
          id: newId('fac'),
          name,
          ...answered,
          created_at: at,
          effective_at: effectiveAt({ isFirst, isAlone, personSince: found.created_at, at }),
          removes_at: null,
          last_used_at: null,
        }
        if (isFirst) await emailOwners(tx, found, row, browser)
        await insertFactor(tx, row)
        await forgetCodes(tx, person_id)
        await record(tx, person, 'factor.added', row)
        const waits = row.effective_at > at
        await email(
          tx,
          found.email,
          {
            subject: `${nameOfKind[row.kind]} was added to your account`,
            name,
            lines: [
              waits
                ? 'This one was added to your account. It counts in 24 hours:'
                : 'This one was added to your account:',
              waits
                ? "If this wasn't you, remove it before then, from any browser in which you are signed in, and change your password:"
                : "If this wasn't you, remove it, end the other sessions and change your password:",
            ],
          },
          browser,
        )
        // The person keeps the codes that came with a factor that is not effective yet.
        const hasCodes = existing.length > 0 && (await countRecoveryCodes(tx, person_id)) > 0
        return { ...factorOf(row), recovery_codes: isFirst && !hasCodes ? await makeCodes(tx, person_id, at) : null }
      })
    },
  }
}
