import type { Provider } from '@countersign/sdk/contract'
import { type FormEvent, useState } from 'react'
import { profileSection } from '#messages/dashboard/profile.ts'
import { explainFailure, readFieldErrors } from '../../../../../failures/failure.ts'
import { TextField } from '../../../../../forms/field.tsx'
import { SubmitButton } from '../../../../../forms/submit-button.tsx'
import { useDraft } from '../../../../../forms/use-draft.ts'
import { useUnloadQuestion } from '../../../../../forms/use-unsaved.ts'
import { Button } from '../../../../../ui/controls/button.tsx'
import { Dialog } from '../../../../../ui/controls/dialog.tsx'
import { toast } from '../../../../../ui/controls/toast.ts'
import { changeProvider, uploadLogo } from '../../../shared/identity/own-profile.ts'
import { CropArea } from './crop-area.tsx'
import { readPicture } from './picture.ts'

const words = profileSection.logo

interface LogoDialogProps {
  provider: Provider
  onClose: () => void
  refresh: () => Promise<void>
}

/** Sets the logo from a cropped file or from a URL. */
export const LogoDialog = ({ provider, onClose, refresh }: LogoDialogProps) => {
  const [picture, setPicture] = useState<ImageBitmap>()
  const [problem, setProblem] = useState('')
  const choose = async (file: File | undefined) => {
    if (file === undefined) return
    const read = await readPicture(file)
    setProblem(read === 'not-image' ? words.notImage : read === 'too-large' ? words.tooLarge : '')
    setPicture(typeof read === 'string' ? undefined : read)
  }
  const done = async () => {
    toast.success(words.success)
    await refresh()
    onClose()
  }
  return (
    <Dialog isOpen onClose={onClose} title={words.title}>
      <TextField
        label={words.choose}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        hint={words.chooseHint}
        problem={problem}
        onChange={({ target }) => void choose(target.files?.[0])}
      />
      {picture && (
        <Uploading
          key={`${picture.width} ${picture.height}`}
          picture={picture}
          providerId={provider.id}
          onDone={done}
        />
      )}
      <LogoAddress providerId={provider.id} onDone={done} />
    </Dialog>
  )
}

interface UploadingProps {
  providerId: string
  onDone: () => Promise<void>
}

const Uploading = ({ picture, providerId, onDone }: UploadingProps & { picture: ImageBitmap }) => {
  const [isSending, setIsSending] = useState(false)
  const [failed, setFailed] = useState('')
  const [takePart, setTakePart] = useState<() => Promise<Blob>>()
  useUnloadQuestion(!isSending)
  const upload = async () => {
    if (isSending || takePart === undefined) return
    setIsSending(true)
    setFailed('')
    try {
      await uploadLogo(providerId, await takePart())
      await onDone()
    } catch (failure) {
      toast.error(words.failedImage)
      setFailed(`${words.failed}: ${explainFailure(failure)}`)
      setIsSending(false)
    }
  }
  return (
    <div className="mt-5">
      <CropArea picture={picture} onPart={setTakePart} />
      <p role="alert" className="font-semibold text-bad text-small not-empty:mt-3">
        {failed}
      </p>
      <Button look="primary" className="mt-4" aria-disabled={isSending} onClick={() => void upload()}>
        {isSending ? words.uploading : words.upload}
      </Button>
    </div>
  )
}

const noAddress = { url: '' }

const LogoAddress = ({ providerId, onDone }: UploadingProps) => {
  const {
    values: { url },
    change,
    forget,
    isUnsaved,
  } = useDraft('logo address', noAddress)
  const [problem, setProblem] = useState('')
  const [isSending, setIsSending] = useState(false)
  useUnloadQuestion(isUnsaved && !isSending)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isSending) return
    if (url.trim() === '') return setProblem(words.urlMissing)
    setIsSending(true)
    setProblem('')
    try {
      await changeProvider(providerId, { logo_url: url.trim() })
      forget()
      await onDone()
    } catch (failure) {
      toast.error(words.failedImage)
      setProblem(readFieldErrors(failure).logo_url ?? explainFailure(failure))
      setIsSending(false)
    }
  }
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="mt-6 grid gap-4 border-line border-t pt-5">
      <h3 className="font-semibold">{words.or}</h3>
      <TextField
        label={words.url}
        type="url"
        autoComplete="off"
        hint={words.urlHint}
        value={url}
        problem={problem}
        onChange={({ target }) => change({ url: target.value })}
      />
      <SubmitButton
        isSending={isSending}
        sending={words.using}
        className="justify-self-start border-control bg-surface! text-ink!"
      >
        {words.use}
      </SubmitButton>
    </form>
  )
}
