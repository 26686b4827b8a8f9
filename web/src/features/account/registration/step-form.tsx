import type { ReactNode } from 'react'
import { account } from '#messages/pages/account.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { FactRow, FactRows } from '../../../ui/layout/facts.tsx'
import type { Details } from './details-form.tsx'

interface StepFormProps {
  details: Details
  edit: () => void
  send: () => Promise<unknown>
  children: ReactNode
}

/** Repeats the entered details before they are sent. */
export const StepForm = ({ details, edit, send, children }: StepFormProps) => (
  <form
    onSubmit={(event) => {
      event.preventDefault()
      void send()
    }}
    className="grid gap-5"
  >
    <FactRows>
      <FactRow name={account.fields.companyName}>
        <bdi>{details.company_name}</bdi>
      </FactRow>
      <FactRow name={account.fields.workEmail}>{details.email}</FactRow>
      <FactRow name={account.fields.website}>{details.website}</FactRow>
    </FactRows>
    {children}
    <Button className="justify-self-start" onClick={edit}>
      {account.register.edit}
    </Button>
  </form>
)
