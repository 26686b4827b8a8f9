import type { Provider } from '@countersign/sdk/contract'
import { useState } from 'react'
import { profileSection } from '#messages/dashboard/profile.ts'
import { failures } from '#messages/failures.ts'
import { isRegistered } from '../../../../data/provider.ts'
import { useMay } from '../../../../data/role.ts'
import { explainFailure } from '../../../../failures/failure.ts'
import { Switch } from '../../../../ui/controls/switch.tsx'
import { toast } from '../../../../ui/controls/toast.ts'
import { useRoleWords } from '../allowed.tsx'
import { setListed } from './own-profile.ts'

const words = profileSection.listing

interface ListingSwitchProps {
  provider: Provider
  /** In edit mode: the choice, applied on Save. */
  draft?: { isListed: boolean; set: (isListed: boolean) => void }
}

/** Saves at once, except in edit mode. Only registered providers can be listed. */
export const ListingSwitch = ({ provider, draft }: ListingSwitchProps) => {
  const [isChanging, setIsChanging] = useState(false)
  const roleWords = useRoleWords()
  const may = useMay()('providers.setVisibility')
  const isAllowed = may && isRegistered(provider)
  const isOn = draft ? draft.isListed : provider.is_listed
  const change = async (isListed: boolean) => {
    setIsChanging(true)
    try {
      const changed = await setListed(provider.id, isListed)
      if (changed.is_listed === isListed) toast.success(isListed ? words.listed : words.unlisted)
      else toast.error(words.failed, { description: changed.message })
    } catch (failure) {
      toast.error(words.failed, { description: explainFailure(failure, failures.providerVisibility) })
    } finally {
      setIsChanging(false)
    }
  }
  const hint = () => {
    if (!may) return roleWords('providers.setVisibility')
    if (!isAllowed) return words.unregistered
    const hint = isOn ? words.onHint : words.offHint
    return draft && draft.isListed !== provider.is_listed ? `${hint} ${words.onSave}` : hint
  }
  return (
    <div>
      <Switch
        label={`${words.label}: ${isOn ? words.on : words.off}`}
        hint={hint()}
        isOn={isOn}
        disabled={!isAllowed}
        aria-disabled={isChanging}
        onSwitch={(isListed) => {
          if (draft) draft.set(isListed)
          else if (!isChanging) void change(isListed)
        }}
      />
    </div>
  )
}
