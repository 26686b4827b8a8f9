import type { SignedInSession } from '@countersign/sdk/contract'
import { useState } from 'react'
import { settingsTab } from '#messages/dashboard/settings.ts'
import { formatTime } from '#messages/site.ts'
import { useSignOut } from '../../../../data/use-sign-out.ts'
import { ConfirmDialog } from '../../../../forms/confirm-dialog.tsx'
import { runAll } from '../../../../lists/run-all.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { toast } from '../../../../ui/controls/toast.ts'
import { Chip } from '../../../../ui/values/chip.tsx'
import { readDevice } from './device.ts'

const words = settingsTab.sessions.sessions

const deviceOf = ({ user_agent, device: name }: SignedInSession) => {
  if (name !== null) return words.approved(name)
  const device = readDevice(user_agent)
  return device === undefined ? words.unknown : words.device(device.browser, device.system)
}

interface SessionListProps {
  sessions: readonly SignedInSession[]
  end: (id: SignedInSession['id']) => Promise<void>
  again: () => unknown
}

export const SessionList = ({ sessions, end, again }: SessionListProps) => {
  const signOut = useSignOut()
  const [ending, setEnding] = useState<SignedInSession | 'others' | null>(null)
  const others = sessions.filter(({ is_current }) => !is_current)
  const current = sessions.find(({ is_current }) => is_current)

  const endOne = async ({ id }: SignedInSession) => {
    try {
      await end(id)
    } catch (failure) {
      void again()
      throw failure
    }
    toast.success(words.ended)
  }
  const endOthers = async () => {
    const { done, failed } = await runAll(others, ({ id }) => end(id))
    if (done.length > 0) toast.success(words.othersEnded(done.length))
    void again()
    if (failed.length > 0) toast.error(words.someFailed(failed.length))
  }

  if (sessions.length === 0) return <p className="border-line border-y py-4 text-small">{words.none}</p>
  return (
    <>
      <ul aria-label={words.list} className="border-line border-b">
        {[...(current ? [current] : []), ...others].map((session) => (
          <li
            key={session.id}
            className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 border-line border-t py-4 text-small"
          >
            <div className="grid min-w-0 gap-1.5">
              <p className="flex flex-wrap items-center gap-2.5">
                <span className="font-semibold">{deviceOf(session)}</span>
                {session.is_current && <Chip>{words.current}</Chip>}
              </p>
              <p className="flex flex-wrap gap-x-4 text-muted">
                <span>{words.began(formatTime(session.created_at))}</span>
                <span>{words.used(formatTime(session.last_used_at))}</span>
              </p>
            </div>
            {session.is_current ? (
              <Button onClick={() => void signOut()}>{words.signOut}</Button>
            ) : (
              <Button
                aria-haspopup="dialog"
                aria-label={words.endOf(deviceOf(session))}
                onClick={() => setEnding(session)}
              >
                {words.end}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {others.length > 0 && current && (
        <Button className="mt-5" aria-haspopup="dialog" onClick={() => setEnding('others')}>
          {words.endOthers}
        </Button>
      )}
      {ending === 'others' && (
        <ConfirmDialog
          title={words.othersTitle(others.length)}
          description={words.othersText}
          action={words.endOthers}
          doing={words.ending}
          act={endOthers}
          onClose={() => setEnding(null)}
        />
      )}
      {ending !== null && ending !== 'others' && (
        <ConfirmDialog
          title={words.endTitle(deviceOf(ending))}
          description={words.endText(formatTime(ending.last_used_at))}
          action={words.end}
          doing={words.ending}
          act={() => endOne(ending)}
          onClose={() => setEnding(null)}
        />
      )}
    </>
  )
}
