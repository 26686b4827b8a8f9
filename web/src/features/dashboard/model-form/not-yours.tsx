import { modelForm } from '#messages/dashboard/model-form.ts'
import { Button } from '../../../ui/controls/button.tsx'

/** Shown if the address names another provider's model. */
export const NotYours = ({ onClose }: { onClose: () => void }) => (
  <div className="grid gap-5">
    <p>{modelForm.notYours}</p>
    <div className="flex justify-end">
      <Button onClick={onClose}>{modelForm.close}</Button>
    </div>
  </div>
)
