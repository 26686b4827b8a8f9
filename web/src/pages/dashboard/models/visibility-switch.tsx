import type { Model } from '@countersign/sdk/contract'
import { modelsTab } from '#messages/dashboard/models.ts'
import { explainFailure } from '../../../data/failure.ts'
import { setModelVisibility } from '../../../data/own-models.ts'
import { Switch } from '../../../ui/switch.tsx'
import { toast } from '../../../ui/toast.ts'
import { nameOf } from './names.ts'

const words = modelsTab

export const VisibilitySwitch = ({ model }: { model: Model }) => {
  const change = async (isPublic: boolean) => {
    try {
      await setModelVisibility(model.id, isPublic)
      toast.success(isPublic ? words.visibility.isPublic : words.visibility.isPrivate)
    } catch (failure) {
      toast.error(words.visibility.failed, { description: explainFailure(failure) })
    }
  }
  return (
    <Switch
      label={words.card.isPublic}
      aria-label={words.card.of(words.card.isPublic, nameOf(model))}
      isOn={model.is_public}
      onSwitch={(isOn) => void change(isOn)}
    />
  )
}
