import type { Model } from '@countersign/sdk/contract'
import { useState } from 'react'
import { modelsTab } from '#messages/dashboard/models.ts'
import { failures } from '#messages/failures.ts'
import { explainFailure } from '../../../failures/failure.ts'
import { Switch } from '../../../ui/controls/switch.tsx'
import { toast } from '../../../ui/controls/toast.ts'
import { nameOf } from './names.ts'
import { setModelVisibility } from './own-models.ts'

const words = modelsTab

export const VisibilitySwitch = ({ model }: { model: Model }) => {
  const [isChanging, setIsChanging] = useState(false)
  const change = async (isPublic: boolean) => {
    setIsChanging(true)
    try {
      await setModelVisibility(model, isPublic)
      toast.success(isPublic ? words.visibility.isPublic : words.visibility.isPrivate)
    } catch (failure) {
      toast.error(words.visibility.failed, { description: explainFailure(failure, failures.modelVisibility) })
    } finally {
      setIsChanging(false)
    }
  }
  return (
    <Switch
      label={words.card.isPublic}
      aria-label={words.card.of(words.card.isPublic, nameOf(model))}
      isOn={model.is_public}
      aria-disabled={isChanging}
      onSwitch={(isOn) => isChanging || void change(isOn)}
    />
  )
}
