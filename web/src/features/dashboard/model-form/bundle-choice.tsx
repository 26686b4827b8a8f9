import { limits } from '@countersign/sdk/contract'
import { useId, useRef, useState } from 'react'
import { modelForm } from '#messages/dashboard/model-form.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { readBundle } from './own-registration.ts'
import type { ChosenBundle } from './use-send-model.ts'

const words = modelForm.bundle

interface BundleChoiceProps {
  /** The version is being edited, not registered. */
  isEdit: boolean
  chosen: ChosenBundle | undefined
  /** Name of a bundle chosen before the page was reloaded. */
  lost: string | undefined
  onChoose: (chosen: ChosenBundle | undefined) => void
}

/** Chooses the signed bundle of a version. */
export const BundleChoice = ({ isEdit, chosen, lost, onChoose }: BundleChoiceProps) => {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState('')
  const read = async (file: File | undefined) => {
    if (file === undefined) return
    const answer = await readBundle(file)
    setProblem('refused' in answer ? problemOf(file, answer) : '')
    onChoose('bundle' in answer ? { name: file.name, bundle: answer.bundle } : undefined)
  }
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block font-semibold text-small">
        {words.label}
      </label>
      <p id={`${id}-text`} className="mb-3 text-muted text-small">
        {words.text} {words.signer}
      </p>
      <input
        ref={input}
        id={id}
        type="file"
        accept=".json,.sigstore,.bundle,.sig,application/json"
        aria-describedby={`${id}-text ${id}-problem`}
        className="sr-only"
        tabIndex={-1}
        onChange={({ target }) => {
          void read(target.files?.[0])
          target.value = ''
        }}
      />
      <div className="flex flex-wrap items-center gap-3 text-small">
        <Button onClick={() => input.current?.click()}>{words.choose}</Button>
        {chosen && <span>{words.chosen(chosen.name, isEdit)}</span>}
        {!chosen && lost !== undefined && <span role="status">{words.lost(lost)}</span>}
        {(chosen || lost !== undefined) && <Button onClick={() => onChoose(undefined)}>{words.remove}</Button>}
      </div>
      <p id={`${id}-problem`} role="alert" className="mt-1.5 font-semibold text-bad text-small empty:hidden">
        {problem}
      </p>
    </div>
  )
}

const problemOf = (file: File, answer: Exclude<Awaited<ReturnType<typeof readBundle>>, { bundle: unknown }>) => {
  if (answer.refused === 'too-large') return words.tooLarge(limits.bundleBytes)
  return answer.refused === 'not-json' ? words.notJson(file.name) : words.noBundle('why' in answer ? answer.why : '')
}
