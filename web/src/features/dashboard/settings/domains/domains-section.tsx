import type { Domain } from '@countersign/sdk/contract'
import { useState } from 'react'
import { domainsSection as words } from '#messages/dashboard/domains.ts'
import { profileSection } from '#messages/dashboard/profile.ts'
import { ConfirmDialog } from '../../../../forms/confirm-dialog.tsx'
import { Button } from '../../../../ui/controls/button.tsx'
import { Dialog } from '../../../../ui/controls/dialog.tsx'
import { toast } from '../../../../ui/controls/toast.ts'
import { Section } from '../../../../ui/layout/section.tsx'
import { Allowed } from '../../shared/allowed.tsx'
import { DomainProving } from '../../shared/domain-proving.tsx'
import { FirstStep } from '../../shared/first-step.tsx'
import { SectionBody } from '../section-body.tsx'
import { DomainRow } from './domain-row.tsx'
import { NewDomainForm } from './new-domain-form.tsx'
import { useOwnDomains } from './own-domains.ts'

type Opened = { about: 'new' } | { about: 'verify' | 'primary' | 'remove'; domain: Domain }

export const DomainsSection = () => {
  const own = useOwnDomains()
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = () => setOpened(null)
  const button = (
    <Allowed action="domains.add" isExplained>
      <Button look="primary" aria-haspopup="dialog" onClick={() => setOpened({ about: 'new' })}>
        {words.add}
      </Button>
    </Allowed>
  )
  return (
    <Section heading={words.label} className="mt-8">
      <p className="max-w-prose text-muted text-small">{words.about}</p>
      <div className="mt-5">
        <SectionBody data={own.list} failure={own.failure} failed={words.failed} again={own.again}>
          {({ domains }) =>
            domains.length === 0 ? (
              <FirstStep
                action="domains.add"
                heading={words.none.heading}
                text={words.none.text}
                command="countersign domains add northwind.example"
              >
                {button}
              </FirstStep>
            ) : (
              <>
                {button}
                <ul aria-label={words.list} className="mt-5 border-line border-b">
                  {domains.map((domain) => (
                    <DomainRow
                      key={domain.domain}
                      domain={domain}
                      onVerify={() => setOpened({ about: 'verify', domain })}
                      onMakePrimary={() => setOpened({ about: 'primary', domain })}
                      onRemove={() => setOpened({ about: 'remove', domain })}
                    />
                  ))}
                </ul>
              </>
            )
          }
        </SectionBody>
      </div>
      {opened !== null && <DomainDialog opened={opened} own={own} open={setOpened} onClose={close} />}
    </Section>
  )
}

interface DomainDialogProps {
  opened: Opened
  own: ReturnType<typeof useOwnDomains>
  open: (next: Opened) => void
  onClose: () => void
}

const DomainDialog = ({ opened, own, open, onClose }: DomainDialogProps) => {
  if (opened.about === 'new')
    return (
      <Dialog isOpen onClose={onClose} title={words.form.title} description={words.form.description}>
        <NewDomainForm add={own.add} onAdded={(domain) => open({ about: 'verify', domain })} />
      </Dialog>
    )
  const { domain } = opened.domain
  if (opened.about === 'verify')
    return (
      <Dialog
        isOpen
        onClose={onClose}
        title={profileSection.domain.title(domain)}
        description={profileSection.domain.text}
      >
        <DomainProving
          key={domain}
          proof={opened.domain.domain_proof}
          check={(method) => own.verify(domain, method)}
          command={`countersign domains verify ${domain}`}
          onVerified={async () => {
            toast.success(profileSection.domain.confirmed)
            await own.refresh()
            onClose()
          }}
        />
      </Dialog>
    )
  const { title, text, action, doing, done } = opened.about === 'primary' ? words.makePrimary : words.remove
  const act = async () => {
    const changed = await (opened.about === 'primary' ? own.makePrimary(domain) : own.remove(domain))
    toast.success(changed.becomes_primary_at === null ? done : words.makePrimary.later)
  }
  return (
    <ConfirmDialog title={title(domain)} description={text} action={action} doing={doing} act={act} onClose={onClose} />
  )
}
