import { limits } from '@countersign/sdk/contract'
import { useId, useRef, useState } from 'react'
import { modelForm } from '#messages/dashboard/model-form.ts'
import { modelsTab } from '#messages/dashboard/models.ts'
import { explainFailure } from '../../../../failures/failure.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { toast } from '../../../../ui/controls/toast.ts'
import { isOfUnknown } from '../../../models/bundle/bundle-chip.tsx'
import { readBundle, uploadBundle } from '../../model-form/own-registration.ts'

const words = modelsTab.bundle

/** Uploads a new bundle for a version. */
export const BundleUpload = ({ modelId, onUploaded }: { modelId: string; onUploaded: () => void }) => {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const upload = async (file: File | undefined) => {
    if (file === undefined || isBusy) return
    setProblem('')
    const read = await readBundle(file)
    if (!('bundle' in read)) return setProblem(refusalOf(file, read))
    setIsBusy(true)
    try {
      const record = await uploadBundle(modelId, read.bundle)
      const { bundle_status, verification_status } = record
      // Until then, the status is that of the bundle before it.
      if (verification_status === 'in_progress') toast.success(words.uploaded.checking)
      else if (isOfUnknown(record)) toast.success(words.uploaded.ofUnknown)
      else if (bundle_status === 'verified') toast.success(words.uploaded.verified)
      else toast.error(words.uploaded[bundle_status])
      onUploaded()
    } catch (failure) {
      setProblem(words.uploadFailed(explainFailure(failure)))
    }
    setIsBusy(false)
  }
  return (
    <div className="mt-4">
      <input
        ref={input}
        id={id}
        type="file"
        aria-label={words.upload}
        accept=".json,.sigstore,.bundle,.sig,application/json"
        className="sr-only"
        tabIndex={-1}
        onChange={({ target }) => {
          void upload(target.files?.[0])
          target.value = ''
        }}
      />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button aria-disabled={isBusy} aria-describedby={`${id}-text`} onClick={() => isBusy || input.current?.click()}>
          {isBusy ? words.uploading : words.upload}
        </Button>
        <p id={`${id}-text`} className="text-muted text-small">
          {words.uploadText}
        </p>
      </div>
      <p role="alert" className="mt-1.5 font-semibold text-bad text-small empty:hidden">
        {problem}
      </p>
    </div>
  )
}

const refusalOf = (file: File, read: Exclude<Awaited<ReturnType<typeof readBundle>>, { bundle: unknown }>) => {
  const { tooLarge, notJson, noBundle } = modelForm.bundle
  if (read.refused === 'too-large') return tooLarge(limits.bundleBytes)
  return read.refused === 'not-json' ? notJson(file.name) : noBundle('why' in read ? read.why : '')
}
