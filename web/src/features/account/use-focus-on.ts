import { useEffect, useRef } from 'react'
import { focusPageMain } from '../../ui/layout/page-main.tsx'

/** Another view under the same address is another page to whoever cannot see it: reading starts at its content. */
export const useFocusOn = (view: string) => {
  const shown = useRef(view)
  useEffect(() => {
    if (shown.current === view) return
    shown.current = view
    // A field that wants to be mended has it already.
    if (document.activeElement?.matches('main input')) return
    focusPageMain()
    scrollTo(0, 0)
  }, [view])
}
