import type { KeyObject } from 'node:crypto'
import { type Factor, notFound } from '@countersign/sdk/contract'
import type { Database } from '../db/engine.ts'
import { isPersonProtected } from '../db/factors.ts'
import type { Tx } from '../db/schema.ts'
import type { DelayService, PerformDelayed } from '../delays/service.ts'
import type { EventRecorder } from '../events/service.ts'
import type { Caller } from '../http/callers.ts'
import type { Visitor } from '../http/endpoint.ts'
import type { NewId } from '../ids.ts'
import type { MailService } from '../mail/service.ts'
import type { PresenceService, Presenting } from '../presence/service.ts'
import { codeHash, newCode } from '../secrets.ts'
import type { SessionService } from '../sessions/service.ts'
import type { Authenticators } from './authenticators.ts'
import { createChallenges, factorOf, nameOfKind, type Person, personOf } from './codes.ts'
import { createEnrolment } from './enrol.ts'
import type { Passkeys } from './passkeys.ts'
import { createProving } from './prove.ts'
import { dayMs, isKept, recoveryCodes, removalRefusal } from './rules.ts'
import {
  countRecoveryCodes,
  deleteCodesMadeAt,
  deleteFactor,
  type FactorRow,
  findFactor,
  listFactors,
  listMemberships,
  lockPerson,
  putRecoveryCodes,
  setName,
  setRemoval,
} from './store.ts'

export interface Deps {
  database: Database
  events: EventRecorder
  mail: Pick<MailService, 'queue'>
  sessions: Pick<SessionService, 'begin'>
  presence: PresenceService
  delays: Pick<DelayService, 'schedule'>
  passkeys: Passkeys
  authenticators: Authenticators
  /** Keys the hashes of emailed codes. */
  secret: KeyObject
  publicUrl: string
  now: () => number
  newId: NewId
}

type Browser = Pick<Visitor, 'userAgent' | 'address'>

/** Passkeys and authenticators of people: to sign in, and to prove that they are there. */
export const createFactorService = (deps: Deps) => {
  const {
    database,
    events,
    mail,
    sessions,
    presence,
    delays,
    passkeys,
    authenticators,
    secret,
    publicUrl,
    now,
    newId,
  } = deps
  const challenges = createChallenges({ database, now })
  const proving = createProving({
    database,
    sessions,
    presence,
    passkeys,
    authenticators,
    challenges,
    mail,
    secret,
    publicUrl,
    now,
    newId,
  })
  const settings = { link: `${publicUrl}/dashboard?tab=settings&section=security`, label: 'Open your settings' }

  /** Records an event in the trail of every company of the person. */
  const record = async (
    tx: Tx,
    { person_id, caller }: Person,
    action: 'factor.added' | 'factor.removed',
    { kind, name }: Pick<FactorRow, 'kind' | 'name'>,
  ) => {
    for (const { provider_id } of await listMemberships(tx, person_id))
      await events.record(tx, {
        provider_id,
        actor: caller.actor,
        action,
        subject: ['person', person_id],
        after: { kind, name },
      })
  }

  /** Sent regardless of the notification settings. */
  const email = (
    tx: Tx,
    to: string,
    { subject, lines, name }: { subject: string; lines: readonly string[]; name: string },
    { userAgent, address }: Browser,
  ) =>
    mail.queue(tx, {
      to,
      subject,
      lines: [
        lines[0] ?? '',
        { quote: name },
        `It was done from the network address ${address}, with this browser:`,
        { quote: userAgent ?? 'unknown' },
        ...lines.slice(1),
        settings,
      ],
    })

  const makeCodes = async (tx: Tx, person_id: string, at = now()) => {
    const codes = Array.from({ length: recoveryCodes }, newCode)
    await putRecoveryCodes(tx, { person_id, hashes: codes.map((code) => codeHash(secret, code)), at })
    return codes
  }

  /** Carries out a delayed `remove`, 24 hours later. With several companies, the first that comes removes it. */
  const finishRemoval: PerformDelayed = async (tx, { params: { person_id = '', id = '' } }) => {
    const found = await findFactor(tx, { person_id, id })
    if (!found || found.removes_at === null || found.removes_at > now()) return true
    await deleteFactor(tx, { person_id, id })
    await presence.forget(tx, { person_id, factor_id: id })
    return true
  }

  return {
    async list(caller: Caller) {
      const { person_id } = personOf(caller)
      const at = now()
      const rows = await listFactors(database.read, person_id, at)
      return {
        factors: rows.map(factorOf),
        is_protected: await isPersonProtected(database.read, person_id, at),
        recovery_codes_left: await countRecoveryCodes(database.read, person_id),
      }
    },

    ...createEnrolment({ ...deps, challenges, record, email, makeCodes, settings }),

    async rename(
      caller: Caller,
      { id, name }: { id: string; name: string },
      presenting: Omit<Presenting, 'caller'>,
    ): Promise<Factor> {
      const { person_id } = personOf(caller)
      if (await isPersonProtected(database.read, person_id, now())) await presence.require({ caller, ...presenting })
      return database.transaction(async (tx) => {
        await lockPerson(tx, person_id)
        const found = await findFactor(tx, { person_id, id })
        if (!found) throw notFound()
        await setName(tx, { person_id, id, name })
        return factorOf({ ...found, name })
      })
    },

    /** A factor that does not count yet can be removed from any session of its person. */
    async remove(
      caller: Caller,
      id: string,
      { userAgent, address, ...presenting }: Omit<Presenting, 'caller'> & Browser,
    ): Promise<Factor> {
      const person = personOf(caller)
      const { person_id } = person
      const of = { person_id, id }
      const seen = await findFactor(database.read, of)
      if (!seen) throw notFound()
      const isPending = seen.effective_at > now()
      const proof = isPending ? undefined : await presence.require({ caller, ...presenting })
      return database.transaction(async (tx) => {
        const found = await lockPerson(tx, person_id)
        const at = now()
        const factors = await listFactors(tx, person_id, at)
        const target = factors.find((each) => each.id === id)
        if (!found || !target) throw notFound()
        const by = factors.find((each) => each.id === proof?.factor_id)
        const refusal = by && removalRefusal({ target: id, proof: by, at })
        if (refusal) throw refusal
        const others = factors.filter((each) => isKept(each, { target, at }))
        const owned = (await listMemberships(tx, person_id)).filter(({ role }) => role === 'owner')
        const waits = !isPending && others.length === 0 && owned.length > 0
        const removed = { ...target, removes_at: waits ? (target.removes_at ?? at + dayMs) : null }
        if (waits) {
          await setRemoval(tx, { ...of, removes_at: removed.removes_at })
          for (const { provider_id } of owned)
            await delays.schedule(
              tx,
              { provider_id, endpoint: 'factors.remove', params: { id, person_id }, what: { quote: target.name } },
              { caller, visitor: { userAgent, address } },
            )
        } else {
          // The person who added it was shown the recovery codes that came with it. Those of another factor stay.
          if (isPending) await deleteCodesMadeAt(tx, { person_id, at: target.created_at })
          await deleteFactor(tx, of)
          await presence.forget(tx, { person_id, factor_id: id })
        }
        await record(tx, person, 'factor.removed', target)
        // Otherwise all owners are emailed, and this person is one of them.
        if (!waits)
          await email(
            tx,
            found.email,
            {
              subject: `${nameOfKind[target.kind]} is removed from your account`,
              name: target.name,
              lines: [
                'This one was removed from your account:',
                "If this wasn't you, end the other sessions and change your password:",
              ],
            },
            { userAgent, address },
          )
        return factorOf(removed)
      })
    },

    finishRemoval,

    /** Not with a new factor beside older ones: the codes could remove those. */
    async renewCodes(caller: Caller, { userAgent, address, ...presenting }: Omit<Presenting, 'caller'> & Browser) {
      const { person_id } = personOf(caller)
      const proof = await presence.require({ caller, ...presenting })
      return database.transaction(async (tx) => {
        const found = await lockPerson(tx, person_id)
        if (!found) throw notFound()
        const at = now()
        const factors = await listFactors(tx, person_id, at)
        const by = factors.find(({ id }) => id === proof.factor_id)
        const refusal = by && factors.length > 1 ? removalRefusal({ target: '', proof: by, at }) : undefined
        if (refusal) throw refusal
        await mail.queue(tx, {
          to: found.email,
          subject: 'New recovery codes were made for your account',
          lines: [
            `They replace all earlier ones. It was done from the network address ${address}, with this browser:`,
            { quote: userAgent ?? 'unknown' },
            "If this wasn't you, make new ones, end the other sessions and change your password:",
            settings,
          ],
        })
        return { recovery_codes: await makeCodes(tx, person_id) }
      })
    },

    ...proving,
  }
}

export type FactorService = ReturnType<typeof createFactorService>
