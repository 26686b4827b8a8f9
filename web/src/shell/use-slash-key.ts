import type { RefObject } from 'react'
import { useHotkey } from '../hooks/use-hotkey.ts'

/** `/` focuses the search, unless typed into a field. */
export const useSlashKey = (input: RefObject<HTMLInputElement | null>) =>
  useHotkey('/', (event) => {
    const field = input.current
    if (field === null || field.offsetParent === null) return
    event.preventDefault()
    field.focus()
    field.select()
  })
