import type { ApiKey } from '@countersign/sdk/contract'
import { useId, useState } from 'react'
import { settingsTab } from '#messages/dashboard/settings.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { KeyRow } from './key-row.tsx'

const words = settingsTab.keys

/** Revoked and expired keys, shown on demand. */
export const EndedKeys = ({ keys, onRevoke }: { keys: readonly ApiKey[]; onRevoke?: (key: ApiKey) => void }) => {
  const id = useId()
  const [isShown, setIsShown] = useState(false)
  if (keys.length === 0) return null
  return (
    <div className="mt-6">
      <Button aria-expanded={isShown} aria-controls={id} onClick={() => setIsShown(!isShown)}>
        {isShown ? words.hideEnded : words.showEnded(keys.length)}
      </Button>
      <div id={id}>
        {isShown && (
          <ul aria-label={words.ended} className="mt-5 border-line border-b">
            {keys.map((key) => (
              <KeyRow key={key.id} apiKey={key} {...(key.compromised_since === null && onRevoke && { onRevoke })} />
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}
