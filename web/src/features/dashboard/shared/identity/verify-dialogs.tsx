import type { Provider } from '@countersign/sdk/contract'
import { lazy, Suspense } from 'react'
import { useMay } from '../../../../data/role.ts'
import { useAddressDialog } from '../../../../hooks/use-address-dialog.ts'

const MailDialog = lazy(() => import('./mail-dialog.tsx').then(({ MailDialog }) => ({ default: MailDialog })))
const DomainDialog = lazy(() => import('./domain-dialog.tsx').then(({ DomainDialog }) => ({ default: DomainDialog })))

const parameter = 'verify'

/** Opens the dialogs that prove the mailbox and the domain. */
export const useVerifyActions = () => {
  const asking = useAddressDialog(parameter)
  return { email: () => asking.open('email'), domain: () => asking.open('domain') }
}

interface VerifyDialogsProps {
  provider: Provider
  refresh: () => Promise<void>
}

/** The dialog named in the address. */
export const VerifyDialogs = ({ provider, refresh }: VerifyDialogsProps) => {
  const asking = useAddressDialog(parameter)
  const may = useMay()
  return (
    <Suspense>
      {asking.value === 'email' && may('auth.sendVerification') && !provider.email_verified && (
        <MailDialog email={provider.email} onClose={asking.close} refresh={refresh} />
      )}
      {asking.value === 'domain' && may('providers.verifyDomain') && (
        <DomainDialog provider={provider} onClose={asking.close} refresh={refresh} />
      )}
    </Suspense>
  )
}
