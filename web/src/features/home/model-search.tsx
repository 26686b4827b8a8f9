import { Search } from 'lucide-react'
import { type FormEvent, useId, useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import { home } from '#messages/pages/home.ts'
import { maxSearchText } from '../../data/search-limits.ts'
import { Button } from '../../ui/controls/button.tsx'

const words = home.search

/** Opens the list of matching models. */
export const ModelSearch = () => {
  const id = useId()
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const text = input.current?.value.trim() ?? ''
    if (text !== '') void navigate(`/models?search=${encodeURIComponent(text)}`)
  }
  return (
    <search>
      <form onSubmit={submit}>
        <label htmlFor={id} className="font-semibold text-small">
          {words.label}
        </label>
        <div className="mt-1.5 flex flex-wrap gap-2">
          <input
            ref={input}
            id={id}
            type="search"
            enterKeyHint="search"
            maxLength={maxSearchText}
            placeholder={words.placeholder}
            className="h-10 min-w-0 grow basis-60 rounded-control border border-control bg-surface px-3 text-small placeholder:text-muted"
          />
          <Button type="submit">
            <Search aria-hidden size={16} />
            {words.submit}
          </Button>
        </div>
      </form>
    </search>
  )
}
