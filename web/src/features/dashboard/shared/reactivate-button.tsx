import type { Provider } from '@countersign/sdk/contract'
import { useState } from 'react'
import { settingsTab } from '#messages/dashboard/settings.ts'
import { explainFailure } from '../../../failures/failure.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { toast } from '../../../ui/controls/toast.ts'
import { setActive } from './own-organization.ts'

const words = settingsTab.organization.pause

export const ReactivateButton = ({ id, look }: { id: Provider['id']; look?: 'primary' }) => {
  const [isActing, setIsActing] = useState(false)
  const comeBack = async () => {
    if (isActing) return
    setIsActing(true)
    try {
      await setActive(id, true)
      toast.success(words.backDone)
    } catch (failure) {
      toast.error(words.backFailed, { description: explainFailure(failure) })
    }
    setIsActing(false)
  }
  return (
    <Button {...(look && { look })} aria-disabled={isActing} onClick={() => void comeBack()}>
      {isActing ? words.backDoing : words.back}
    </Button>
  )
}
