import { Link, useSearchParams } from 'react-router-dom'
import { listWords as words } from '#messages/dashboard/list.ts'

export const rowsPerPage = 50

interface PagerProps {
  page: number
  /** How many rows this page has. */
  count: number
  /** How many the list has, in words. Unknown for some. */
  total?: string | undefined
  hasNext: boolean
  canChoose: boolean
}

/** The end of a list: which rows these are, the keys that work on them, and the next page. */
export const Pager = ({ page, count, total, hasNext, canChoose }: PagerProps) => {
  const [params] = useSearchParams()
  const first = (page - 1) * rowsPerPage
  const last = first + count
  const addressOf = (other: number) => {
    const after = new URLSearchParams(params)
    if (other === 1) after.delete('page')
    else after.set('page', String(other))
    return `?${after}`
  }
  const { move, choose, open, help } = words.keys
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 py-3 text-muted text-small">
      <p>{total === undefined ? words.rangeOpen(first + 1, last) : words.range(first + 1, last, total)}</p>
      <p aria-hidden className="hidden lg:block">
        <kbd>↑</kbd> <kbd>↓</kbd> {move}
        {canChoose && ` · space ${choose}`} · enter {open} · <kbd>?</kbd> {help}
      </p>
      {(page > 1 || hasNext) && (
        <nav aria-label={words.pages} className="flex gap-4">
          {page > 1 && (
            <Link to={addressOf(page - 1)} rel="prev" className="link inline-flex min-h-8 items-center">
              {words.previous}
            </Link>
          )}
          {hasNext && (
            <Link to={addressOf(page + 1)} rel="next" className="link inline-flex min-h-8 items-center">
              {words.next}
            </Link>
          )}
        </nav>
      )}
    </div>
  )
}
