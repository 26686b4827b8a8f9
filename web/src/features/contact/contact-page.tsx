import { type FormEvent, useRef, useState } from 'react'
import { contact } from '#messages/pages/contact.ts'
import { site } from '#messages/site.ts'
import { contactAddress } from '../../data/registry.ts'
import { TextAreaField, TextField } from '../../forms/field.tsx'
import { useDocumentTitle } from '../../hooks/use-document-title.ts'
import { Button } from '../../ui/controls/button.tsx'
import { PageMain } from '../../ui/layout/page-main.tsx'
import { findProblems, type Message, mailtoOf, names, type Problems } from './message.ts'

const words = contact

/** A message sent by the visitor's own email program; this page sends nothing. */
export const ContactPage = () => {
  const [problems, setProblems] = useState<Problems>({})
  const [isOpened, setIsOpened] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useDocumentTitle(site.title(words.title))

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const message = Object.fromEntries(
      names.map((name) => [name, String(data.get(name) ?? '').trim()]),
    ) as unknown as Message
    const found = findProblems(message)
    setProblems(found)
    const first = names.find((name) => found[name] !== undefined)
    if (first !== undefined) return form.current?.querySelector<HTMLElement>(`[name=${first}]`)?.focus()
    location.href = mailtoOf(contactAddress, message)
    setIsOpened(true)
  }
  const tie = (name: keyof Message) => ({
    name,
    label: words.fields[name],
    problem: problems[name],
    required: true,
    onChange: () => setProblems(({ [name]: _, ...others }) => others),
  })

  return (
    <PageMain state="ready" className="mx-auto w-full max-w-record px-4 pt-12">
      <h1 className="heading-verdict">{words.heading}</h1>
      <p className="mt-3 text-intro text-muted">{words.intro}</p>
      <form ref={form} noValidate onSubmit={submit} className="mt-8 grid gap-5">
        <TextField {...tie('name')} autoComplete="name" />
        <TextField {...tie('email')} type="email" autoComplete="email" />
        <TextField {...tie('subject')} />
        <TextAreaField {...tie('message')} rows={8} />
        <Button type="submit" look="primary" className="justify-self-start">
          {words.submit}
        </Button>
        <p role="status" className="text-small">
          {isOpened && words.opened(contactAddress)}
        </p>
      </form>
      <p className="mt-4 text-muted text-small">{words.incidents}</p>
      <p className="mt-2 text-small">
        <a href={`mailto:${contactAddress}`} className="link">
          {words.direct(contactAddress)}
        </a>
      </p>
    </PageMain>
  )
}
