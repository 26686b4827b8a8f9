import type { RegisteredProvider } from '@countersign/sdk/contract'
import { useState } from 'react'
import { account } from '#messages/pages/account.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { CopyButton } from '../../../ui/controls/copy-button.tsx'
import { Notice } from '../notice.tsx'

const words = account.register.complete

/** Shows a new key, once. */
export const NewKey = ({ made, goOn }: { made: RegisteredProvider; goOn: () => Promise<void> }) => {
  const [isLeaving, setIsLeaving] = useState(false)
  const leave = () => {
    if (isLeaving) return
    setIsLeaving(true)
    void goOn()
  }
  return (
    <div className="grid gap-5">
      <div>
        <h2 className="mb-1.5 font-semibold text-small">{words.label}</h2>
        <div className="grid gap-3 rounded-surface border border-line bg-sunken p-4">
          <code className="font-mono text-small">{made.api_key}</code>
          <div>
            <CopyButton text={made.api_key} what={words.label} label={words.copy} />
          </div>
        </div>
      </div>
      <Notice tone="warn">{words.never}</Notice>
      <p className="text-muted text-small">
        {words.providerId}: <code className="font-mono">{made.provider_id}</code>
      </p>
      <Button look="primary" className="w-full" aria-disabled={isLeaving} onClick={leave}>
        {words.onward}
      </Button>
    </div>
  )
}
