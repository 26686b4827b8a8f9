import { limits, type Model } from '@countersign/sdk/contract'
import { modelsTab } from '#messages/dashboard/models.ts'
import { failures } from '#messages/failures.ts'
import type { Action } from '../../../data/role-rules.ts'
import { explainFailure } from '../../../failures/failure.ts'
import type { MenuItem } from '../../../lists/row-menu.tsx'
import { toast } from '../../../ui/controls/toast.ts'
import type { OpenDialog } from './dialogs/dialog-names.ts'
import type { ModelRow } from './model-rows.ts'
import { setModelVisibility, syncModel, unarchiveModel } from './own-models.ts'

const words = modelsTab.card
const minuteMs = 60_000

/** The minutes left for editing a version; 0 afterwards. */
const minutesLeft = ({ can_quick_edit, created_at }: Pick<Model, 'can_quick_edit' | 'created_at'>, now: number) =>
  can_quick_edit
    ? Math.max(0, Math.ceil((Date.parse(created_at) + limits.quickEditSeconds * 1_000 - now) / minuteMs))
    : 0

export const changeVisibility = async (model: Model, isPublic: boolean) => {
  const { visibility } = modelsTab
  try {
    await setModelVisibility(model, isPublic)
    toast.success(isPublic ? visibility.isPublic : visibility.isPrivate)
  } catch (failure) {
    toast.error(visibility.failed, { description: explainFailure(failure, failures.modelVisibility) })
  }
}

const sync = async ({ id }: Model) => {
  const { done, none, fields, failed } = modelsTab.sync
  try {
    const { updated_fields } = await syncModel(id)
    toast.success(done, { description: updated_fields.length === 0 ? none : fields(updated_fields.join(', ')) })
  } catch (failure) {
    toast.error(failed, { description: explainFailure(failure) })
  }
}

const unarchive = async ({ id, display_name }: Model) => {
  const { done, text, failed } = modelsTab.unarchive
  try {
    await unarchiveModel(id)
    toast.success(done(display_name), { description: text })
  } catch (failure) {
    toast.error(failed, { description: explainFailure(failure) })
  }
}

interface MenuDeps {
  open: OpenDialog
  /** Shows or hides the other versions. */
  unfold: (identifier: string) => void
  now: number
  /** Whether the role allows it. */
  may: (action: Action) => boolean
}

/** What the owner can do with a version. */
export const versionMenu = (
  { model, versions, isOpen, isOlder }: ModelRow,
  { open, unfold, now, may }: MenuDeps,
): MenuItem[] => {
  const { id, api_model_identifier, archived_at, is_public } = model
  const left = minutesLeft(model, now)
  const isArchived = archived_at !== null
  const dialog = (label: string, name: Parameters<OpenDialog>[0]) => ({ label, act: () => open(name, id) })
  return [
    { label: words.view, to: `/models/${id}` },
    dialog(words.details, 'details'),
    ...(versions > 1
      ? [
          {
            label: isOpen ? words.hideVersions : words.showVersions(versions),
            act: () => unfold(api_model_identifier),
          },
        ]
      : []),
    dialog(words.history, 'history'),
    ...(isOlder || !may('models.register') ? [] : [dialog(words.newVersion, 'version')]),
    ...(left > 0 && may('models.quickEdit') ? [dialog(words.editFor(left), 'edit')] : []),
    dialog(words.looks.bundle, 'bundle'),
    dialog(words.looks.health, 'health'),
    dialog(words.looks.access, 'access'),
    ...(model.huggingface_model_id !== null && !isArchived && may('models.syncHuggingface')
      ? [{ label: words.sync, act: () => void sync(model) }]
      : []),
    ...(isArchived && may('models.unarchive') ? [{ label: words.unarchive, act: () => void unarchive(model) }] : []),
    ...(!isArchived && may('models.setVisibility')
      ? [
          {
            label: is_public ? words.makePrivate : words.makePublic,
            act: () => void changeVisibility(model, !is_public),
          },
        ]
      : []),
    ...(!isArchived && may('models.archive') ? [{ ...dialog(words.archive, 'archive'), isDestructive: true }] : []),
  ]
}
