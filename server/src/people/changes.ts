import { type Member, notFound, Refusal, type Role } from '@countersign/sdk/contract'
import type { Database } from '../db/engine.ts'
import { isProtected } from '../db/factors.ts'
import type { Tx } from '../db/schema.ts'
import { timeOf } from '../db/times.ts'
import type { Asked, DelayService, PerformDelayed } from '../delays/service.ts'
import type { EventRecorder } from '../events/service.ts'
import type { Caller } from '../http/callers.ts'
import type { MailLine, MailService } from '../mail/service.ts'
import type { Protection } from '../names/rules.ts'
import type { Departures } from './departures.ts'
import { companyLine, findCompany } from './find.ts'
import { changeRefusal, invitationRefusal } from './rules.ts'
import {
  countOwners,
  deleteMember,
  findMember,
  findPerson,
  lockMembers,
  type MemberRow,
  putMember,
  revokeSessionsOf,
  setRole,
} from './store.ts'

interface Deps {
  database: Database
  events: EventRecorder
  mail: Pick<MailService, 'queue' | 'alert'>
  delays: Pick<DelayService, 'schedule'>
  protection: Protection
  departures: Departures
  adopt: (tx: Tx, person_ids: readonly string[]) => Promise<void>
  now: () => number
}

interface MemberIds {
  provider_id: string
  person_id: string
}

type LesserRole = Exclude<Role, 'owner'>

export const memberOf = (
  { person_id, email, role, created_at }: MemberRow,
  caller: Pick<Caller, 'person_id'>,
  changesAt?: number,
): Member => ({
  person_id,
  email,
  role,
  joined_at: timeOf(created_at),
  is_you: person_id === caller.person_id,
  changes_at: changesAt === undefined ? null : timeOf(changesAt),
})

/** Changing a member’s role and removing members. Both wait if they concern another owner of a protected provider. */
export const createChanges = ({ database, events, mail, delays, protection, departures, adopt, now }: Deps) => {
  const lockMember = async (tx: Tx, of: MemberIds) => {
    await lockMembers(tx, of.provider_id)
    return findMember(tx, of)
  }

  /** Which company an email to its members is about. */
  const companyLines = async (tx: Tx, provider_id: string): Promise<MailLine[]> => {
    const unknown = { id: provider_id, company_name: null, domain: null }
    const company = (await findCompany(tx, protection, { provider_id, at: now() })) ?? unknown
    return [companyLine(company), ...(company.domain === null ? ['Its domain is not verified.'] : [])]
  }

  const checkMayChange = async (tx: Tx, { provider_id, role, person_id }: Caller, member: MemberRow) => {
    const refusal = changeRefusal({
      caller: role,
      member: member.role,
      owners: await countOwners(tx, provider_id),
      isSelf: member.person_id === person_id,
    })
    if (refusal) throw refusal
  }

  /** Otherwise one owner could shut out all others before they read an email. */
  const mustWait = async (tx: Tx, { provider_id, person_id }: Caller, member: MemberRow) =>
    member.role === 'owner' && member.person_id !== person_id && (await isProtected(tx, provider_id, now()))

  const schedule = async (
    tx: Tx,
    asked: Asked & { caller: Caller },
    member: MemberRow,
    wanted:
      | { endpoint: 'members.remove'; body: { keep_keys: readonly string[] } }
      | { endpoint: 'members.setRole'; body: { role: LesserRole } },
  ): Promise<Member> => {
    const { caller } = asked
    const what = wanted.endpoint === 'members.remove' ? member.email : `${member.email}: ${wanted.body.role}`
    const { takes_effect_at } = await delays.schedule(
      tx,
      { ...wanted, provider_id: caller.provider_id, params: { id: member.person_id }, what: { mailbox: what } },
      asked,
    )
    return { ...memberOf(member, caller), changes_at: takes_effect_at }
  }

  const applyRole = async (
    tx: Tx,
    of: MemberIds,
    member: MemberRow,
    { actor, role }: { actor: string; role: Role },
  ) => {
    await setRole(tx, { ...of, role })
    await departures.limitKeys(tx, of, role)
    await departures.endInvitations(tx, of, actor)
    await events.record(tx, {
      provider_id: of.provider_id,
      actor,
      action: 'member.role_changed',
      subject: ['person', of.person_id],
      before: { role: member.role },
      after: { role },
    })
    await mail.queue(tx, {
      to: member.email,
      subject: 'Your role was changed',
      lines: [
        `Your role is now ${role} (before: ${member.role}) at this company:`,
        ...(await companyLines(tx, of.provider_id)),
      ],
    })
  }

  const applyRemoval = async (
    tx: Tx,
    of: MemberIds,
    member: MemberRow,
    { actor, keep_keys, isSelf }: { actor: string; keep_keys: readonly string[]; isSelf: boolean },
  ) => {
    const { provider_id, person_id } = of
    const { kept, revoked } = await departures.endKeysOf(tx, of, keep_keys)
    await revokeSessionsOf(tx, { ...of, at: now() })
    await departures.endInvitations(tx, of, actor)
    await deleteMember(tx, of)
    await adopt(tx, [person_id])
    await events.record(tx, {
      provider_id,
      actor,
      action: isSelf ? 'member.left' : 'member.removed',
      subject: ['person', person_id],
      before: { role: member.role, email: member.email },
      after: { revoked_keys: revoked.length, kept_keys: kept.length },
    })
    await mail.queue(tx, {
      to: member.email,
      subject: isSelf ? 'You left a company' : 'You were removed from a company',
      lines: [
        'You can no longer act for this company. Your sessions there have ended:',
        ...(await companyLines(tx, provider_id)),
      ],
    })
    return revoked
  }

  /** The owner that a delayed change removes or demotes. Undefined if the person is no longer an owner, or is the last one. */
  const findOwner = async (tx: Tx, of: MemberIds) => {
    const member = await lockMember(tx, of)
    return member?.role === 'owner' && (await countOwners(tx, of.provider_id)) > 1 ? member : undefined
  }

  const finishRole: PerformDelayed = async (tx, { provider_id, actor, params: { id = '' }, body }) => {
    const of = { provider_id, person_id: id }
    const member = await findOwner(tx, of)
    if (!member) return false
    await applyRole(tx, of, member, { actor, role: (body as { role: LesserRole }).role })
    return true
  }

  const finishRemoval: PerformDelayed = async (tx, { provider_id, actor, params: { id = '' }, body }) => {
    const of = { provider_id, person_id: id }
    const member = await findOwner(tx, of)
    if (!member) return false
    const { keep_keys } = body as { keep_keys: string[] }
    await applyRemoval(tx, of, member, { actor, keep_keys, isSelf: false })
    return true
  }

  /** Removes a member at once, or schedules it for 24 hours later. */
  const end = async (
    tx: Tx,
    asked: Asked & { caller: Caller },
    member: MemberRow,
    keep_keys: readonly string[],
  ): Promise<{ member: Member; revoked_keys: string[] }> => {
    const { caller } = asked
    const { provider_id, actor } = caller
    const of = { provider_id, person_id: member.person_id }
    if (await mustWait(tx, caller, member))
      return {
        member: await schedule(tx, asked, member, { endpoint: 'members.remove', body: { keep_keys } }),
        revoked_keys: [],
      }
    const isSelf = of.person_id === caller.person_id
    return {
      member: memberOf(member, caller),
      revoked_keys: await applyRemoval(tx, of, member, { actor, keep_keys, isSelf }),
    }
  }

  return {
    companyLines,

    /**
     * Removes a member invited by a leaked key, until the review. The caller, the last owner and every owner of a protected provider
     * stay; only owners can remove owners.
     */
    async hold(tx: Tx, caller: Caller, person_id: string) {
      const { provider_id, actor } = caller
      const of = { provider_id, person_id }
      const member = await lockMember(tx, of)
      if (!member) return undefined
      const isSelf = person_id === caller.person_id
      const isLast = member.role === 'owner' && (await countOwners(tx, provider_id)) < 2
      const isOthers = invitationRefusal({ caller: caller.role, role: member.role }) !== undefined
      if (isSelf || isLast || isOthers || (await mustWait(tx, caller, member))) return { name: member.email }
      await applyRemoval(tx, of, member, { actor, keep_keys: [], isSelf: false })
      return { name: member.email, kept: member.role }
    },

    /** Their keys stay revoked. */
    async bringBack(tx: Tx, { provider_id, actor, role: own }: Caller, person_id: string, kept: string) {
      const role = kept as Role
      const refusal = invitationRefusal({ caller: own, role })
      if (refusal) throw refusal
      const person = await findPerson(tx, person_id)
      if (!person) return
      await putMember(tx, { provider_id, person_id, role, created_at: now() })
      await events.record(tx, {
        provider_id,
        actor,
        action: 'member.joined',
        subject: ['person', person_id],
        after: { email: person.email, role },
      })
    },

    /** Removes a member that `hold` listed but did not remove. */
    async endHold(tx: Tx, asked: Asked & { caller: Caller }, person_id: string) {
      const member = await lockMember(tx, { provider_id: asked.caller.provider_id, person_id })
      if (!member) return
      await checkMayChange(tx, asked.caller, member)
      await end(tx, asked, member, [])
    },

    async setRole(caller: Caller, person_id: string, role: LesserRole, visitor: Asked['visitor']): Promise<Member> {
      const { provider_id, actor } = caller
      return database.transaction(async (tx) => {
        const of = { provider_id, person_id }
        const member = await lockMember(tx, of)
        if (!member) throw notFound()
        await checkMayChange(tx, caller, member)
        if (member.role === role) return memberOf(member, caller)
        if (await mustWait(tx, caller, member))
          return schedule(tx, { caller, visitor }, member, { endpoint: 'members.setRole', body: { role } })
        await applyRole(tx, of, member, { actor, role })
        return memberOf({ ...member, role }, caller)
      })
    },

    /** If it is the caller, they leave. Only owners can keep the keys of a removed member. */
    async remove(
      caller: Caller,
      person_id: string,
      { keep_keys }: { keep_keys: readonly string[] },
      visitor: Asked['visitor'],
    ) {
      const { provider_id } = caller
      if (keep_keys.length > 0 && caller.role !== 'owner')
        throw new Refusal('forbidden', 'Only owners can keep the keys of a member.')
      return database.transaction(async (tx) => {
        const member = await lockMember(tx, { provider_id, person_id })
        if (!member) throw notFound()
        await checkMayChange(tx, caller, member)
        const ended = await end(tx, { caller, visitor }, member, keep_keys)
        if (person_id === caller.person_id)
          await mail.alert(tx, provider_id, {
            section: 'members',
            subject: 'A member left your company',
            lines: ['This member can no longer act for your company:', { mailbox: member.email }],
          })
        return ended
      })
    },

    finishRole,
    finishRemoval,
  }
}
