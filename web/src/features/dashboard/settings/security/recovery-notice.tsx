import { recover } from '#messages/pages/recover.ts'
import { formatTime } from '#messages/site.ts'
import { explainFailure } from '../../../../failures/failure.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { toast } from '../../../../ui/controls/toast.ts'

const words = recover.running

/** Someone asked to remove all passkeys of the person. */
export const RecoveryNotice = ({ at, cancel }: { at: string | null; cancel: () => Promise<unknown> }) => {
  const stop = async () => {
    try {
      await cancel()
      toast.success(words.cancelled)
    } catch (failure) {
      toast.error(words.failed, { description: explainFailure(failure) })
    }
  }
  return (
    <div role="status" className="mb-5 grid gap-3 border-warn border-s-4 bg-warn-bg px-4 py-3 text-small">
      <p>{at === null ? words.confirmed : words.text(formatTime(at))}</p>
      <Button className="justify-self-start" onClick={() => void stop()}>
        {words.cancel}
      </Button>
    </div>
  )
}
