import type { Provider } from '@countersign/sdk/contract'
import { useState } from 'react'
import { settingsTab } from '#messages/dashboard/settings.ts'
import { explainFailure } from '../../../failures/failure.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { toast } from '../../../ui/controls/toast.ts'
import { Allowed } from './allowed.tsx'
import { setActive } from './own-organization.ts'

const { pause } = settingsTab.organization
const own = { confirm: pause.back, confirming: pause.backDoing, done: pause.backDone }

interface Props {
  id: Provider['id']
  look?: 'primary'
  words?: Readonly<Record<keyof typeof own, string>>
}

export const ReactivateButton = ({ id, look, words = own }: Props) => {
  const [isActing, setIsActing] = useState(false)
  const comeBack = async () => {
    if (isActing) return
    setIsActing(true)
    try {
      await setActive(id, true)
      toast.success(words.done)
    } catch (failure) {
      toast.error(pause.backFailed, { description: explainFailure(failure) })
    }
    setIsActing(false)
  }
  return (
    <Allowed action="providers.reactivate" isExplained>
      <Button {...(look && { look })} aria-disabled={isActing} onClick={() => void comeBack()}>
        {isActing ? words.confirming : words.confirm}
      </Button>
    </Allowed>
  )
}
