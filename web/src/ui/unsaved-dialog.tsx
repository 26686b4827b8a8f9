import { site } from '#messages/site.ts'
import { useUnsaved } from '../data/use-unsaved.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

const words = site.unsaved

/** Asks before a change of place loses what was typed. Stands on the page while something is unsaved or may be. */
export const UnsavedDialog = ({ isUnsaved }: { isUnsaved: boolean }) => {
  const { asks, leave, stay } = useUnsaved(isUnsaved)
  return (
    <Dialog isOpen={asks} onClose={stay} title={words.heading} description={words.text}>
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={leave}>{words.leave}</Button>
        <Button look="primary" onClick={stay}>
          {words.stay}
        </Button>
      </div>
    </Dialog>
  )
}
