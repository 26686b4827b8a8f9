import { site } from '#messages/site.ts'
import { Button } from '../ui/controls/button.tsx'
import { Dialog } from '../ui/controls/dialog.tsx'

const words = site.unsaved

/** Whether there are unsaved changes. */
export const UnsavedQuestion = ({ leave, stay }: { leave: () => void; stay: () => void }) => (
  <Dialog isOpen onClose={stay} title={words.heading} description={words.text}>
    <div className="flex flex-wrap justify-end gap-3">
      <Button onClick={leave}>{words.leave}</Button>
      <Button look="primary" onClick={stay}>
        {words.stay}
      </Button>
    </div>
  </Dialog>
)
