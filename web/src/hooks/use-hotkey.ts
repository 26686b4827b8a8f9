import { useEffectEvent, useLayoutEffect } from 'react'

const typesText = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=dialog]'

/** Acts when this key is pressed, unless it is typed into a field or a dialog is open. */
export const useHotkey = (key: string, act: (event: KeyboardEvent) => void) => {
  const latest = useEffectEvent(act)
  // Before the first paint, so that an early key press counts.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (event.target instanceof Element && event.target.closest(typesText) !== null) return
      latest(event)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [key])
}
