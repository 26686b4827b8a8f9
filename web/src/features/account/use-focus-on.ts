import { useEffect, useRef } from 'react'
import { focusPageMain } from '../../ui/layout/page-main.tsx'

/** Moves the focus to the content when the view changes under the same address, as for a new page. */
export const useFocusOn = (view: string) => {
  const shown = useRef(view)
  useEffect(() => {
    if (shown.current === view) return
    shown.current = view
    // An invalid field already has the focus.
    if (document.activeElement?.matches('main input')) return
    focusPageMain()
    scrollTo(0, 0)
  }, [view])
}
