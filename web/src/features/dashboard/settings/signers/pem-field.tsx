import { type ComponentProps, type DragEvent, useRef, useState } from 'react'
import { settingsTab } from '#messages/dashboard/settings.ts'
import { TextAreaField } from '../../../../forms/field.tsx'
import { Button } from '../../../../ui/controls/button.tsx'
import { holdsPrivateKey } from './signer-rules.ts'

const words = settingsTab.signers.form
const maxFileBytes = 100_000

type PemFieldProps = Omit<ComponentProps<typeof TextAreaField>, 'onChange'> & { onText: (text: string) => void }

/** Accepts pasted, chosen or dropped PEM, but never a private key. */
export const PemField = ({ problem, onText, ...field }: PemFieldProps) => {
  const input = useRef<HTMLInputElement>(null)
  const [refused, setRefused] = useState('')
  const take = (text: string) => {
    const isPrivate = holdsPrivateKey(text)
    setRefused(isPrivate ? words.privateKey : '')
    onText(isPrivate ? '' : text)
  }
  const read = async (file: File | undefined) => {
    if (file === undefined) return
    if (file.size > maxFileBytes) return setRefused(words.tooLarge)
    try {
      take(await file.text())
    } catch {
      setRefused(words.unreadable(file.name))
    }
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    void read(event.dataTransfer.files[0])
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is optional; the button works for everyone
    <div onDragOver={(event) => event.preventDefault()} onDrop={drop} className="grid gap-3">
      <TextAreaField
        {...field}
        rows={6}
        className="[&_textarea]:font-mono"
        hint={words.pemHint}
        problem={refused === '' ? problem : refused}
        onChange={({ target }) => take(target.value)}
      />
      <input
        ref={input}
        type="file"
        accept=".pem,.pub,.crt,.cer"
        aria-label={words.file}
        tabIndex={-1}
        className="sr-only"
        onChange={({ target }) => {
          void read(target.files?.[0])
          target.value = ''
        }}
      />
      <Button className="justify-self-start" onClick={() => input.current?.click()}>
        {words.chooseFile}
      </Button>
    </div>
  )
}
