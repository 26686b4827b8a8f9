import { NewSignerProof, type SignerChallenge, type SignerRecord } from '@countersign/sdk/contract'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { settingsTab } from '#messages/dashboard/settings.ts'
import { site } from '#messages/site.ts'
import { explainFailure } from '../../../../failures/failure.ts'
import { TextAreaField, TextField } from '../../../../forms/field.tsx'
import { SubmitButton } from '../../../../forms/submit-button.tsx'
import { Button } from '../../../../ui/controls/button.tsx'
import { Dialog } from '../../../../ui/controls/dialog.tsx'
import { Spinner } from '../../../../ui/controls/spinner.tsx'
import { toast } from '../../../../ui/controls/toast.ts'
import { CodeBlock } from '../../../../ui/values/code-block.tsx'

const words = settingsTab.signers.prove

const openssl = 'openssl dgst -sha256 -sign key.pem challenge.txt | openssl base64 -A'

interface ProveDialogProps {
  record: SignerRecord
  challenge: (id: string) => Promise<SignerChallenge>
  prove: (id: string, proof: NewSignerProof) => Promise<void>
  onClose: () => void
}

/** The private key never comes here, only the signature. */
export const ProveDialog = ({ record, challenge, prove, onClose }: ProveDialogProps) => {
  const { id, signer } = record
  const [issued, setIssued] = useState<SignerChallenge | null>(null)
  const [signature, setSignature] = useState('')
  const [chain, setChain] = useState('')
  const [isSending, setIsSending] = useState(false)
  const [failure, setFailure] = useState('')
  const [wrong, setWrong] = useState<'signature' | 'certificate_chain' | null>(null)
  const form = useRef<HTMLFormElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: one challenge per opening, because a new one replaces the last
  useEffect(() => {
    challenge(id).then(setIssued, (error: unknown) => setFailure(explainFailure(error)))
  }, [id])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isSending) return
    setFailure('')
    const { data, error } = NewSignerProof.safeParse({ signature, ...(chain !== '' && { certificate_chain: chain }) })
    const name = error && (error.issues[0]?.path[0] === 'signature' ? 'signature' : 'certificate_chain')
    setWrong(name ?? null)
    if (name) form.current?.querySelector<HTMLElement>(`[name=${name}]`)?.focus()
    if (!data) return
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
      <CodeBlock
        code={`countersign signers prove ${id} --key key.pem${isAuthority ? ' --certificate-chain chain.pem' : ''}`}
        what={words.command}
      />
      {issued === null && failure === '' ? (
        <Spinner>{words.looking}</Spinner>
      ) : (
        <form ref={form} noValidate onSubmit={(event) => void submit(event)} className="mt-5 grid gap-5">
          {issued && (
            <>
              <div className="grid gap-3 border-line border-t pt-5">
                <p className="text-muted text-small">{words.elsewhere}</p>
                <CodeBlock code={issued.message} what={words.message} />
                <CodeBlock code={openssl} what={words.command} />
              </div>
              <TextField
                name="signature"
                label={words.signature}
                problem={wrong === 'signature' ? words.signatureBad : ''}
                value={signature}
                autoComplete="off"
                spellCheck={false}
                onChange={({ target }) => setSignature(target.value)}
              />
              {isAuthority && (
                <TextAreaField
                  name="certificate_chain"
                  label={words.chain}
                  hint={words.chainHint}
                  problem={wrong === 'certificate_chain' ? words.chainBad : ''}
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
          {issued && (
            <div className="flex flex-wrap justify-end gap-3">
              <Button onClick={onClose}>{site.dialog.cancel}</Button>
              <SubmitButton isSending={isSending} sending={words.submitting}>
                {words.submit}
              </SubmitButton>
            </div>
          )}
        </form>
      )}
    </Dialog>
  )
}
