import { type RefObject, useLayoutEffect } from 'react'

const typesText = 'input, textarea, select, [contenteditable], [role=dialog]'

/** `/` focuses the search, unless typed into a field. */
export const useSlashKey = (input: RefObject<HTMLInputElement | null>) => {
  // Before the first paint, so that an early key press counts.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      const isTyping = event.target instanceof Element && event.target.closest(typesText) !== null
      const field = input.current
      if (isTyping || field === null || field.offsetParent === null) return
      event.preventDefault()
      field.focus()
      field.select()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [input])
}
