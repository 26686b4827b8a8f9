import type { KeyObject } from 'node:crypto'
import { mailboxOf, notFound, Refusal } from '@countersign/sdk/contract'
import type { AuthService } from '../auth/service.ts'
import type { Database } from '../db/engine.ts'
import { isAnywhereProtected } from '../db/factors.ts'
import { findPersonAt } from '../db/people.ts'
import type { Tx } from '../db/schema.ts'
import type { DelayService } from '../delays/service.ts'
import type { EventRecorder } from '../events/service.ts'
import type { Caller } from '../http/callers.ts'
import type { MailService } from '../mail/service.ts'
import { codeHash, hashSecret, newCode, newSecret } from '../secrets.ts'
import type { SessionService } from '../sessions/service.ts'
import {
  findPerson,
  forgetChange,
  forgetResets,
  forgetWaysIn,
  listProvidersOf,
  moveMailbox,
  putToken,
  takeWayBack,
  tryCode,
} from './store.ts'

interface Deps {
  database: Database
  events: EventRecorder
  mail: Pick<MailService, 'queue'>
  auth: Pick<AuthService, 'checkIsOwner' | 'beginSetup'>
  sessions: Pick<SessionService, 'endAll'>
  delays: Pick<DelayService, 'endRecoveries'>
  /** Keys the hashes of emailed codes. */
  secret: KeyObject
  publicUrl: string
  now: () => number
}

const codeMs = 3_600_000
const wayBackMs = 72 * 3_600_000
const maxTries = 5
const cap = { name: 'new-mailbox', perHour: 3 }

const sameForAll = 'If the address can be used, a code is on its way to it.'
const codeInvalid = () => new Refusal('code_invalid', 'This code is wrong or no longer valid. Request a new email.')
const linkInvalid = () => new Refusal('code_invalid', 'This link is no longer valid.')
const taken = () => new Refusal('email_taken', 'Someone else has verified this address.')

/** The address of a person: the new one confirms a change, the old one can take it back. */
export const createMailboxService = ({
  database,
  events,
  mail,
  auth,
  sessions,
  delays,
  secret,
  publicUrl,
  now,
}: Deps) => {
  const personOf = async ({ person_id }: Caller) => {
    if (person_id === null) throw new Refusal('forbidden', 'This requires a session: sign in on the web.')
    const person = await findPerson(database.read, person_id)
    if (!person) throw notFound()
    return person
  }

  const record = async (tx: Tx, of: { person_id: string; actor: string; before: string; after: string }) => {
    for (const provider_id of await listProvidersOf(tx, of.person_id))
      await events.record(tx, {
        provider_id,
        actor: of.actor,
        action: 'member.email_changed',
        subject: ['person', of.person_id],
        before: { email: of.before },
        after: { email: of.after },
      })
  }

  return {
    /** The answer is the same for an address that has an account; its owner gets an email. */
    async change(
      caller: Caller,
      { email, current_password }: { email: string; current_password?: string | undefined },
    ) {
      const person = await personOf(caller)
      // Then presence was proven for this call.
      const isProven = await isAnywhereProtected(database.read, person.id, now())
      await auth.checkIsOwner({ person_id: person.id, session_id: caller.session_id }, current_password)
      const other = await findPersonAt(database.read, mailboxOf(email))
      const [code, at] = [newCode(), now()]
      await database.transaction(async (tx) => {
        await putToken(tx, {
          purpose: 'new_mailbox',
          hash: hashSecret(newSecret()),
          code_hash: codeHash(secret, code),
          person_id: person.id,
          data: { email, isProven },
          created_at: at,
          expires_at: at + codeMs,
        })
        const isOthers = other !== undefined && other.id !== person.id
        await mail.queue(tx, {
          to: email,
          cap,
          subject: isOthers ? 'You already have an account' : 'Confirm your new address',
          lines: isOthers
            ? ['Someone, probably you, wanted to use this address for another account. Nothing was changed.']
            : [
                'Enter this code where you changed your address. It works for one hour:',
                { code },
                'If this wasn’t you, ignore this email: nothing changes.',
              ],
        })
      })
      return { message: sameForAll }
    },

    async confirm(caller: Caller, { code }: { code: string }) {
      const person = await personOf(caller)
      const at = now()
      const tried = await database.transaction((tx) => tryCode(tx, { person_id: person.id, max: maxTries, at }))
      if (!tried || tried.code_hash !== codeHash(secret, code)) throw codeInvalid()
      // Asked for before the person or one of their companies was protected.
      if (!tried.isProven && (await isAnywhereProtected(database.read, person.id, at))) throw codeInvalid()
      const { email } = tried
      const wayBack = newSecret()
      return database.transaction(async (tx) => {
        const other = await findPersonAt(tx, mailboxOf(email))
        if (other && other.id !== person.id) throw taken()
        await forgetChange(tx, person.id)
        await forgetResets(tx, person.id)
        // Begun by a reader of the old mailbox.
        await delays.endRecoveries(tx, person.id)
        await moveMailbox(tx, { id: person.id, email, email_norm: mailboxOf(email), at })
        await putToken(tx, {
          purpose: 'old_mailbox',
          hash: hashSecret(wayBack),
          person_id: person.id,
          data: { email: person.email },
          created_at: at,
          expires_at: at + wayBackMs,
        })
        await record(tx, { person_id: person.id, actor: caller.actor, before: person.email, after: email })
        await mail.queue(tx, {
          to: person.email,
          subject: 'Your address was changed',
          lines: [
            'You now sign in with this address:',
            { mailbox: email },
            'If this wasn’t you, take the change back within 72 hours. All sessions end, and you choose a new password:',
            { link: `${publicUrl}/restore-address?token=${wayBack}`, label: 'Take it back' },
          ],
        })
        return { email }
      })
    },

    /** For the reader of the old mailbox. Everything that could let a thief in again ends. */
    async restore({ token }: { token: string }) {
      const cookie = newSecret()
      return database.transaction(async (tx) => {
        const at = now()
        const found = await takeWayBack(tx, { hash: hashSecret(token), at })
        const person = found && (await findPerson(tx, found.person_id))
        if (!found || !person) throw linkInvalid()
        const other = await findPersonAt(tx, mailboxOf(found.email))
        if (other && other.id !== person.id) throw taken()
        await moveMailbox(tx, { id: person.id, email: found.email, email_norm: mailboxOf(found.email), at })
        await forgetWaysIn(tx, { person_id: person.id, since: found.changed_at })
        await delays.endRecoveries(tx, person.id)
        await sessions.endAll(tx, person.id)
        await record(tx, { person_id: person.id, actor: 'visitor', before: person.email, after: found.email })
        const setup_token = await auth.beginSetup(tx, { person_id: person.id, cookie })
        return { message: 'Your address was restored', setup_token }
      })
    },
  }
}

export type MailboxService = ReturnType<typeof createMailboxService>
