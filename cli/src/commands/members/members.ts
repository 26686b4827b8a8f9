import type { Countersign } from '@countersign/sdk'
import { type Invitation, type Member, mailboxOf, type Role, roles } from '@countersign/sdk/contract'
import { addConfirmation, addDryRun, type Command, type Declare, example } from '../../args/command.ts'
import { usage } from '../../failure.ts'
import { wrap } from '../../io/wrap.ts'
import { printRequest } from '../../registry/request.ts'
import { facts, table } from '../../render/output.ts'
import { shownTime } from '../../render/shown-time.ts'

export const declare: Declare = (members) => {
  example(members, 'members list', 'members invite ada@acme.example --role publisher')
  declareList(members)
  declareInvite(members)
  declareWithdraw(members)
  declareRole(members)
  declareRemove(members)
}

const declareList = (members: Command) => {
  const list = members
    .command('list')
    .summary('List the members and the invitations that wait')
    .description('Lists who may act for your provider, their roles, and invitations that wait for an answer.')
    .action(async (context) => {
      const found = await (await context.connect()).members.list()
      context.out.print({
        value: found,
        ids: found.members.map(({ person_id }) => person_id),
        text: (paint) =>
          found.members.length + found.invitations.length === 0
            ? wrap(
                'There are no members. The first owner is the person who verifies the provider’s email address.',
                paint.columns,
              )
            : table(
                ['ID', 'EMAIL', 'ROLE', 'SINCE'],
                [...found.members.map(memberRow), ...found.invitations.map(invitationRow)],
                paint,
              ),
      })
    })
  example(list, 'members list --json')
}

const memberRow = ({ person_id, email, role, joined_at, is_you, changes_at }: Member) => [
  person_id,
  is_you ? `${email} (you)` : email,
  role,
  changes_at === null ? shownTime(joined_at) : `${shownTime(joined_at)}, until ${shownTime(changes_at)}`,
]

const invitationRow = ({ id, email, role, expires_at }: Invitation) => [
  id,
  email,
  role,
  `invited, until ${shownTime(expires_at)}`,
]

const declareInvite = (members: Command) => {
  const invite = addDryRun(
    members
      .command('invite')
      .summary('Invite someone by email')
      .description(
        'Sends an invitation to an email address. Its link works for 7 days, for that address only. A new invitation replaces the one before.',
      )
      .argument('<email>', 'such as ada@acme.example', 'email')
      .option('--role <role>', 'what the person may do; default: viewer', { choices: roles }),
  ).action(async (context, { args: [email = ''], flags }) => {
    const body = { email, role: (flags.text('role') ?? 'viewer') as Role }
    if (context.isDryRun) return printRequest(context, 'members', 'invite', {}, body)
    const sent = await (await context.connect()).members.invite(body)
    context.out.print({ value: sent, ids: [sent.id], text: (paint) => facts(factsOf(sent), paint) })
  })
  example(invite, 'members invite ada@acme.example --role publisher')
}

const factsOf = ({ id, email, role, expires_at }: Invitation): [string, string][] => [
  ['invitation', id],
  ['email', email],
  ['role', role],
  ['works until', shownTime(expires_at)],
]

const declareWithdraw = (members: Command) => {
  const withdraw = addDryRun(
    members
      .command('withdraw')
      .summary('Withdraw an invitation')
      .description('Withdraws an invitation. Its link stops working at once.')
      .argument('<invitation>', 'inv_… or the email address', 'text'),
  ).action(async (context, { args: [which = ''] }) => {
    const client = await context.connect()
    const { invitations } = await client.members.list()
    const found = invitations.find(({ id, email }) => id === which || isSame(email, which))
    if (!found) throw usage(`No invitation for ${JSON.stringify(which)} is waiting`, 'See: countersign members list')
    if (context.isDryRun) return printRequest(context, 'members', 'withdraw', { id: found.id }, null)
    const gone = await client.members.withdraw(found.id)
    context.out.print({ value: gone, ids: [gone.id], text: () => `Withdrew the invitation of ${gone.email}` })
  })
  example(withdraw, 'members withdraw ada@acme.example')
}

const declareRole = (members: Command) => {
  const role = addDryRun(
    members
      .command('role')
      .summary('Change a member’s role')
      .description(
        'Changes what a member may do, from the next request on. Their keys can never do more than their role allows. Another owner of a protected provider keeps the role for 24 hours. To make someone an owner, invite them as owner.',
      )
      .argument('<member>', 'per_… or the email address', 'text')
      .argument('<role>', '', { choices: roles.filter((each) => each !== 'owner') }),
  ).action(async (context, { args: [which = '', given = ''] }) => {
    const client = await context.connect()
    const { person_id } = await findMember(client, which)
    const body = { role: given as Exclude<Role, 'owner'> }
    if (context.isDryRun) return printRequest(context, 'members', 'setRole', { id: person_id }, body)
    const changed = await client.members.setRole(person_id, body)
    context.out.print({
      value: changed,
      ids: [person_id],
      text: () => later(changed) ?? `${changed.email} is now ${changed.role}`,
    })
  })
  example(role, 'members role ada@acme.example responder')
}

const declareRemove = (members: Command) => {
  const remove = addConfirmation(
    members
      .command('remove')
      .summary('Remove a member, or leave')
      .description(
        'Removes a member: their sessions for your provider end and the keys that they made are revoked, except those that an owner keeps. Another owner of a protected provider is removed after 24 hours.',
      )
      .argument('<member>', 'per_… or the email address', 'text')
      .option('--keep-key <id>', 'a key that the member made and the provider keeps', {
        kind: 'key',
        isRepeated: true,
      }),
  ).action(async (context, { args: [which = ''], flags }) => {
    const client = await context.connect()
    const { person_id, email } = await findMember(client, which)
    const body = { keep_keys: [...flags.list('keepKey')] }
    if (context.isDryRun) return printRequest(context, 'members', 'remove', { id: person_id }, body)
    await context.confirm(`Remove ${email}? The keys that they made are revoked.`)
    const removed = await client.members.remove(person_id, body)
    const { revoked_keys } = removed
    context.out.print({
      value: removed,
      ids: [person_id],
      text: () =>
        later(removed.member) ??
        `Removed ${email}${revoked_keys.length > 0 ? `, and revoked ${revoked_keys.join(', ')}` : ''}`,
    })
  })
  example(remove, 'members remove ada@acme.example --keep-key key_06dh0e3x7c9bw4vjz2n8qk5ytm')
}

/** Another owner of a protected provider. */
const later = ({ email, changes_at }: Member) =>
  changes_at === null
    ? undefined
    : `${email} stays an owner until ${shownTime(changes_at)}. Any owner can cancel it: countersign changes list`

const isSame = (email: string, given: string) => mailboxOf(email) === mailboxOf(given)

const findMember = async (client: Countersign, which: string): Promise<Member> => {
  const { members } = await client.members.list()
  const found = members.find(({ person_id, email }) => person_id === which || isSame(email, which))
  if (!found) throw usage(`${JSON.stringify(which)} is not a member`, 'See: countersign members list')
  return found
}
