import { X } from 'lucide-react'
import { useState } from 'react'
import { site } from '#messages/site.ts'
import { Button } from '../ui/controls/button.tsx'
import { useLastSaid } from '../ui/controls/toast.ts'

/** Shows toasts if the toast library could not be loaded. */
export const PlainToast = () => {
  const said = useLastSaid()
  const [closed, setClosed] = useState<typeof said>()
  const isShown = said !== undefined && said !== closed
  return (
    <div
      role="alert"
      aria-live="assertive"
      className="pointer-events-auto fixed inset-x-4 bottom-4 z-30 mx-auto flex max-w-md items-start gap-3 rounded-surface border border-line bg-surface p-4 text-small shadow-lg empty:hidden"
    >
      {isShown && (
        <>
          <div className="grow">
            <p className="font-semibold">{said.text}</p>
            {said.description !== undefined && <p className="text-muted">{said.description}</p>}
          </div>
          <Button look="icon" aria-label={site.dialog.close} onClick={() => setClosed(said)}>
            <X aria-hidden size={16} />
          </Button>
        </>
      )}
    </div>
  )
}
