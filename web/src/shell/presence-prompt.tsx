import type { factors } from '@countersign/sdk/contract'
import { type FormEvent, useEffect, useState } from 'react'
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
type Means = 'passkey' | 'app' | 'recovery'

/** Asks for a passkey, a code of the authenticator app, or a recovery code. The request that needed it is repeated afterwards. */
export const PresencePrompt = ({ request: { act, settle } }: { request: PresenceRequest }) => {
  const [isAsking, setIsAsking] = useState(false)
  const [means, setMeans] = useState<Means>(canUsePasskeys ? 'passkey' : 'recovery')
  const [hasApp, setHasApp] = useState(false)
  const [code, setCode] = useState('')
  const [failure, setFailure] = useState('')
  useEffect(() => {
    const look = async () => {
      const { factors } = await client.factors.list()
      const counts = factors.filter(({ effective_at }) => Date.parse(effective_at) <= Date.now())
      if (!counts.some(({ kind }) => kind === 'totp')) return
      setHasApp(true)
      if (!canUsePasskeys || !counts.some(({ kind }) => kind === 'passkey')) setMeans('app')
    }
    // Without the list, people can still choose another means.
    look().catch(() => undefined)
  }, [])
  const readProof = async (): Promise<Proof> => {
    if (means === 'app') return { totp: { code, act } }
    if (means === 'recovery') return { recovery: { code, act } }
    const { options } = await client.factors.beginProof(act)
    return { passkey: await answerWithPasskey(options) }
  }
  const isIncomplete = means !== 'passkey' && code === ''
  const confirm = async (event: FormEvent) => {
    event.preventDefault()
    if (isAsking || isIncomplete) return
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
  const change = (to: Means) => {
    setCode('')
    setFailure('')
    setMeans(to)
  }
  return (
    <Dialog isOpen onClose={() => settle(false)} title={words.title} description={words.about[means]}>
      <form noValidate onSubmit={(event) => void confirm(event)} className="grid gap-5">
        {!canUsePasskeys && <p className="text-small">{words.elsewhere}</p>}
        {means !== 'passkey' && (
          <TextField
            label={means === 'app' ? words.appCode : words.code}
            value={code}
            onChange={({ target }) => setCode(target.value)}
            autoComplete={means === 'app' ? 'one-time-code' : 'off'}
            inputMode={means === 'app' ? 'numeric' : 'text'}
            spellCheck={false}
          />
        )}
        {means === 'recovery' && (
          <a href="/recover" className="link justify-self-start text-small">
            {recover.lost}
          </a>
        )}
        <p role="alert" className="font-semibold text-bad text-small empty:hidden">
          {failure}
        </p>
        <div className="flex flex-wrap justify-end gap-3">
          <Button onClick={() => settle(false)}>{words.cancel}</Button>
          {hasApp && means !== 'app' && <Button onClick={() => change('app')}>{words.useApp}</Button>}
          {means !== 'recovery' && <Button onClick={() => change('recovery')}>{words.useCode}</Button>}
          <Button type="submit" look="primary" aria-disabled={isAsking || isIncomplete}>
            {isAsking ? words.confirming : means === 'passkey' ? words.confirm : words.confirmCode}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
