import { memo, useId, useState } from 'react'
import { modelsTab } from '#messages/dashboard/models.ts'
import { Button } from '../../../ui/controls/button.tsx'
import type { OpenDialog } from './dialogs/dialog-names.ts'
import { nameOf } from './names.ts'
import type { ModelGroup } from './own-model-groups.ts'
import { VersionCard } from './version-card.tsx'

const words = modelsTab.card

interface GroupRowProps {
  group: ModelGroup
  isChosen: boolean
  choose: (identifier: string) => void
  open: OpenDialog
}

/** A model: its newest version, and on demand the earlier ones. */
const DrawnRow = ({ group: { identifier, newest, versions }, isChosen, choose, open }: GroupRowProps) => {
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  const others = versions.filter((version) => version !== newest)
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 border-line border-b py-5">
      <input
        type="checkbox"
        aria-label={words.choose(nameOf(newest))}
        checked={isChosen}
        onChange={() => choose(identifier)}
        className="mt-0.5 size-5 accent-ink"
      />
      <div className="min-w-0">
        <VersionCard model={newest} isNewest open={open} />
        {others.length > 0 && (
          <Button
            className="mt-3 min-h-8! px-3! py-1!"
            aria-expanded={isOpen}
            aria-controls={id}
            aria-label={words.of(isOpen ? words.hideVersions : words.showVersions(versions.length), nameOf(newest))}
            onClick={() => setIsOpen(!isOpen)}
          >
            {isOpen ? words.hideVersions : words.showVersions(versions.length)}
          </Button>
        )}
        <ul
          id={id}
          aria-label={words.older(nameOf(newest))}
          hidden={!isOpen}
          className="mt-3 border-line border-s-2 ps-4 sm:ps-6"
        >
          {isOpen &&
            others.map((version) => (
              <li key={version.id} className="border-line border-t py-4 first:border-t-0">
                <VersionCard model={version} isNewest={false} open={open} />
              </li>
            ))}
        </ul>
      </div>
    </li>
  )
}

/** Groups are rebuilt on every change; re-render a row only if its own versions changed. */
const isSame = (before: GroupRowProps, after: GroupRowProps) =>
  before.isChosen === after.isChosen &&
  before.choose === after.choose &&
  before.open === after.open &&
  before.group.newest === after.group.newest &&
  before.group.versions.length === after.group.versions.length &&
  before.group.versions.every((version, index) => version === after.group.versions[index])

export const GroupRow = memo(DrawnRow, isSame)
