import { type FormEvent, useRef, useState } from 'react'
import { challenge } from '#messages/pages/challenge.ts'
import { registryHost } from '../../data/registry.ts'
import { readTypedLink } from '../../data/typed-link.ts'
import { TextAreaField } from '../../forms/field.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { problemWithLink } from '../link/box/link-box.tsx'

const words = challenge.steps

/** Accepts the AI's whole answer, or only the link. */
export const AnswerBox = ({ found }: { found: (token: string | null) => void }) => {
  const area = useRef<HTMLTextAreaElement>(null)
  const [problem, setProblem] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const typed = readTypedLink(area.current?.value ?? '', registryHost)
    if (typed.kind === 'open') return found(typed.path.split('/').at(-1) ?? null)
    found(null)
    setProblem(typed.kind === 'empty' ? words.empty : problemWithLink(typed))
    area.current?.focus()
  }
  return (
    <form onSubmit={submit} noValidate>
      <TextAreaField
        ref={area}
        label={words.label}
        hint={words.hint}
        problem={problem}
        rows={3}
        spellCheck={false}
        autoComplete="off"
        onChange={() => setProblem('')}
      />
      <Button type="submit" look="primary" className="mt-3">
        {words.check}
      </Button>
    </form>
  )
}
