import { type Invitation, type Member, roles } from '@countersign/sdk/contract'
import { quoteExactly } from '@countersign/sdk/words'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { membersSection as words } from '#messages/dashboard/members.ts'
import { formatDay, formatTime } from '#messages/site.ts'
import { useMay } from '../../../../data/role.ts'
import { endSession } from '../../../../data/session.ts'
import { explainFailure } from '../../../../failures/failure.ts'
import { ConfirmDialog } from '../../../../forms/confirm-dialog.tsx'
import { ChoiceField } from '../../../../forms/filter-fields.tsx'
import { Button } from '../../../../ui/controls/button.tsx'
import { toast } from '../../../../ui/controls/toast.ts'
import { Section } from '../../../../ui/layout/section.tsx'
import { Allowed } from '../../shared/allowed.tsx'
import { SectionBody } from '../section-body.tsx'
import { InviteForm } from './invite-form.tsx'
import { type OwnMembers, useOwnMembers } from './own-members.ts'

const describe = ({ is_you, role }: Member) => {
  if (is_you) return words.remove.leaveText
  return role === 'owner' ? words.remove.ownerText : words.remove.text
}

const assignable = roles.filter((role) => role !== 'owner')

export const MembersSection = () => {
  const own = useOwnMembers()
  const navigate = useNavigate()
  const [removing, setRemoving] = useState<Member | null>(null)
  const remove = async (member: Member) => {
    const removed = await own.remove(member)
    if (removed.member.changes_at !== null)
      return toast.success(words.remove.later(member.email), { description: words.undo })
    if (!member.is_you) return toast.success(words.remove.done(member.email))
    endSession()
    toast.success(words.remove.left)
    await navigate('/', { replace: true })
  }
  const you = own.list?.members.find(({ is_you }) => is_you)
  const mayManage = useMay()('members.setRole')
  return (
    <Section heading={words.label} className="mt-8">
      <p className="max-w-prose text-muted text-small">{words.about}</p>
      <div className="mt-5">
        <SectionBody data={own.list} failure={own.failure} failed={words.failed} again={own.again}>
          {({ members, invitations }) => (
            <>
              {members.length === 0 && <p className="max-w-prose text-small">{words.none}</p>}
              <ul aria-label={words.list} className="border-line border-b">
                {members.map((member) => (
                  <MemberRow
                    key={member.person_id}
                    member={member}
                    mayChange={mayManage && (member.role !== 'owner' || you?.role === 'owner')}
                    setRole={own.setRole}
                    onRemove={() => setRemoving(member)}
                  />
                ))}
              </ul>
              {invitations.length > 0 && <Invitations invitations={invitations} mayManage={mayManage} own={own} />}
              <Allowed action="members.invite" isExplained>
                <InviteForm mayInviteOwners={you === undefined || you.role === 'owner'} invite={own.invite} />
              </Allowed>
            </>
          )}
        </SectionBody>
      </div>
      {removing && (
        <ConfirmDialog
          title={removing.is_you ? words.remove.leaveTitle : words.remove.title(removing.email)}
          description={describe(removing)}
          action={removing.is_you ? words.remove.leaveAction : words.remove.action}
          doing={words.remove.doing}
          act={() => remove(removing)}
          onClose={() => setRemoving(null)}
        />
      )}
    </Section>
  )
}

interface MemberRowProps {
  member: Member
  mayChange: boolean
  setRole: OwnMembers['setRole']
  onRemove: () => void
}

const MemberRow = ({ member, mayChange, setRole, onRemove }: MemberRowProps) => {
  const { email, role, joined_at, is_you, changes_at } = member
  const change = async (choice: string) => {
    const chosen = assignable.find((each) => each === choice)
    if (chosen === undefined) return
    try {
      const changed = await setRole(member, { role: chosen })
      if (changed.changes_at === null) toast.success(words.role.done(email, words.roles[chosen]))
      else toast.success(words.role.later(email), { description: words.undo })
    } catch (failure) {
      toast.error(words.role.failed, { description: explainFailure(failure) })
    }
  }
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-line border-t py-4 text-small">
      <div className="grid min-w-0 gap-1">
        <p className="break-words font-semibold">{is_you ? words.you(email) : email}</p>
        <p className="text-muted">
          {words.may[role]}. {words.since(formatDay(joined_at))}
        </p>
        {changes_at !== null && <p>{words.until(formatTime(changes_at))}</p>}
      </div>
      <div className="flex flex-wrap items-end gap-3">
        {mayChange && !is_you ? (
          <ChoiceField
            label={words.role.of(email)}
            value={role}
            choices={role === 'owner' ? roles : assignable}
            nameOf={(choice) => words.roles[choice]}
            choose={(choice) => choice !== role && void change(choice)}
          />
        ) : (
          <p className="self-center font-semibold">{words.roles[role]}</p>
        )}
        {(mayChange || is_you) && (
          <Button aria-haspopup="dialog" aria-label={is_you ? undefined : words.remove.of(email)} onClick={onRemove}>
            {is_you ? words.remove.leave : words.remove.button}
          </Button>
        )}
      </div>
    </li>
  )
}

interface InvitationsProps {
  invitations: readonly Invitation[]
  mayManage: boolean
  own: OwnMembers
}

const Invitations = ({ invitations, mayManage, own }: InvitationsProps) => {
  const withdraw = async (invitation: Invitation) => {
    try {
      await own.withdraw(invitation)
      toast.success(words.invitations.withdrawn(invitation.email))
    } catch (failure) {
      toast.error(words.invitations.failed, { description: explainFailure(failure) })
    }
  }
  return (
    <>
      <h3 className="mt-8 font-semibold">{words.invitations.heading}</h3>
      <ul className="mt-3 border-line border-b">
        {invitations.map((invitation) => (
          <li
            key={invitation.id}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-line border-t py-4 text-small"
          >
            <div className="grid min-w-0 gap-1">
              <p className="break-words font-semibold">{invitation.email}</p>
              <p className="text-muted">
                {words.invitations.line(words.roles[invitation.role], formatTime(invitation.expires_at))}
                {invitation.invited_by !== null && ` ${words.invitations.by(quoteExactly(invitation.invited_by))}.`}
              </p>
            </div>
            {mayManage && (
              <Button
                aria-label={words.invitations.withdrawOf(invitation.email)}
                onClick={() => void withdraw(invitation)}
              >
                {words.invitations.withdraw}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
