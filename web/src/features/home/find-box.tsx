import { Search } from 'lucide-react'
import { type FormEvent, useId, useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import { home } from '#messages/pages/home.ts'
import { registryHost } from '../../data/registry.ts'
import { Button } from '../../ui/controls/button.tsx'

const words = home.find

const pathOfWords = (text: string) => `/models?search=${encodeURIComponent(text)}`

/** Takes a link, a code, an ID, a digest, a domain or words, and opens what it names. */
export const FindBox = () => {
  const id = useId()
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const text = input.current?.value.trim() ?? ''
    if (text === '') return
    const { findPath } = await import('../../data/find-path.ts')
    await navigate(await findPath(text, { ownHost: registryHost, pathOfWords }))
  }
  return (
    <search>
      <form onSubmit={submit} noValidate>
        <label htmlFor={id} className="font-semibold text-small">
          {words.label}
        </label>
        <div className="mt-1.5 flex flex-wrap gap-2">
          <input
            ref={input}
            id={id}
            type="search"
            enterKeyHint="search"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            aria-describedby={`${id}-hint`}
            className="h-10 min-w-0 grow basis-60 rounded-control border border-control bg-surface px-3 text-small"
          />
          <Button type="submit" look="primary">
            <Search aria-hidden size={16} />
            {words.submit}
          </Button>
        </div>
        <p id={`${id}-hint`} className="mt-2 text-muted text-small">
          {words.hint(registryHost)}
        </p>
      </form>
    </search>
  )
}
