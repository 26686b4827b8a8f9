import { describeProvider } from '@countersign/sdk/words/company'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { settingsTab } from '#messages/dashboard/settings.ts'
import { formatDay, site } from '#messages/site.ts'
import { useMay } from '../../../../data/role.ts'
import { ConfirmDialog } from '../../../../forms/confirm-dialog.tsx'
import { useAddressDialog } from '../../../../hooks/use-address-dialog.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { CopyButton } from '../../../../ui/controls/copy-button.tsx'
import { toast } from '../../../../ui/controls/toast.ts'
import { FactRow, FactRows } from '../../../../ui/layout/facts.tsx'
import { Section } from '../../../../ui/layout/section.tsx'
import { InlineCode } from '../../../../ui/values/inline-code.tsx'
import { WebAddress } from '../../../../ui/values/web-address.tsx'
import { Allowed } from '../../shared/allowed.tsx'
import { deleteAccount, forgetAccount, setActive } from '../../shared/own-organization.ts'
import { ReactivateButton } from '../../shared/reactivate-button.tsx'
import { addressOf } from '../../shared/tab-names.ts'
import type { TabProps } from '../../shared/tab-props.ts'

const words = settingsTab.organization

const loadForm = () => import('./organization-dialog.tsx')
const preload = () => void loadForm().catch(() => undefined)
const OrganizationDialog = lazy(() => loadForm().then((form) => ({ default: form.OrganizationDialog })))

/** The provider's identity, and deactivating or deleting it. */
export const OrganizationSection = ({ provider }: TabProps) => {
  const editing = useAddressDialog('edit')
  const may = useMay()
  const { company_name, website, email, id, is_active } = provider
  return (
    <>
      <Section heading={settingsTab.sections.organization} className="mt-8">
        <FactRows>
          <FactRow name={words.company}>{company_name}</FactRow>
          <FactRow name={words.website}>{website && <WebAddress url={website} />}</FactRow>
          <FactRow name={words.domain}>
            <DomainState provider={provider} />
          </FactRow>
          <FactRow name={words.email}>{email}</FactRow>
          <FactRow name={words.id}>
            <span className="flex flex-wrap items-center gap-1 break-all">
              <InlineCode>{id}</InlineCode>
              <CopyButton text={id} what={words.idWhat} />
            </span>
          </FactRow>
          <FactRow name={words.state}>{is_active ? words.active : words.deactivated}</FactRow>
        </FactRows>
        <div className="mt-5">
          <Allowed action="providers.update" isExplained>
            <Button
              aria-haspopup="dialog"
              onPointerEnter={preload}
              onFocus={preload}
              onClick={() => editing.open('organization')}
            >
              {words.edit.button}
            </Button>
          </Allowed>
        </div>
      </Section>
      <Pause provider={provider} />
      <Delete provider={provider} />
      {editing.value !== null && may('providers.update') && (
        <Suspense>
          <OrganizationDialog provider={provider} onClose={editing.close} />
        </Suspense>
      )}
    </>
  )
}

type Owned = Pick<TabProps, 'provider'>

const DomainState = ({
  provider: { domain, domain_verified, domain_verification_method: method, domain_verified_at: at },
}: Owned) => {
  if (domain === null) return words.noDomain
  if (domain_verified && method !== null && at !== null)
    return words.domainProven(domain, site.domainMethods[method], formatDay(at))
  return (
    <span className="flex flex-wrap gap-x-3">
      {words.domainOpen(domain)}
      <Allowed action="providers.verifyDomain">
        <Link to="/dashboard" className="link">
          {words.verify}
        </Link>
      </Allowed>
    </span>
  )
}

const Pause = ({ provider }: Owned) => {
  const { id, is_active } = provider
  const { pause } = words
  const [isAsking, setIsAsking] = useState(false)
  const stop = async () => {
    await setActive(id, false)
    toast.success(pause.done)
  }
  return (
    <Section heading={is_active ? pause.heading : pause.back}>
      <p className="mb-4 max-w-prose text-muted text-small">{is_active ? pause.text : pause.backText}</p>
      {is_active ? (
        <Allowed action="providers.deactivate" isExplained>
          <Button look="dangerPlain" aria-haspopup="dialog" onClick={() => setIsAsking(true)}>
            {pause.button}
          </Button>
        </Allowed>
      ) : (
        <ReactivateButton id={id} />
      )}
      {isAsking && (
        <ConfirmDialog
          title={pause.title(describeProvider(provider))}
          description={pause.confirmText}
          action={pause.button}
          doing={pause.doing}
          act={stop}
          onClose={() => setIsAsking(false)}
        />
      )}
    </Section>
  )
}

const Delete = ({ provider }: Owned) => {
  const { id, company_name } = provider
  const navigate = useNavigate()
  const [isAsking, setIsAsking] = useState(false)
  const isDeleted = useRef(false)
  const remove = async () => {
    const { change_id } = await deleteAccount(id)
    if (change_id !== null) {
      setIsAsking(false)
      toast.success(words.delete.later, { description: words.delete.laterText })
      return navigate(`${addressOf('settings')}&section=changes`)
    }
    isDeleted.current = true
    toast.success(words.delete.done, { description: words.delete.doneText })
    await navigate('/')
  }
  // Sign out only after leaving this page; otherwise it would ask to sign in.
  useEffect(
    () => () => {
      if (isDeleted.current) forgetAccount()
    },
    [],
  )
  return (
    <Section heading={words.delete.heading}>
      <p className="mb-4 max-w-prose text-muted text-small">{words.delete.text}</p>
      <Allowed action="providers.delete" isExplained>
        <Button look="dangerPlain" aria-haspopup="dialog" onClick={() => setIsAsking(true)}>
          {words.delete.button}
        </Button>
      </Allowed>
      {isAsking && (
        <ConfirmDialog
          title={words.delete.title(describeProvider(provider))}
          description={words.delete.confirmText}
          action={words.delete.action}
          doing={words.delete.doing}
          typed={company_name ?? id}
          act={remove}
          onClose={() => setIsAsking(false)}
        />
      )}
    </Section>
  )
}
