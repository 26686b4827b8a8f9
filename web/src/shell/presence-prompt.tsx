import { useState } from 'react'
import { presence as words } from '#messages/pages/presence.ts'
import { client } from '../data/client.ts'
import { answerWithPasskey, canUsePasskeys, isDeclined } from '../data/passkeys.ts'
import type { PresenceRequest } from '../data/use-presence-request.ts'
import { explainFailure } from '../failures/failure.ts'
import { Button } from '../ui/controls/button.tsx'
import { Dialog } from '../ui/controls/dialog.tsx'

/** Asks for a passkey. The request that needed it is repeated afterwards. */
export const PresencePrompt = ({ request: { act, settle } }: { request: PresenceRequest }) => {
  const [isAsking, setIsAsking] = useState(false)
  const [failure, setFailure] = useState('')
  const confirm = async () => {
    if (isAsking) return
    setIsAsking(true)
    setFailure('')
    try {
      const { options } = await client.factors.beginProof(act)
      await client.factors.prove({ passkey: await answerWithPasskey(options) })
      settle(true)
    } catch (error) {
      setFailure(isDeclined(error) ? words.declined : explainFailure(error))
      setIsAsking(false)
    }
  }
  return (
    <Dialog isOpen onClose={() => settle(false)} title={words.title} description={words.about}>
      <p role="alert" className="font-semibold text-bad text-small empty:hidden">
        {canUsePasskeys ? failure : words.elsewhere}
      </p>
      <div className="mt-5 flex flex-wrap justify-end gap-3">
        <Button onClick={() => settle(false)}>{words.cancel}</Button>
        <Button look="primary" aria-disabled={isAsking || !canUsePasskeys} onClick={() => void confirm()}>
          {isAsking ? words.confirming : words.confirm}
        </Button>
      </div>
    </Dialog>
  )
}
