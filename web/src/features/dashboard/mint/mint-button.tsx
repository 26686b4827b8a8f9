import { mintDialog } from '#messages/dashboard/mint.ts'
import { useAddressDialog } from '../../../hooks/use-address-dialog.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Allowed } from '../shared/allowed.tsx'
import { mintParameter } from './open-mint.ts'

/** Opens the dialog that mints a link. */
export const MintButton = ({ look = 'plain' }: { look?: 'primary' | 'plain' }) => {
  const minting = useAddressDialog(mintParameter)
  return (
    <Allowed action="verifications.create">
      <Button look={look} aria-haspopup="dialog" onClick={() => minting.open('new')}>
        {mintDialog.button}
      </Button>
    </Allowed>
  )
}
