import type { Recovery } from '@countersign/sdk/contract'
import { type FormEvent, useState } from 'react'
import { recover as words } from '#messages/pages/recover.ts'
import { formatTime } from '#messages/site.ts'
import { client } from '../../../data/client.ts'
import { explainFailure, isRefusal } from '../../../failures/failure.ts'
import { TextField } from '../../../forms/field.tsx'
import { SubmitButton } from '../../../forms/submit-button.tsx'
import { CodeBlock } from '../../../ui/values/code-block.tsx'

interface RecoveringProps {
  token: string
  onState: (state: 'waiting' | 'done' | 'refused') => void
}

/** Begins the recovery, then shows how it can be confirmed. */
export const Recovering = ({ token, onState }: RecoveringProps) => {
  const [recovery, setRecovery] = useState<Recovery | null>(null)
  const [isSending, setIsSending] = useState(false)
  const [failure, setFailure] = useState('')
  const [code, setCode] = useState('')
  const send = async (event: FormEvent) => {
    event.preventDefault()
    setIsSending(true)
    setFailure('')
    try {
      const found = await client.factors.recover({ token, ...(code !== '' && { recovery_code: code }) })
      if (recovery !== null && found.state === 'waiting') setFailure(words.waiting.notYet)
      setRecovery(found)
      onState(found.state)
    } catch (error) {
      if (code !== '' && isRefusal(error, 'code_invalid')) setFailure(words.start.codeFailed)
      else if (isRefusal(error, 'code_invalid') || isRefusal(error, 'validation_failed')) onState('refused')
      else setFailure(explainFailure(error))
    } finally {
      setIsSending(false)
    }
  }
  const isNew = recovery === null
  const hasRecord = isNew || recovery.companies.some(({ record_name }) => record_name !== null)
  return (
    <form noValidate onSubmit={(event) => void send(event)} className="grid gap-5 text-small">
      {isNew ? (
        <>
          <p>{words.start.text}</p>
          <p>{words.start.ways}</p>
          <TextField
            label={words.start.code}
            hint={words.start.codeHint}
            value={code}
            onChange={({ target }) => setCode(target.value)}
            autoComplete="off"
            spellCheck={false}
          />
        </>
      ) : (
        <Ways recovery={recovery} />
      )}
      <p role="alert" className="font-semibold text-bad empty:hidden">
        {failure}
      </p>
      {hasRecord && (
        <SubmitButton
          isSending={isSending}
          sending={isNew ? words.start.doing : words.waiting.checking}
          className="w-full"
        >
          {isNew ? words.start.button : words.waiting.check}
        </SubmitButton>
      )}
    </form>
  )
}

const Ways = ({ recovery: { takes_effect_at, companies } }: { recovery: Recovery }) => (
  <>
    <p className="font-semibold">
      {takes_effect_at === null ? words.waiting.never : words.waiting.by(formatTime(takes_effect_at))}
    </p>
    <h2 className="font-semibold text-body">{words.waiting.sooner}</h2>
    <p>{words.waiting.owner}</p>
    {companies.map(({ domain, record_name, record_value }) =>
      domain === null || record_name === null || record_value === null ? (
        <p key="none">{words.waiting.noDomain}</p>
      ) : (
        <div key={record_value} className="grid gap-3">
          <p>{words.waiting.record(domain)}</p>
          <CodeBlock code={record_name} what={words.waiting.recordName} />
          <CodeBlock code={record_value} what={words.waiting.recordValue} />
        </div>
      ),
    )}
  </>
)
