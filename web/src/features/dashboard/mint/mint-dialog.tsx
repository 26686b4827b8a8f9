import { isId, type Provider, type Verification } from '@countersign/sdk/contract'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { mintDialog } from '#messages/dashboard/mint.ts'
import { isRegistered } from '../../../data/provider.ts'
import { Failed } from '../../../failures/failed.tsx'
import { useAddressDialog } from '../../../hooks/use-address-dialog.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Dialog } from '../../../ui/controls/dialog.tsx'
import { Skeleton } from '../../../ui/layout/skeleton.tsx'
import { editProfileAddress } from '../shared/tab-names.ts'
import { MintForm } from './mint-form.tsx'
import { MintedLink } from './minted-link.tsx'
import { mintParameter } from './open-mint.ts'
import { useMintableModels } from './own-links.ts'

const words = mintDialog

/** Makes a link by hand, and shows it as a visitor would get it. */
export const MintDialog = ({ provider }: { provider: Provider }) => {
  const { value, close } = useAddressDialog(mintParameter)
  const [made, setMade] = useState<Verification | null>(null)
  const end = () => {
    setMade(null)
    close()
  }
  if (value === null) return null
  if (made !== null)
    return (
      <Dialog isOpen onClose={end} title={words.made.title} description={words.made.text}>
        <MintedLink link={made} isProven={provider.domain_verified} again={() => setMade(null)} onClose={end} />
      </Dialog>
    )
  return (
    <Dialog isOpen onClose={end} title={words.title} description={words.about}>
      {isRegistered(provider) ? (
        <Body provider={provider} chosen={isId('mdl', value) ? value : ''} onMade={setMade} onClose={end} />
      ) : (
        <Step text={words.unregistered} to={editProfileAddress} action={words.complete} />
      )}
    </Dialog>
  )
}

interface BodyProps {
  provider: Provider
  /** The ID of a model, or empty. */
  chosen: string
  onMade: (link: Verification) => void
  onClose: () => void
}

const Body = ({ provider, chosen, onMade, onClose }: BodyProps) => {
  const { models, failure, again } = useMintableModels(provider.id)
  if (models === undefined)
    return failure === undefined ? (
      <div role="status" className="grid gap-2 text-small">
        {words.loading}
        <Skeleton className="h-10" />
      </div>
    ) : (
      <Failed heading={words.failedToLoad} failure={failure} again={again} />
    )
  if (models.length === 0)
    return <Step text={words.noModels} to="/dashboard/models/register" action={words.registerModel} />
  return (
    <>
      {!provider.domain_verified && (
        <p className="mb-5 border-warn border-s-4 bg-warn-bg px-4 py-2 text-small">{words.unproven}</p>
      )}
      <MintForm models={models} chosen={chosen} onMade={onMade} onClose={onClose} />
    </>
  )
}

/** What has to be done before a link can be made. */
const Step = ({ text, to, action }: { text: string; to: string; action: string }) => (
  <div className="grid justify-items-start gap-4">
    <p>{text}</p>
    <Button asChild look="primary">
      <Link to={to}>{action}</Link>
    </Button>
  </div>
)
