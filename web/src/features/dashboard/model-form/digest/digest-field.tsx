import { useEffect } from 'react'
import { modelForm } from '#messages/dashboard/model-form.ts'
import { HashArea } from '../../../models/digest/hash-area.tsx'
import { useHashing } from '../../../models/digest/use-hashing.ts'
import { Line } from '../fields/form-field.tsx'
import type { ModelFormState } from '../use-model-form.ts'
import { DigestFiles } from './digest-files.tsx'

const words = modelForm.digest

/** The digest of a version: computed here or typed. */
export const DigestField = ({ form }: { form: ModelFormState }) => {
  const hashing = useHashing(({ digest, ...content }) => {
    form.set('model_digest', digest)
    form.set('digest_source', 'local-bytes')
    form.setContent(content)
  })
  const { progress, isStopped } = hashing
  const isHashing = progress !== undefined
  const { setHashing } = form
  useEffect(() => {
    setHashing(isHashing)
    return () => setHashing(false)
  }, [setHashing, isHashing])
  const forget = () => {
    form.set('model_digest', '')
    form.set('digest_source', '')
    form.setContent(undefined)
  }
  return (
    <div className="grid gap-5">
      <p className="max-w-prose text-muted text-small">{words.text}</p>
      <HashArea hashing={hashing} />
      <div role="status" className="text-small empty:hidden">
        {isStopped ? words.stopped : ''}
        {form.content && progress === undefined ? words.hashed(form.content.files.length, form.content.bytes) : ''}
      </div>
      {form.content && <DigestFiles content={form.content} onForget={forget} />}
      <Line
        form={form}
        name="model_digest"
        isOptional
        readOnly={form.content !== undefined}
        hint={form.content ? words.fromFiles : words.hint}
        spellCheck={false}
        {...(form.content === undefined && { onInput: () => form.set('digest_source', '') })}
      />
    </div>
  )
}
