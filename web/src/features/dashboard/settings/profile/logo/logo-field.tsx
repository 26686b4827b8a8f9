import type { Provider } from '@countersign/sdk/contract'
import { useState } from 'react'
import { profileSection } from '#messages/dashboard/profile.ts'
import { useMay } from '../../../../../data/role.ts'
import { ConfirmDialog } from '../../../../../forms/confirm-dialog.tsx'
import { Button } from '../../../../../ui/controls/button.tsx'
import { toast } from '../../../../../ui/controls/toast.ts'
import { ProviderLogo } from '../../../../../ui/values/provider-logo.tsx'
import { removeLogo } from '../../../shared/identity/own-profile.ts'

const words = profileSection.logo

interface LogoFieldProps {
  provider: Provider
  onLogo: () => void
  refresh: () => Promise<void>
}

/** The current logo and its actions. */
export const LogoField = ({ provider, onLogo, refresh }: LogoFieldProps) => {
  const may = useMay()
  const [isRemoving, setIsRemoving] = useState(false)
  const name = provider.company_name ?? provider.id
  const hasLogo = provider.logo_url !== null
  return (
    <div className="flex flex-wrap items-center gap-4">
      {hasLogo ? (
        <ProviderLogo url={provider.logo_url} name={name} isProven size={80} />
      ) : (
        <span className="text-muted">{profileSection.notSet}</span>
      )}
      <div className="flex flex-wrap gap-3">
        {may('providers.uploadLogo') && <Button onClick={onLogo}>{hasLogo ? words.change : words.add}</Button>}
        {hasLogo && may('providers.deleteLogo') && (
          <Button look="dangerPlain" onClick={() => setIsRemoving(true)}>
            {words.remove}
          </Button>
        )}
      </div>
      {isRemoving && (
        <ConfirmDialog
          title={words.removeTitle(name)}
          description={words.removeText}
          action={words.remove}
          doing={words.removing}
          act={async () => {
            await removeLogo(provider.id)
            toast.success(words.removed)
            await refresh()
          }}
          onClose={() => setIsRemoving(false)}
        />
      )}
    </div>
  )
}
