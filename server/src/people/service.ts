import {
  type Invitation,
  type InvitationPreview,
  invalidField,
  type Membership,
  mailboxOf,
  notFound,
  Refusal,
  type Role,
  type Session,
} from '@countersign/sdk/contract'
import type { AuthService } from '../auth/service.ts'
import type { Database } from '../db/engine.ts'
import { isProtected } from '../db/factors.ts'
import { findPersonAt, findStranded, listOwnerMailboxes } from '../db/people.ts'
import { emptyProfile } from '../db/provider-fields.ts'
import type { Db, Tx } from '../db/schema.ts'
import { timeOf } from '../db/times.ts'
import type { DelayService } from '../delays/service.ts'
import type { EventRecorder } from '../events/service.ts'
import type { Caller } from '../http/callers.ts'
import type { Visitor } from '../http/endpoint.ts'
import type { NewId } from '../ids.ts'
import type { MailService } from '../mail/service.ts'
import type { Protection } from '../names/rules.ts'
import { hashSecret, newSecret } from '../secrets.ts'
import type { SessionService } from '../sessions/service.ts'
import { createChanges, memberOf } from './changes.ts'
import { createDepartures } from './departures.ts'
import { companyLine, findCompany, shownCompany } from './find.ts'
import { invitationLifetimeMs, invitationRefusal, maxInvitations } from './rules.ts'
import {
  countOwners,
  deleteUnproven,
  findInvitation,
  findMember,
  type InvitationRow,
  insertOwnProvider,
  insertPerson,
  isContact,
  listInvitations,
  listMembers,
  listOwned,
  listProvidersOf,
  listProvidersWithUnproven,
  lockMembers,
  markMailboxVerified,
  putInvitation,
  putMember,
  takeInvitation,
} from './store.ts'

interface Deps {
  database: Database
  events: EventRecorder
  mail: Pick<MailService, 'queue' | 'alert'>
  auth: Pick<AuthService, 'hashNew' | 'keepPassword'>
  sessions: Pick<SessionService, 'begin' | 'keyFor'>
  delays: Pick<DelayService, 'schedule' | 'listTimes'>
  protection: Protection
  publicUrl: string
  now: () => number
  newId: NewId
}

interface ProvenMailbox {
  email: string
  email_norm: string
  /** The identity provider that vouches for the address, if we have not verified it. */
  vouchedBy?: 'github' | 'google'
}

/** How many companies one run of the job looks at. */
const batch = 100

/** For emails that any member can trigger. */
const cap = { name: 'invitation', perHour: 3 }

const linkInvalid = () =>
  new Refusal('code_invalid', 'This invitation is no longer valid. Ask the person who sent it for a new one.')

const invitationOf = (
  row: Omit<InvitationRow, 'provider_id' | 'email_norm' | 'invited_by' | 'is_proven'>,
): Invitation => ({
  id: row.id,
  email: row.email,
  role: row.role,
  invited_by: row.inviter,
  created_at: timeOf(row.created_at),
  expires_at: timeOf(row.expires_at),
})

/** People sign in. Each acts for the providers of which they are members, as far as their role allows. */
export const createPeopleService = (deps: Deps) => {
  const { database, events, mail, auth, sessions, delays, protection, publicUrl, now, newId } = deps
  const departures = createDepartures({ events, now })
  const addPerson = async (tx: Tx, { email, email_norm, vouchedBy }: ProvenMailbox) => {
    const id = newId('per')
    const at = now()
    await insertPerson(tx, {
      id,
      email,
      email_norm,
      email_verified_at: at,
      email_vouched_by: vouchedBy ?? null,
      created_at: at,
    })
    return id
  }

  /** People who no longer belong to any provider get an empty one, because signing in needs one. The console asks them to complete it. */
  const adopt = async (tx: Tx, person_ids: readonly string[]) => {
    if (person_ids.length === 0) return
    const at = now()
    for (const { id: person_id, ...mailbox } of await findStranded(tx, person_ids)) {
      const id = newId('prv')
      const address = (await isContact(tx, mailbox.email_norm)) ? { email: null, email_norm: null } : mailbox
      await insertOwnProvider(tx, { ...emptyProfile, ...address, id, is_listed: 0, created_at: at, updated_at: at })
      await putMember(tx, { provider_id: id, person_id, role: 'owner', created_at: at })
    }
  }

  /** The person with a mailbox that was just proven, known or new, becomes an owner of a provider. */
  const own = async (tx: Tx, { provider_id, ...mailbox }: ProvenMailbox & { provider_id: string }) => {
    const at = now()
    const { email_norm, vouchedBy } = mailbox
    const known = vouchedBy ? await findPersonAt(tx, email_norm) : await markMailboxVerified(tx, { email_norm, at })
    const person_id = known?.id ?? (await addPerson(tx, mailbox))
    await putMember(tx, { provider_id, person_id, role: 'owner', created_at: at })
    return person_id
  }

  /** Whether it was sent before the company was protected. Now someone with presence has to invite. */
  const isUnproven = async (db: Db, { provider_id, is_proven }: Pick<InvitationRow, 'provider_id' | 'is_proven'>) =>
    is_proven === 0 && (await isProtected(db, provider_id, now()))

  const endUnproven = async (tx: Tx, provider_id: string) => {
    await lockMembers(tx, provider_id)
    const at = now()
    if (!(await isProtected(tx, provider_id, at))) return
    const ended = await deleteUnproven(tx, { provider_id, at })
    for (const { id } of ended) await departures.recordEnd(tx, { provider_id, actor: 'registry' }, id)
    if (ended.length === 0) return
    for (const { email } of await listOwnerMailboxes(tx, provider_id))
      await mail.queue(tx, {
        to: email,
        subject: 'Open invitations to your company have ended',
        lines: [
          'Your company is protected by a passkey now. These invitations were sent before, and no longer work:',
          ...ended.map((each) => ({ mailbox: `${each.email} (${each.role})` })),
          'Send the ones you still want again:',
          { link: `${publicUrl}/dashboard?tab=settings&section=members`, label: 'Open your settings' },
        ],
      })
  }

  const changes = createChanges({ database, events, mail, delays, protection, departures, adopt, now })

  return {
    own,

    /** The mailbox of a provider makes its first owner; others are invited. */
    async ownFirst(tx: Tx, of: ProvenMailbox & { provider_id: string }) {
      await lockMembers(tx, of.provider_id)
      if ((await countOwners(tx, of.provider_id)) === 0) await own(tx, of)
      else await markMailboxVerified(tx, { email_norm: of.email_norm, at: now() })
    },

    /**
     * The providers that the person owns, with the number of their owners, which cannot change until the transaction
     * ends.
     */
    async listOwned(tx: Tx, person_id: string) {
      for (const { id } of await listOwned(tx, person_id)) await lockMembers(tx, id)
      return listOwned(tx, person_id)
    },

    adopt,
    endInvitation: departures.endInvitation,

    async list(caller: Caller) {
      const { provider_id } = caller
      const [rows, times, invitations] = await Promise.all([
        listMembers(database.read, provider_id),
        delays.listTimes(provider_id, ['members.remove', 'members.setRole']),
        listInvitations(database.read, { provider_id, at: now() }),
      ])
      return {
        members: rows.map((row) => memberOf(row, caller, times.get(row.person_id))),
        invitations: invitations.map(invitationOf),
      }
    },

    async invite(caller: Caller, { email, role }: { email: string; role: Role }): Promise<Invitation> {
      const refusal = invitationRefusal({ caller: caller.role, role })
      if (refusal) throw refusal
      const { provider_id, actor } = caller
      const [email_norm, token, at] = [mailboxOf(email), newSecret(), now()]
      return database.transaction(async (tx) => {
        await lockMembers(tx, provider_id)
        const members = await listMembers(tx, provider_id)
        const company = await findCompany(tx, protection, { provider_id, at })
        if (!company) throw notFound()
        const { company_name, domain, similar_name_domain } = company
        if (
          members.some((member) => mailboxOf(member.email) === email_norm && (member.role === role || role !== 'owner'))
        )
          throw invalidField('email', 'This person is a member already. Change their role instead.')
        const waiting = await listInvitations(tx, { provider_id, at })
        if (waiting.filter((each) => each.email_norm !== email_norm).length >= maxInvitations)
          throw invalidField('email', `At most ${maxInvitations} invitations may wait. Withdraw one.`)
        const row = {
          id: newId('inv'),
          email,
          role,
          invited_by: caller.person_id,
          created_at: at,
          expires_at: at + invitationLifetimeMs,
        }
        const is_proven = (await isProtected(tx, provider_id, at)) ? 1 : 0
        await putInvitation(tx, { ...row, is_proven, provider_id, email_norm, token_hash: hashSecret(token) })
        await events.record(tx, {
          provider_id,
          actor,
          action: 'member.invited',
          subject: ['invitation', row.id],
          after: { email, role },
        })
        const inviter = members.find(({ person_id }) => person_id === caller.person_id)?.email ?? null
        await mail.queue(tx, {
          to: email,
          cap,
          subject: 'You are invited to a Countersign account',
          lines: [
            `You are invited to work for this company as ${role}:`,
            companyLine(company),
            ...(domain === null
              ? ['This company has not proven a domain, so no one has checked who it is.']
              : [
                  'It has proven control of this domain.',
                  ...(company_name === null ? [] : ['It calls itself:', { quote: company_name }]),
                ]),
            ...(similar_name_domain === null
              ? []
              : [
                  'Another provider has had a similar name and a proven domain for longer:',
                  { domain: similar_name_domain },
                ]),
            ...(inviter === null ? [] : ['Invited by this member:', { mailbox: inviter }]),
            { link: `${publicUrl}/invitation?token=${token}`, label: 'See the invitation' },
            'The link works for 7 days. If you did not expect this, ignore it: nothing changes.',
          ],
        })
        return invitationOf({ ...row, inviter })
      })
    },

    async withdraw({ provider_id, actor, role }: Caller, id: string): Promise<Invitation> {
      return database.transaction(async (tx) => {
        const found = (await listInvitations(tx, { provider_id, at: now() })).find((each) => each.id === id)
        const refusal = found && invitationRefusal({ caller: role, role: found.role })
        if (refusal) throw refusal
        if (!found || !(await takeInvitation(tx, { provider_id, id }))) throw notFound()
        await events.record(tx, { provider_id, actor, action: 'invitation.withdrawn', subject: ['invitation', id] })
        return invitationOf(found)
      })
    },

    ...changes,

    async preview(token: string): Promise<InvitationPreview> {
      const at = now()
      const found = await findInvitation(database.read, { token_hash: hashSecret(token), at })
      const company = found && (await findCompany(database.read, protection, { provider_id: found.provider_id, at }))
      if (!found || !company || (await isUnproven(database.read, found))) throw linkInvalid()
      const { id: provider_id, ...shown } = company
      return {
        provider_id,
        ...shown,
        email: found.email,
        role: found.role,
        invited_by: found.inviter,
        expires_at: timeOf(found.expires_at),
        has_account: (await findPersonAt(database.read, found.email_norm)) !== undefined,
      }
    },

    /** The link proves the mailbox. Someone who has an account must also be signed in to it. */
    async accept(
      { token, password }: { token: string; password?: string | undefined },
      caller: Caller | undefined,
      { userAgent }: Pick<Visitor, 'userAgent'>,
    ): Promise<Session> {
      const token_hash = hashSecret(token)
      const seen = await findInvitation(database.read, { token_hash, at: now() })
      if (!seen) throw linkInvalid()
      const known = await findPersonAt(database.read, seen.email_norm)
      // The session that this gives is a browser’s.
      if (known && (known.id !== caller?.person_id || caller.isDevice))
        throw new Refusal('sign_in_required', `This invitation is for ${seen.email}. Sign in with that address.`)
      if (!known && password === undefined)
        throw new Refusal('sign_in_required', 'Choose a password: this address has no account yet.')
      const hash = known || password === undefined ? undefined : await auth.hashNew(password, { email: seen.email })
      return database.transaction(async (tx) => {
        await lockMembers(tx, seen.provider_id)
        const at = now()
        const found = await findInvitation(tx, { token_hash, at })
        if (!found || (await isUnproven(tx, found)) || !(await takeInvitation(tx, found))) throw linkInvalid()
        const { provider_id, email, email_norm, role } = found
        const person_id = known?.id ?? (await addPerson(tx, { email, email_norm }))
        if (hash !== undefined) await auth.keepPassword(tx, { person_id, hash })
        await putMember(tx, { provider_id, person_id, role, created_at: at })
        const id = newId('ses')
        const session = await sessions.begin(tx, { person_id, provider_id, userAgent, id })
        await events.record(tx, {
          provider_id,
          actor: id,
          action: 'member.joined',
          subject: ['person', person_id],
          after: { email, role },
        })
        await mail.alert(tx, provider_id, {
          section: 'members',
          subject: 'A member joined your company',
          lines: [`This person accepted an invitation and may now act as ${role}:`, { mailbox: email }],
        })
        return session
      })
    },

    /** The job that ends them once protection takes effect. */
    async endUnproven(signal: AbortSignal) {
      for (const id of await listProvidersWithUnproven(database.read, { at: now(), limit: batch })) {
        if (signal.aborted) return
        await database.transaction((tx) => endUnproven(tx, id))
      }
    },

    async providers({ person_id, provider_id }: Caller): Promise<{ providers: Membership[] }> {
      const rows = await listProvidersOf(database.read, person_id ?? '', now())
      return {
        providers: rows.map(({ role, ...row }) => {
          const { id, company_name, domain } = shownCompany(protection, row)
          return { provider_id: id, company_name, domain, role, is_current: id === provider_id }
        }),
      }
    },

    /** The key works for one provider; the session itself stays with the provider it began for. */
    async use({ person_id, session_id }: Caller, provider_id: string) {
      const member = person_id === null ? undefined : await findMember(database.read, { provider_id, person_id })
      const api_key = session_id === null ? undefined : await sessions.keyFor({ session_id, provider_id })
      if (!member || api_key === undefined) throw notFound()
      return { provider_id, role: member.role, api_key }
    },
  }
}

export type PeopleService = ReturnType<typeof createPeopleService>
