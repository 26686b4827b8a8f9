import { useCallback, useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { Action } from '../../../../data/role-rules.ts'

/** The dialogs of this tab, as named in the address with their version. */
export const dialogNames = [
  'details',
  'register',
  'edit',
  'version',
  'archive',
  'history',
  'health',
  'bundle',
  'access',
] as const
export type DialogName = (typeof dialogNames)[number]

export type OpenDialog = (name: DialogName, id: string) => void

const needed: Partial<Record<DialogName, Action>> = {
  register: 'models.register',
  edit: 'models.quickEdit',
  version: 'models.register',
  archive: 'models.archive',
}

/** Whether the role allows what the dialog is for. */
export const mayOpen = (may: (action: Action) => boolean, name: DialogName) => {
  const action = needed[name]
  return action === undefined || may(action)
}

/** The dialog named in the address. `open` is stable, so that rows don't re-render. */
export const useModelDialog = () => {
  const [search, setSearch] = useSearchParams()
  const latest = useRef(setSearch)
  useEffect(() => {
    latest.current = setSearch
  })
  const go = useCallback((name: DialogName | null, id: string) => {
    latest.current(
      (before) => {
        for (const other of dialogNames) before.delete(other)
        if (name !== null) before.set(name, id)
        return before
      },
      { preventScrollReset: true, replace: name === null },
    )
  }, [])
  const name = dialogNames.find((each) => search.has(each))
  return {
    shown: name === undefined ? undefined : { name, id: search.get(name) ?? '' },
    open: useCallback<OpenDialog>((opened, id) => go(opened, id), [go]),
    close: useCallback(() => go(null, ''), [go]),
  }
}
