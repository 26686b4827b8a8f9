import type { factors } from '@countersign/sdk/contract'
import { type FormEvent, useState } from 'react'
import type { z } from 'zod'
import { presence as words } from '#messages/pages/presence.ts'
import { recover } from '#messages/pages/recover.ts'
import { client } from '../data/client.ts'
import { answerWithPasskey, canUsePasskeys, isDeclined } from '../data/passkeys.ts'
import type { PresenceRequest } from '../data/use-presence-request.ts'
import { explainFailure } from '../failures/failure.ts'
import { TextField } from '../forms/field.tsx'
import { Button } from '../ui/controls/button.tsx'
import { Dialog } from '../ui/controls/dialog.tsx'

type Proof = z.input<typeof factors.prove.body>

/** Asks for a passkey, or for a recovery code. The request that needed it is repeated afterwards. */
export const PresencePrompt = ({ request: { act, settle } }: { request: PresenceRequest }) => {
  const [isAsking, setIsAsking] = useState(false)
  const [code, setCode] = useState<string | null>(canUsePasskeys ? null : '')
  const [failure, setFailure] = useState('')
  const readProof = async (): Promise<Proof> => {
    if (code !== null) return { recovery: { code, act } }
    const { options } = await client.factors.beginProof(act)
    return { passkey: await answerWithPasskey(options) }
  }
  const confirm = async (event: FormEvent) => {
    event.preventDefault()
    if (isAsking || code === '') return
    setIsAsking(true)
    setFailure('')
    try {
      await client.factors.prove(await readProof())
      settle(true)
    } catch (error) {
      setFailure(isDeclined(error) ? words.declined : explainFailure(error))
      setIsAsking(false)
    }
  }
  return (
    <Dialog isOpen onClose={() => settle(false)} title={words.title} description={words.about}>
      <form noValidate onSubmit={(event) => void confirm(event)} className="grid gap-5">
        {!canUsePasskeys && <p className="text-small">{words.elsewhere}</p>}
        {code !== null && (
          <TextField
            label={words.code}
            value={code}
            onChange={({ target }) => setCode(target.value)}
            autoComplete="off"
            spellCheck={false}
          />
        )}
        {code !== null && (
          <a href="/recover" className="link justify-self-start text-small">
            {recover.lost}
          </a>
        )}
        <p role="alert" className="font-semibold text-bad text-small empty:hidden">
          {failure}
        </p>
        <div className="flex flex-wrap justify-end gap-3">
          <Button onClick={() => settle(false)}>{words.cancel}</Button>
          {code === null && <Button onClick={() => setCode('')}>{words.useCode}</Button>}
          <Button type="submit" look="primary" aria-disabled={isAsking || code === ''}>
            {isAsking ? words.confirming : code === null ? words.confirm : words.confirmCode}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
