import type { NewSigner } from '@countersign/sdk/contract'
import { settingsTab } from '#messages/dashboard/settings.ts'
import { explainFailure } from '../../../../failures/failure.ts'
import { Dialog } from '../../../../ui/controls/dialog.tsx'
import { Spinner } from '../../../../ui/controls/spinner.tsx'
import { type SuggestedSigner, useSuggestedSigner } from './own-signers.ts'
import { SignerForm } from './signer-form.tsx'
import { emptySignerForm, suggestedForm } from './signer-rules.ts'

const words = settingsTab.signers.form

interface SignerDialogProps {
  /** The model whose bundle names the signer. */
  modelId: string | null
  declare: (input: NewSigner) => Promise<void>
  onClose: () => void
}

/** Declares a signer, optionally filled in from a bundle. */
export const SignerDialog = ({ modelId, declare, onClose }: SignerDialogProps) => {
  const { suggested, failure, isLoading } = useSuggestedSigner(modelId)
  return (
    <Dialog isOpen onClose={onClose} title={words.title} description={words.description}>
      {isLoading ? (
        <Spinner>{words.looking}</Spinner>
      ) : (
        <SignerForm
          draft={`signer ${modelId ?? ''}`}
          start={suggested === undefined || suggested.isOthers ? emptySignerForm : suggestedForm(suggested)}
          {...(modelId !== null && {
            note: suggested === undefined ? words.notFound(explainFailure(failure)) : noteOf(suggested),
          })}
          declare={declare}
          onDone={onClose}
        />
      )}
    </Dialog>
  )
}

const noteOf = ({ signer, isOthers }: SuggestedSigner) => {
  if (isOthers) return words.notYours
  if (!signer) return words.notSigned
  return suggestedForm({ signer, api_model_identifier: '' }).kind === 'key'
    ? words.fromKey(signer.key_fingerprint ?? '')
    : words.fromBundle
}
