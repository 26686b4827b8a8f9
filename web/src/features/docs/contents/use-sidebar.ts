import { useEffect, useState } from 'react'

const cookieName = 'sidebar_state'
const weekSeconds = 7 * 24 * 60 * 60

const readOpen = () => !document.cookie.split('; ').includes(`${cookieName}=false`)

const isTyping = ({ target }: KeyboardEvent) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))

/** Whether the sidebar is open: stored for seven days, toggled by Ctrl+B or ⌘B. */
export const useSidebar = () => {
  const [isOpen, setIsOpen] = useState(readOpen)
  const toggle = () =>
    setIsOpen((wasOpen) => {
      // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store
      document.cookie = `${cookieName}=${!wasOpen}; path=/; max-age=${weekSeconds}; samesite=lax`
      return !wasOpen
    })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (
        event.key.toLowerCase() !== 'b' ||
        !(event.ctrlKey || event.metaKey) ||
        event.altKey ||
        event.shiftKey ||
        isTyping(event)
      )
        return
      event.preventDefault()
      toggle()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  })
  return { isOpen, toggle }
}
