import { useCallback } from 'react'
import { useSearchParams } from 'react-router-dom'

/**
 * A dialog that is open if the address has `?name=value`. It reopens after signing in again, and going back
 * closes it. Null if closed.
 */
export const useAddressDialog = (name: string) => {
  const [search, setSearch] = useSearchParams()
  const open = useCallback(
    (value: string) =>
      setSearch(
        (before) => {
          before.set(name, value)
          return before
        },
        { preventScrollReset: true },
      ),
    [name, setSearch],
  )
  const close = useCallback(
    () =>
      setSearch(
        (before) => {
          before.delete(name)
          return before
        },
        { replace: true, preventScrollReset: true },
      ),
    [name, setSearch],
  )
  return { value: search.get(name), open, close }
}
