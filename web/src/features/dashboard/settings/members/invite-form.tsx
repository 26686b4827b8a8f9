import { members, type Role, roles } from '@countersign/sdk/contract'
import { useState } from 'react'
import { membersSection } from '#messages/dashboard/members.ts'
import { explainFailure } from '../../../../failures/failure.ts'
import { TextField } from '../../../../forms/field.tsx'
import { ChoiceField } from '../../../../forms/filter-fields.tsx'
import { SubmitButton } from '../../../../forms/submit-button.tsx'
import { useContractForm } from '../../../../forms/use-contract-form.ts'
import { toast } from '../../../../ui/controls/toast.ts'
import type { OwnMembers } from './own-members.ts'

const words = membersSection.invite
const Typed = members.invite.body.pick({ email: true })

interface InviteFormProps {
  mayInviteOwners: boolean
  invite: OwnMembers['invite']
}

export const InviteForm = ({ mayInviteOwners, invite }: InviteFormProps) => {
  const [role, setRole] = useState<Role>('publisher')
  const [failure, setFailure] = useState('')
  const { submit, field, showRefused, reset, isSending } = useContractForm(Typed, {
    defaults: { email: '' },
    send: async ({ email }) => {
      setFailure('')
      try {
        await invite({ email, role })
        toast.success(words.done(email))
        reset()
      } catch (error) {
        if (!showRefused(error)) setFailure(`${words.failed}: ${explainFailure(error)}`)
      }
    },
  })
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="mt-8 grid max-w-md gap-5">
      <h3 className="font-semibold">{words.heading}</h3>
      <TextField label={words.email} type="email" autoComplete="off" {...field('email')} />
      <ChoiceField
        label={words.role}
        value={role}
        choices={mayInviteOwners ? roles : roles.filter((each) => each !== 'owner')}
        nameOf={(choice) => `${membersSection.roles[choice]}: ${membersSection.may[choice]}`}
        choose={(choice) => setRole(roles.find((each) => each === choice) ?? role)}
      />
      <p role="alert" className="font-semibold text-bad text-small empty:hidden">
        {failure}
      </p>
      <SubmitButton isSending={isSending} sending={words.submitting} className="justify-self-start">
        {words.submit}
      </SubmitButton>
    </form>
  )
}
