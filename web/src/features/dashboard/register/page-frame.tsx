import type { ReactNode } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { register } from '#messages/dashboard/register.ts'
import { useOwnProvider } from '../../../data/provider.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { PageMain } from '../../../ui/layout/page-main.tsx'
import { ProviderIdentity } from '../../../ui/values/provider-identity.tsx'
import { StatusChip } from '../../../ui/values/status-chip.tsx'
import type { PageWords } from '../model-form/model-form.tsx'

const words = register

export const pageWords: PageWords = {
  advanced: { show: words.showAdvanced, hide: words.hideAdvanced },
  versionSection: words.versionSection,
  failed: words.failed,
  failedUnknown: words.failedUnknown,
  conflict: words.conflict,
  shortName: words.shortName,
}

export const useToModels = () => {
  const navigate = useNavigate()
  return () => void navigate('/dashboard?tab=models')
}

/** The page around the form. */
export const PageFrame = ({ state, heading, children }: { state: string; heading: string; children: ReactNode }) => {
  const navigate = useNavigate()
  return (
    <PageMain
      state={state}
      busy={state === 'loading'}
      className="mx-auto w-full max-w-record px-4 pt-6 pb-16 sm:px-6 md:pt-8"
    >
      <Button onClick={() => void navigate(-1)}>{words.back}</Button>
      <h1 className="mt-5 font-bold text-app">{heading}</h1>
      <p className="mt-1 max-w-prose text-muted text-small">{words.status}</p>
      <For />
      <div className="mt-8">{children}</div>
    </PageMain>
  )
}

/** The provider that will own the model. */
const For = () => {
  const { provider } = useOwnProvider()
  if (provider === undefined) return null
  return (
    <div className="mt-6 border-line border-t pt-4">
      <p className="text-muted text-small">{words.for}</p>
      <p className="mt-1 flex flex-wrap items-center gap-3">
        <ProviderIdentity name={provider.company_name} domain={provider.domain} isVerified={provider.domain_verified} />
        {provider.domain_verified && <StatusChip tone="ok">{words.verified}</StatusChip>}
      </p>
      {provider.email !== null && <p className="mt-1 break-words text-muted text-small">{provider.email}</p>}
      {!provider.domain_verified && (
        <p className="mt-2 max-w-prose text-muted text-small">
          {words.notVerified}{' '}
          <Link to="/dashboard" className="link">
            {words.toVerify}
          </Link>
        </p>
      )}
    </div>
  )
}
