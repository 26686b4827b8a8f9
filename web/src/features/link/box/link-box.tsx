import { type FormEvent, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { linkBox } from '#messages/pages/link.ts'
import { registryHost } from '../../../data/registry.ts'
import { readTypedLink, type TypedLink } from '../../../data/typed-link.ts'
import { Button } from '../../../ui/controls/button.tsx'

const words = linkBox

interface Props {
  /** The initial value. */
  text?: string
  /** Say what is wrong with it from the start. */
  showsProblem?: boolean
}

const problemOf = (text: string) => {
  const typed = readTypedLink(text, registryHost)
  return typed.kind === 'open' ? '' : problemWithLink(typed)
}

/** Accepts a link, a code in any spelling, or a token. */
export const LinkBox = ({ text, showsProblem = false }: Props) => {
  const id = useId()
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState(() => (showsProblem && text ? problemOf(text) : ''))

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const typed = readTypedLink(input.current?.value ?? '', registryHost)
    if (typed.kind === 'open') return navigate(typed.path)
    setProblem(problemWithLink(typed))
    input.current?.focus()
  }

  return (
    <form onSubmit={submit} noValidate className="print:hidden">
      <label htmlFor={id} className="font-semibold text-small">
        {words.label}
      </label>
      <div className="mt-1.5 flex flex-wrap gap-2">
        <input
          ref={input}
          id={id}
          name="link"
          defaultValue={text}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          aria-invalid={problem !== ''}
          aria-describedby={`${id}-hint ${id}-problem`}
          onChange={() => setProblem('')}
          className="h-10 min-w-0 grow basis-60 rounded-control border border-control bg-surface px-3 font-mono text-small aria-invalid:border-bad"
        />
        <Button type="submit" look="primary">
          {words.submit}
        </Button>
      </div>
      <p id={`${id}-problem`} role="alert" className="font-semibold text-bad text-small not-empty:mt-2">
        {problem}
      </p>
      <p id={`${id}-hint`} className="mt-2 text-muted text-small">
        {words.hint(registryHost)}
      </p>
    </form>
  )
}

/** The error message for the input. */
export const problemWithLink = (typed: Exclude<TypedLink, { kind: 'open' }>) =>
  typed.kind === 'foreign' ? words.foreign(typed.host, registryHost) : words[typed.kind]
