import { DropdownMenu } from 'radix-ui'
import { useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import { listWords } from '#messages/dashboard/list.ts'
import { classes } from '../ui/classes.ts'

/** An action on a row: a place to go, or something to do. */
export interface MenuItem {
  label: string
  to?: string
  act?: () => void
  /** Shown in red and below a line. */
  isDestructive?: boolean
}

interface RowMenuProps {
  /** Names the row. */
  name: string
  tabIndex: number
  /** Read when the menu opens. */
  itemsOf: () => readonly MenuItem[]
}

const itemLook =
  'flex min-h-9 cursor-pointer items-center rounded-control px-3 text-small outline-none data-highlighted:bg-sunken'

/** The one menu of a row. Not moved to the end of the page, where it would be outside of every landmark. */
export const RowMenu = ({ name, tabIndex, itemsOf }: RowMenuProps) => {
  const trigger = useRef<HTMLButtonElement>(null)
  // A dialog opens after the menu has closed: otherwise each would take the focus from the other.
  const chosen = useRef<() => void>(undefined)
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger
        ref={trigger}
        tabIndex={tabIndex}
        aria-label={listWords.menuOf(name)}
        className="size-9 cursor-pointer rounded-control font-bold text-body leading-none hover:bg-sunken data-[state=open]:bg-sunken"
      >
        ⋯
      </DropdownMenu.Trigger>
      <DropdownMenu.Content
        align="end"
        sideOffset={4}
        collisionPadding={8}
        className="z-20 max-h-(--radix-dropdown-menu-content-available-height) min-w-44 max-w-72 overflow-y-auto rounded-surface text-start border border-line bg-surface p-1 shadow-lg"
        onCloseAutoFocus={(event) => {
          const act = chosen.current
          chosen.current = undefined
          if (act === undefined) return
          event.preventDefault()
          trigger.current?.focus()
          act()
        }}
      >
        <Items
          itemsOf={itemsOf}
          choose={(act) => {
            chosen.current = act
          }}
        />
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  )
}

const Items = ({ itemsOf, choose }: Pick<RowMenuProps, 'itemsOf'> & { choose: (act: () => void) => void }) => {
  const navigate = useNavigate()
  return itemsOf().map(({ label, to, act = () => undefined, isDestructive = false }) => (
    <DropdownMenu.Item
      key={label}
      className={classes(itemLook, isDestructive && 'text-bad')}
      onSelect={() =>
        choose(to === undefined ? act : () => void navigate(to, { preventScrollReset: to.startsWith('?') }))
      }
    >
      {label}
    </DropdownMenu.Item>
  ))
}
