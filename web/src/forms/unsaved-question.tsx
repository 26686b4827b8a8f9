import { unsaved } from '#messages/unsaved.ts'
import { Button } from '../ui/controls/button.tsx'
import { Dialog } from '../ui/controls/dialog.tsx'

export type UnsavedWords = Record<keyof typeof unsaved, string>

interface UnsavedQuestionProps {
  leave: () => void
  stay: () => void
  words?: UnsavedWords | undefined
}

/** Whether to leave what was not saved. */
export const UnsavedQuestion = ({ leave, stay, words = unsaved }: UnsavedQuestionProps) => (
  <Dialog isOpen onClose={stay} title={words.heading} description={words.text}>
    <div className="flex flex-wrap justify-end gap-3">
      <Button onClick={leave}>{words.leave}</Button>
      <Button look="primary" onClick={stay}>
        {words.stay}
      </Button>
    </div>
  </Dialog>
)
