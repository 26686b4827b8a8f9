import { NewSignerProof, type SignerChallenge, type SignerRecord } from '@countersign/sdk/contract'
import { type FormEvent, useEffect, useState } from 'react'
import { settingsTab } from '#messages/dashboard/settings.ts'
import { explainFailure } from '../../../data/failure.ts'
import { SubmitButton } from '../../../forms/submit-button.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextAreaField, TextField } from '../../../ui/field.tsx'
import { InlineCode } from '../../../ui/inline-code.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { toast } from '../../../ui/toast.ts'

const words = settingsTab.signers.prove

interface ProveDialogProps {
  record: SignerRecord
  challenge: (id: string) => Promise<SignerChallenge>
  prove: (id: string, proof: NewSignerProof) => Promise<void>
  onClose: () => void
}

/** The private key never comes here: only what it signed. */
export const ProveDialog = ({ record, challenge, prove, onClose }: ProveDialogProps) => {
  const { id, signer } = record
  const [asked, setAsked] = useState<SignerChallenge | null>(null)
  const [signature, setSignature] = useState('')
  const [chain, setChain] = useState('')
  const [isSending, setIsSending] = useState(false)
  const [failure, setFailure] = useState('')
  // biome-ignore lint/correctness/useExhaustiveDependencies: one challenge for each opening, as a new one replaces the last
  useEffect(() => {
    challenge(id).then(setAsked, (error: unknown) => setFailure(explainFailure(error)))
  }, [id])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isSending) return
    const { data, error } = NewSignerProof.safeParse({ signature, ...(chain !== '' && { certificate_chain: chain }) })
    if (!data) return setFailure(error.issues[0]?.message ?? '')
    setFailure('')
    setIsSending(true)
    try {
      await prove(id, data)
      toast.success(words.done)
      onClose()
    } catch (error) {
      setFailure(explainFailure(error))
      setIsSending(false)
    }
  }
  const isAuthority = signer.kind === 'certificate'
  return (
    <Dialog isOpen onClose={onClose} title={words.title} description={words.text}>
      <p className="wrap-anywhere">
        <InlineCode>{`countersign signers prove ${id} --key key.pem${isAuthority ? ' --certificate-chain chain.pem' : ''}`}</InlineCode>
      </p>
      {asked === null && failure === '' ? (
        <Spinner>{words.looking}</Spinner>
      ) : (
        <form noValidate onSubmit={(event) => void submit(event)} className="mt-5 grid gap-5">
          {asked && (
            <>
              <p className="text-small">{words.elsewhere}</p>
              <CodeBlock code={asked.message} what={words.message} />
              <TextField
                label={words.signature}
                value={signature}
                autoComplete="off"
                spellCheck={false}
                onChange={({ target }) => setSignature(target.value)}
              />
              {isAuthority && (
                <TextAreaField
                  label={words.chain}
                  hint={words.chainHint}
                  value={chain}
                  autoComplete="off"
                  spellCheck={false}
                  onChange={({ target }) => setChain(target.value)}
                />
              )}
            </>
          )}
          <p role="alert" className="font-semibold text-bad text-small empty:hidden">
            {failure === '' ? '' : `${words.failed}: ${failure}`}
          </p>
          {asked && (
            <SubmitButton isSending={isSending} sending={words.submitting}>
              {words.submit}
            </SubmitButton>
          )}
        </form>
      )}
    </Dialog>
  )
}
