import type { ReactNode } from 'react'
import { classes } from '../classes.ts'

const contentId = 'content'

/** The main element of a page; `state` is for tests and styles. While loading, it fills the window so that the footer does not jump. */
export const PageMain = ({
  state,
  busy,
  className,
  children,
}: {
  state?: string
  busy?: boolean
  className?: string
  children: ReactNode
}) => (
  <main
    id={contentId}
    tabIndex={-1}
    data-state={state}
    aria-busy={busy}
    className={classes('grow', state === 'loading' && 'min-h-svh', className)}
  >
    {children}
  </main>
)

export const SkipLink = ({ children }: { children: ReactNode }) => (
  <a
    href={`#${contentId}`}
    className="link sr-only rounded-control bg-surface focus:not-sr-only focus:absolute focus:px-4! focus:py-2! focus:start-4 focus:top-3 focus:z-10"
  >
    {children}
  </a>
)

/** Moves the focus to the content after a navigation. */
export const focusPageMain = () => document.getElementById(contentId)?.focus({ preventScroll: true })
