import { type FormEvent, useRef } from 'react'
import { useNavigate } from 'react-router-dom'

/** The search of the header. */
export const SearchBox = () => {
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const text = input.current?.value.trim() ?? ''
    if (text !== '') void navigate(`/search?q=${encodeURIComponent(text)}`)
  }
  return (
    <form onSubmit={submit} className="w-full max-w-sm">
      <input
        ref={input}
        type="search"
        aria-label="Search"
        className="h-10 w-full rounded-control border border-control bg-surface px-3 text-small"
      />
    </form>
  )
}
