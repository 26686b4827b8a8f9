import { lazy, Suspense } from 'react'
import { useMay } from '../../../../data/role.ts'
import { useAddressDialog } from '../../../../hooks/use-address-dialog.ts'
import { useVerifyActions, VerifyDialogs } from '../../shared/identity/verify-dialogs.tsx'
import type { TabProps } from '../../shared/tab-props.ts'
import { ProviderInfo } from './provider-info.tsx'

const LogoDialog = lazy(() => import('./logo/logo-dialog.tsx').then(({ LogoDialog }) => ({ default: LogoDialog })))

/** What visitors read about the provider. */
export const ProfileSection = ({ provider, refresh }: TabProps) => {
  const editing = useAddressDialog('edit')
  const logo = useAddressDialog('logo')
  const may = useMay()
  return (
    <>
      <ProviderInfo
        provider={provider}
        isEditing={editing.value !== null && may('providers.update')}
        onEdit={() => editing.open('profile')}
        onEnd={editing.close}
        onVerify={useVerifyActions()}
        onLogo={() => logo.open('change')}
        refresh={refresh}
      />
      <VerifyDialogs provider={provider} refresh={refresh} />
      <Suspense>
        {logo.value !== null && may('providers.uploadLogo') && (
          <LogoDialog provider={provider} onClose={logo.close} refresh={refresh} />
        )}
      </Suspense>
    </>
  )
}
