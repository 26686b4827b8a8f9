import { type Provider, type ProviderFieldRow, providerFieldRows, providerFields } from '@countersign/sdk/contract'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { profileSection } from '#messages/dashboard/profile.ts'
import { formatDay, site } from '#messages/site.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { CopyButton } from '../../../../ui/controls/copy-button.tsx'
import { ExternalLink } from '../../../../ui/controls/external-link.tsx'
import { Spinner } from '../../../../ui/controls/spinner.tsx'
import { FactRow, FactRows } from '../../../../ui/layout/facts.tsx'
import { Section } from '../../../../ui/layout/section.tsx'
import { Chip } from '../../../../ui/values/chip.tsx'
import { WebAddress } from '../../../../ui/values/web-address.tsx'
import { Allowed } from '../../shared/allowed.tsx'
import { ListingSwitch } from '../../shared/identity/listing-switch.tsx'
import { VerificationStatus, type VerifyActions } from '../../shared/identity/verification-status.tsx'
import { LogoField } from './logo/logo-field.tsx'
import { valuesOf } from './typed-values.ts'

const words = profileSection.info

const loadForm = () => import('./provider-form.tsx')
const preload = () => void loadForm().catch(() => undefined)
const ProviderForm = lazy(() => loadForm().then(({ ProviderForm }) => ({ default: ProviderForm })))

interface ProviderInfoProps {
  provider: Provider
  isEditing: boolean
  onEdit: () => void
  onEnd: () => void
  onVerify: VerifyActions
  onLogo: () => void
  refresh: () => Promise<void>
}

/** The profile, to read or edit. */
export const ProviderInfo = ({ provider, isEditing, onEdit, onEnd, onVerify, onLogo, refresh }: ProviderInfoProps) => {
  const editButton = useRef<HTMLButtonElement>(null)
  const wasEditing = useRef(isEditing)
  useEffect(() => {
    // The button that had the focus is gone with the form.
    if (wasEditing.current && !isEditing) editButton.current?.focus()
    wasEditing.current = isEditing
  }, [isEditing])
  return (
    <Section heading={words.heading} className="mt-8">
      {isEditing ? (
        <Suspense fallback={<Spinner>{site.layout.loading}</Spinner>}>
          <ProviderForm key={provider.id} {...{ provider, onEnd, onVerify, onLogo, refresh }} />
        </Suspense>
      ) : (
        <>
          <Allowed action="providers.update" isExplained>
            <Button ref={editButton} onClick={onEdit} onPointerEnter={preload} onFocus={preload}>
              {words.edit}
            </Button>
          </Allowed>
          <Facts {...{ provider, onVerify, onLogo, refresh }} />
        </>
      )}
    </Section>
  )
}

const Facts = ({ provider, onVerify, onLogo, refresh }: Omit<ProviderInfoProps, 'isEditing' | 'onEdit' | 'onEnd'>) => {
  const [isMore, setIsMore] = useState(false)
  const { fields } = words
  return (
    <>
      <Group heading={words.basic}>
        <FactRow name={providerFields.company_name.label}>{orNotSet(provider.company_name)}</FactRow>
        <FactRow name={providerFields.website.label}>
          {provider.website === null ? <NotSet /> : <WebAddress url={provider.website} />}
        </FactRow>
        <FactRow name={profileSection.listing.label}>
          <ListingSwitch provider={provider} />
        </FactRow>
      </Group>
      <Group heading={words.contact}>
        <FactRow name={fields.email}>{orNotSet(provider.email)}</FactRow>
        <FactRow name={fields.id}>
          <span className="-my-2 flex items-center gap-1">
            <code className="min-w-0 font-mono text-small">{provider.id}</code>
            <CopyButton text={provider.id} what={fields.id} />
          </span>
        </FactRow>
        <FactRow name={profileSection.verification.heading}>
          <VerificationStatus provider={provider} onVerify={onVerify} />
        </FactRow>
        <FactRow name={providerFields.description.label}>
          {provider.description === null ? <NotSet /> : <p className="whitespace-pre-line">{provider.description}</p>}
        </FactRow>
      </Group>
      <Button
        className="mt-6"
        aria-expanded={isMore}
        aria-controls="additional-details"
        onClick={() => setIsMore(!isMore)}
      >
        {isMore ? words.hideDetails : words.showDetails}
      </Button>
      <div id="additional-details" hidden={!isMore}>
        <MoreFacts {...{ provider, onLogo, refresh }} />
      </div>
    </>
  )
}

const MoreFacts = ({ provider, onLogo, refresh }: Pick<ProviderInfoProps, 'provider' | 'onLogo' | 'refresh'>) => {
  const { fields } = words
  return (
    <>
      <Group heading={words.company}>
        <FactRow name={fields.logo}>
          <LogoField {...{ provider, onLogo, refresh }} />
        </FactRow>
        <FieldRows provider={provider} section="company" />
      </Group>
      <Group heading={words.places}>
        <FieldRows provider={provider} section="places" />
      </Group>
      <Group heading={words.compliance}>
        <FieldRows provider={provider} section="compliance" />
        <FactRow name={fields.registered}>{formatDay(provider.created_at)}</FactRow>
        <FactRow name={fields.account}>
          <Chip>{provider.is_active ? words.active : words.inactive}</Chip>
        </FactRow>
      </Group>
    </>
  )
}

const FieldRows = ({ provider, section }: { provider: Provider; section: ProviderFieldRow['section'] }) => {
  const values = valuesOf(provider)
  return providerFieldRows
    .filter(([, row]) => row.section === section)
    .map(([name, { kind, label }]) => (
      <FactRow key={name} name={label}>
        {kind === 'url' ? linkOf(values[name]) : orNotSet(values[name])}
      </FactRow>
    ))
}

const Group = ({ heading, children }: { heading: string; children: ReactNode }) => (
  <div className="mt-6">
    <h3 className="mb-2 font-semibold">{heading}</h3>
    <FactRows>{children}</FactRows>
  </div>
)

const NotSet = () => <span className="text-muted">{profileSection.notSet}</span>

const orNotSet = (value: string | null) => (value === null || value === '' ? <NotSet /> : value)

const linkOf = (url: string) => (url === '' ? <NotSet /> : <ExternalLink href={url}>{url}</ExternalLink>)
