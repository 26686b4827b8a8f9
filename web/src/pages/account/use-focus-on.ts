import { useEffect, useRef } from 'react'
import { focusPageMain } from '../../ui/page-main.tsx'

/** Another view under the same address is another page to whoever cannot see it: reading starts at its content. */
export const useFocusOn = (view: string) => {
  const shown = useRef(view)
  useEffect(() => {
    if (shown.current === view) return
    shown.current = view
    focusPageMain()
    scrollTo(0, 0)
  }, [view])
}
