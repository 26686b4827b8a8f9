import type { DomainMethod, DomainProof, DomainVerdict } from '@countersign/sdk/contract'
import { useState } from 'react'
import { profileSection } from '#messages/dashboard/profile.ts'
import { explainFailure } from '../../../failures/failure.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { CopyButton } from '../../../ui/controls/copy-button.tsx'
import { FactRow, FactRows } from '../../../ui/layout/facts.tsx'
import { CodeBlock } from '../../../ui/values/code-block.tsx'

const words = profileSection.domain
const methods = ['dns', 'file'] as const satisfies DomainMethod[]

interface DomainProvingProps {
  proof: DomainProof
  check: (method: DomainMethod) => Promise<DomainVerdict>
  /** The command that does the same. */
  command: string
  onVerified: () => Promise<void>
}

/** Shows the record to publish and checks it. */
export const DomainProving = ({ proof, check: look, command, onVerified }: DomainProvingProps) => {
  const [method, setMethod] = useState<DomainMethod>('dns')
  const [isChecking, setIsChecking] = useState(false)
  const [message, setMessage] = useState('')
  const choose = (next: DomainMethod) => {
    setMethod(next)
    setMessage('')
  }
  const check = async () => {
    if (isChecking) return
    setIsChecking(true)
    setMessage('')
    try {
      const verdict = await look(method)
      if (verdict.result === 'verified') await onVerified()
      else setMessage(wordsOf(verdict))
    } catch (failure) {
      setMessage(`${words.failed} ${explainFailure(failure)}`)
    }
    setIsChecking(false)
  }
  return (
    <div className="grid gap-5">
      <fieldset>
        <legend className="mb-2 font-semibold text-small">{words.method}</legend>
        <div className="flex flex-wrap gap-x-6 gap-y-2">
          {methods.map((each) => (
            <label key={each} className="flex min-h-8 cursor-pointer items-center gap-2 text-small">
              <input
                type="radio"
                name="method"
                className="size-4 accent-ink"
                checked={method === each}
                onChange={() => choose(each)}
              />
              {words[each]}
            </label>
          ))}
        </div>
      </fieldset>
      {method === 'dns' ? <DnsProof proof={proof} /> : <FileProof proof={proof} />}
      <p role="status" className="border-warn border-s-4 ps-4 text-small empty:hidden">
        {message}
      </p>
      <div className="flex flex-wrap justify-end gap-3">
        <Button look="primary" aria-disabled={isChecking} onClick={() => void check()}>
          {isChecking ? words.checking : words.check}
        </Button>
      </div>
      <div>
        <p className="mb-2 text-muted text-small">{words.command}</p>
        <CodeBlock code={`${command}${method === 'file' ? ' --method file' : ''}`} what={words.commandWhat} />
      </div>
    </div>
  )
}

const wordsOf = ({ result, detail }: DomainVerdict) =>
  `${result === 'unknown' ? words.unknown : words.notFound} ${detail}`

const DnsProof = ({ proof }: { proof: DomainProof }) => (
  <div className="grid gap-3">
    <FactRows>
      <Copied name={words.record.name} text={proof.record_name} />
      <FactRow name={words.record.type}>
        <code className="font-mono text-small">{proof.record_type}</code>
      </FactRow>
      <Copied name={words.record.value} text={proof.record_value} />
    </FactRows>
    <p className="text-muted text-small">{words.dnsHint}</p>
  </div>
)

const FileProof = ({ proof }: { proof: DomainProof }) => (
  <div className="grid gap-3">
    <FactRows>
      <Copied name={words.fileUrl} text={proof.file_url} />
      <Copied name={words.fileContent} text={JSON.stringify(proof.file_content)} />
    </FactRows>
    <p className="text-muted text-small">{words.fileHint}</p>
  </div>
)

const Copied = ({ name, text }: { name: string; text: string }) => (
  <FactRow name={name}>
    <span className="-my-2 flex items-center justify-between gap-2">
      <code className="min-w-0 font-mono text-small">{text}</code>
      <CopyButton text={text} what={name} />
    </span>
  </FactRow>
)
