import type { Model } from '@countersign/sdk/contract'
import { useState } from 'react'
import { modelsTab } from '#messages/dashboard/models.ts'
import { useMay } from '../../../data/role.ts'
import { Switch } from '../../../ui/controls/switch.tsx'
import { useRoleWords } from '../shared/allowed.tsx'
import { nameOf } from './names.ts'
import { changeVisibility } from './version-menu.ts'

const words = modelsTab.card

export const VisibilitySwitch = ({ model }: { model: Model }) => {
  const roleWords = useRoleWords()
  const isAllowed = useMay()('models.setVisibility')
  const [isChanging, setIsChanging] = useState(false)
  const change = async (isPublic: boolean) => {
    setIsChanging(true)
    await changeVisibility(model, isPublic)
    setIsChanging(false)
  }
  return (
    <Switch
      label={words.isPublic}
      aria-label={words.of(words.isPublic, nameOf(model))}
      isOn={model.is_public}
      hint={isAllowed ? '' : roleWords('models.setVisibility')}
      disabled={!isAllowed}
      aria-disabled={isChanging}
      onSwitch={(isOn) => isChanging || void change(isOn)}
    />
  )
}
