import type { KeyObject } from 'node:crypto'
import { mailboxOf, type Recovery } from '@countersign/sdk/contract'
import type { Database } from '../db/engine.ts'
import { isPersonProtected } from '../db/factors.ts'
import { lockProvider } from '../db/lock.ts'
import { findPersonAt, listOwnerMailboxes } from '../db/people.ts'
import type { Tx } from '../db/schema.ts'
import { timeOf } from '../db/times.ts'
import type { DelayService, PerformDelayed } from '../delays/service.ts'
import type { EventRecorder } from '../events/service.ts'
import type { Caller } from '../http/callers.ts'
import type { Visitor } from '../http/endpoint.ts'
import type { MailService } from '../mail/service.ts'
import type { ResolveTxt } from '../outbound/dns.ts'
import { codeHash, hashSecret, newSecret } from '../secrets.ts'
import type { SessionService } from '../sessions/service.ts'
import {
  codeInvalid,
  isPublished,
  linkInvalid,
  linkMs,
  maxTries,
  ownersOnly,
  personOnly,
  recordOf,
  reminderMs,
  waitMs,
} from './rules.ts'
import {
  endWaiting,
  findPerson,
  findSubject,
  findToken,
  insertToken,
  listCompanies,
  listProvidersOf,
  listToRemind,
  listWaiting,
  lockPerson,
  markApproved,
  removeFactors,
  takeRecoveryCode,
  takeReminder,
  takeTry,
  type Via,
} from './store.ts'

interface Deps {
  database: Database
  events: EventRecorder
  mail: Pick<MailService, 'queue'>
  delays: Pick<DelayService, 'schedule' | 'cancelOne' | 'remind'>
  sessions: Pick<SessionService, 'endAll'>
  resolveTxt: ResolveTxt
  /** Keys the hashes of recovery codes. */
  secret: KeyObject
  publicUrl: string
  now: () => number
}

type Browser = Pick<Visitor, 'address' | 'userAgent'>
type Waiting = Awaited<ReturnType<typeof listWaiting>>

const cap = { name: 'recovery', perHour: 3 }
const batch = 100
const viaOf = ({ body }: { body: string | null }) => (JSON.parse(body ?? '{}') as { via?: Via }).via

/** For people who lost their passkeys and recovery codes. */
export const createRecoveryService = (deps: Deps) => {
  const { database, events, mail, delays, sessions, resolveTxt, secret, publicUrl, now } = deps

  const remove = async (tx: Tx, person_id: string): Promise<void> => {
    const person = await findPerson(tx, person_id)
    const removed = await removeFactors(tx, person_id)
    if (!person || removed.length === 0) return
    await sessions.endAll(tx, person_id)
    for (const provider_id of await listProvidersOf(tx, person_id)) {
      for (const { kind, name } of removed)
        await events.record(tx, {
          provider_id,
          actor: 'registry',
          action: 'factor.removed',
          subject: ['person', person_id],
          after: { kind, name },
        })
      for (const owner of await listOwnerMailboxes(tx, provider_id))
        if (owner.id !== person_id)
          await mail.queue(tx, {
            to: owner.email,
            subject: 'The passkeys of a member were removed',
            lines: [
              'This person recovered their account. If that is wrong, remove them from your company:',
              { mailbox: person.email },
              { link: `${publicUrl}/dashboard?tab=settings&section=members`, label: 'See the members' },
            ],
          })
    }
    await mail.queue(tx, {
      to: person.email,
      subject: 'Your passkeys were removed',
      lines: [
        'As you asked, your passkeys and recovery codes were removed and your sessions ended. Sign in with your password, or choose a new one, and add a passkey:',
        { link: `${publicUrl}/login`, label: 'Sign in' },
      ],
    })
  }

  /** With the mailbox alone it takes effect by itself; otherwise each company must confirm it before. */
  const finish: PerformDelayed = async (tx, { provider_id, params: { person_id = '' }, body: { via } }) => {
    // A company that the person has left has no say.
    const isMember = (await listProvidersOf(tx, person_id)).includes(provider_id)
    if (via !== 'mailbox' || !isMember) return false
    await remove(tx, person_id)
    return true
  }

  /** Confirms it in one company. It takes effect with the last one. */
  const confirm = async (
    tx: Tx,
    { provider_id, id, person_id, by, actor }: Record<'provider_id' | 'id' | 'person_id' | 'by' | 'actor', string>,
  ) => {
    const at = now()
    await lockPerson(tx, person_id)
    if (!(await markApproved(tx, { provider_id, id, at, by }))) return false
    await events.record(tx, {
      provider_id,
      actor,
      action: 'change.approved',
      subject: ['change', id],
      after: { endpoint: 'factors.recover' },
    })
    const companies = await listCompanies(tx, { person_id, at })
    if (companies.every(({ state }) => state === 'confirmed')) await remove(tx, person_id)
    return true
  }

  const ask = async (person_id: string, provider_ids: readonly string[], via: Via, visitor: Browser) => {
    const person = await findPerson(database.read, person_id)
    if (!person) throw linkInvalid()
    for (const provider_id of provider_ids)
      await database.transaction(async (tx) => {
        await lockProvider(database, tx, provider_id)
        await delays.schedule(
          tx,
          {
            provider_id,
            endpoint: 'factors.recover',
            params: { person_id },
            body: { via },
            what: { mailbox: person.email },
            waitMs,
            lapses: via === 'session',
            alsoTo: { id: person_id, email: person.email },
          },
          { caller: { actor: 'visitor', person_id, key_id: null }, visitor },
        )
      })
  }

  /** The mailbox and a recovery code are two factors, so together they are enough. */
  const recoverByCode = async (of: { person_id: string; via: Via; token: string; code: string }): Promise<Recovery> => {
    const { person_id, via, token, code } = of
    const mayTry = await database.transaction((tx) => takeTry(tx, { hash: hashSecret(token), max: maxTries }))
    if (via !== 'mailbox' || !mayTry) throw codeInvalid()
    await database.transaction(async (tx) => {
      await lockPerson(tx, person_id)
      await endWaiting(tx, { person_id, at: now() })
      if (!(await takeRecoveryCode(tx, { person_id, code_hash: codeHash(secret, code) }))) throw codeInvalid()
      await remove(tx, person_id)
    })
    return { state: 'done', takes_effect_at: null, companies: [] }
  }

  const confirmByRecords = async (person_id: string, waiting: Waiting) => {
    for (const { provider_id, id, domain, proven_at } of waiting) {
      if (domain === null || proven_at === null) continue
      const { record_name, record_value } = recordOf({ domain, id })
      if (!isPublished(await resolveTxt(record_name), record_value)) continue
      await database.transaction(async (tx) => {
        await lockProvider(database, tx, provider_id)
        await confirm(tx, { provider_id, id, person_id, by: person_id, actor: 'visitor' })
      })
    }
  }

  return {
    finish,

    /** The same answer and work for every address. A session of the person gets the link’s token at once. */
    async begin(caller: Caller | undefined, email: string) {
      const found = await findPersonAt(database.read, mailboxOf(email))
      const at = now()
      const isProtected = await isPersonProtected(database.read, found?.id ?? '', at)
      const session_id = caller?.isDevice === false ? caller.session_id : null
      const isOwn = found !== undefined && session_id !== null && caller?.person_id === found.id
      const token = newSecret()
      const via = isOwn ? 'session' : 'mailbox'
      await database.transaction(async (tx) => {
        await insertToken(tx, {
          hash: hashSecret(token),
          person_id: isProtected ? (found?.id ?? null) : null,
          via,
          session_id,
          created_at: at,
          expires_at: at + linkMs,
        })
        if (isOwn) return
        await mail.queue(tx, {
          to: email,
          isHeldBack: !found,
          cap,
          subject: isProtected ? 'Recover your account' : 'Your account has no passkey',
          lines: isProtected
            ? [
                'Someone, probably you, lost the passkeys and recovery codes of this account. This link shows how to remove them. Nothing happens until you open it and confirm:',
                { link: `${publicUrl}/recover?token=${token}`, label: 'Recover the account' },
                "If this wasn't you, ignore this email.",
              ]
            : [
                'Someone, probably you, asked to recover this account. It has no passkey: sign in with the password, or choose a new one.',
                { link: `${publicUrl}/login`, label: 'Sign in' },
              ],
        })
      })
      return {
        message: 'If an account has this address, an email is on its way.',
        token: isOwn && isProtected ? token : null,
      }
    },

    /** Starts it, or looks at the DNS records again. */
    async recover(
      { token, recovery_code }: { token: string; recovery_code?: string | undefined },
      visitor: Browser,
    ): Promise<Recovery> {
      const found = await findToken(database.read, { hash: hashSecret(token), at: now() })
      if (!found) throw linkInvalid()
      const { person_id, via } = found
      if (recovery_code !== undefined) return recoverByCode({ person_id, via, token, code: recovery_code })
      const [known] = await listWaiting(database.read, { person_id, at: now() })
      const isMore = known !== undefined && via === 'mailbox' && viaOf(known) === 'session'
      const companies = await listCompanies(database.read, { person_id, at: now() })
      // The person may have joined a company since. What a company confirmed stays confirmed.
      const asked = companies.filter(({ state }) => !known || state === 'unasked' || (isMore && state === 'waiting'))
      const provider_ids = asked.map(({ provider_id }) => provider_id)
      await ask(person_id, provider_ids, (known && !isMore && viaOf(known)) || via, visitor)
      await confirmByRecords(person_id, await listWaiting(database.read, { person_id, at: now() }))
      const left = await listWaiting(database.read, { person_id, at: now() })
      const isDone = !(await isPersonProtected(database.read, person_id, now()))
      const [first] = left
      return {
        state: isDone ? 'done' : 'waiting',
        takes_effect_at: first && viaOf(first) === 'mailbox' ? timeOf(first.expires_at) : null,
        companies: left.map(({ domain, proven_at, id }) => ({
          domain: proven_at === null ? null : domain,
          ...(domain === null || proven_at === null
            ? { record_name: null, record_value: null }
            : recordOf({ domain, id })),
        })),
      }
    },

    /** By the person, from any session. */
    async cancel({ person_id, actor }: Caller) {
      if (person_id === null) throw personOnly()
      const waiting = await listWaiting(database.read, { person_id, at: now() })
      for (const { provider_id, id } of waiting) await delays.cancelOne({ provider_id, id, actor, by: person_id })
      return { message: 'Nothing has changed: your passkeys stay.' }
    },

    /** By another owner, with presence. Undefined if the change is not a recovery. */
    async approve(caller: Caller, id: string) {
      const { provider_id, actor, person_id: by } = caller
      const person_id = await findSubject(database.read, { provider_id, id, at: now() })
      if (person_id === undefined) return undefined
      if (by === null || by === person_id || caller.role !== 'owner') throw ownersOnly()
      const isConfirmed = await database.transaction(async (tx) => {
        await lockProvider(database, tx, provider_id)
        return confirm(tx, { provider_id, id, person_id, by, actor })
      })
      return isConfirmed ? { result: null } : undefined
    },

    /** Whether a recovery of a person waits, and when it takes effect by itself. */
    async stateOf(person_id: string) {
      const [first] = await listWaiting(database.read, { person_id, at: now() })
      return {
        recovery_waits: first !== undefined,
        recovery_at: first && viaOf(first) === 'mailbox' ? timeOf(first.expires_at) : null,
      }
    },

    /** The job that emails everyone again before it takes effect. */
    async remind(signal: AbortSignal) {
      const at = now()
      for (const row of await listToRemind(database.read, { at, before: at + reminderMs, limit: batch })) {
        if (signal.aborted) return
        if (viaOf(row) !== 'mailbox') continue
        const { person_id } = JSON.parse(row.params) as { person_id: string }
        await database.transaction(async (tx) => {
          const person = await findPerson(tx, person_id)
          if (!person || !(await takeReminder(tx, row))) return
          await delays.remind(tx, { ...row, what: { mailbox: person.email }, alsoTo: person })
        })
      }
    },
  }
}

export type RecoveryService = ReturnType<typeof createRecoveryService>
