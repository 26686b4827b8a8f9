import { site } from '#messages/site.ts'
import { Button } from '../ui/controls/button.tsx'
import { NamedList } from './named-list.tsx'

interface BulkFailuresProps {
  heading: string
  /** Each with its item and reason. */
  reasons: readonly { id: string; text: string }[]
  onClose: () => void
}

/** The items of a bulk action that failed, with reasons. */
export const BulkFailures = ({ heading, reasons, onClose }: BulkFailuresProps) => (
  <div role="alert" className="mt-4 grid justify-items-start gap-2 border-bad border-s-4 py-2 ps-4 text-small">
    <p className="font-semibold">{heading}</p>
    <NamedList label={heading} items={reasons.map(({ id, text }) => ({ id, content: <bdi>{text}</bdi> }))} />
    <Button onClick={onClose}>{site.dialog.close}</Button>
  </div>
)
