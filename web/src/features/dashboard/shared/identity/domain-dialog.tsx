import type { Provider } from '@countersign/sdk/contract'
import { profileSection } from '#messages/dashboard/profile.ts'
import { Dialog } from '../../../../ui/controls/dialog.tsx'
import { toast } from '../../../../ui/controls/toast.ts'
import { DomainProving } from '../domain-proving.tsx'
import { checkOwnDomain } from './own-profile.ts'

const words = profileSection.domain

interface DomainDialogProps {
  provider: Provider
  onClose: () => void
  refresh: () => Promise<void>
}

/** Shows the record to publish and checks it. */
export const DomainDialog = ({ provider, onClose, refresh }: DomainDialogProps) => {
  const proof = provider.domain_proof
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={words.title(provider.domain ?? '')}
      {...(proof !== null && { description: words.text })}
    >
      {proof === null ? (
        <p>{provider.domain_verified ? words.confirmed : words.none}</p>
      ) : (
        <DomainProving
          proof={proof}
          check={checkOwnDomain}
          command="countersign providers verify-domain"
          onVerified={async () => {
            toast.success(words.confirmed)
            await refresh()
            onClose()
          }}
        />
      )}
    </Dialog>
  )
}
