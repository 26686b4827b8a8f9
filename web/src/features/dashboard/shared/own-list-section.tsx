import { type ReactNode, useState } from 'react'
import { useMay } from '../../../data/role.ts'
import type { Action } from '../../../data/role-rules.ts'
import { ConfirmDialog } from '../../../forms/confirm-dialog.tsx'
import { Button } from '../../../ui/controls/button.tsx'
import { toast } from '../../../ui/controls/toast.ts'
import { Section } from '../../../ui/layout/section.tsx'
import { SectionBody } from '../settings/section-body.tsx'
import { Allowed } from './allowed.tsx'
import { FirstStep } from './first-step.tsx'

interface OwnListSectionProps<Data, Item> {
  heading: string
  className?: string
  words: { about: string; failed: string; none: { heading: string; text: string }; list: string; add: string }
  /** The command that adds the first one. */
  command: string
  own: { data: Data | undefined; failure: unknown; again: () => Promise<unknown> }
  itemsOf: (data: Data) => readonly Item[]
  row: (item: Item, data: Data, remove: (() => void) | undefined) => ReactNode
  /** What adds an item, and what removes one. */
  actions: { add: Action; remove: Action }
  /** Opens the form. */
  add: () => void
  /** Loads the form before it is opened. */
  preload: () => void
  removal: {
    words: { title: string; text: (line: string) => string; action: string; doing: string; done: string }
    /** The item in one line. */
    lineOf: (item: Item) => string
    act: (id: string) => Promise<void>
  }
  /** Dialogs. */
  children?: ReactNode
}

/** A short list of what the provider trusts or declares, each of which can be removed after a question. */
export const OwnListSection = <Data, Item extends { id: string }>(props: OwnListSectionProps<Data, Item>) => {
  const {
    heading,
    className = 'mt-8',
    words,
    command,
    own,
    itemsOf,
    row,
    actions,
    add,
    preload,
    removal,
    children,
  } = props
  const [removing, setRemoving] = useState<Item | null>(null)
  const may = useMay()
  const button = (
    <Allowed action={actions.add} isExplained>
      <Button look="primary" aria-haspopup="dialog" onPointerEnter={preload} onFocus={preload} onClick={add}>
        {words.add}
      </Button>
    </Allowed>
  )
  const remove = async ({ id }: Item) => {
    try {
      await removal.act(id)
    } catch (failure) {
      await own.again()
      throw failure
    }
    toast.success(removal.words.done)
  }
  return (
    <Section heading={heading} className={className}>
      <p className="max-w-prose text-muted text-small">{words.about}</p>
      <div className="mt-5">
        <SectionBody data={own.data} failure={own.failure} failed={words.failed} again={own.again}>
          {(data) => {
            const items = itemsOf(data)
            return items.length === 0 ? (
              <FirstStep action={actions.add} heading={words.none.heading} text={words.none.text} command={command}>
                {button}
              </FirstStep>
            ) : (
              <>
                {button}
                <ul aria-label={words.list} className="mt-5 border-line border-b">
                  {items.map((item) => row(item, data, may(actions.remove) ? () => setRemoving(item) : undefined))}
                </ul>
              </>
            )
          }}
        </SectionBody>
      </div>
      {may(actions.add) && children}
      {removing && (
        <ConfirmDialog
          title={removal.words.title}
          description={removal.words.text(removal.lineOf(removing))}
          action={removal.words.action}
          doing={removal.words.doing}
          act={() => remove(removing)}
          onClose={() => setRemoving(null)}
        />
      )}
    </Section>
  )
}
