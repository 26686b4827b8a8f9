import type { NewPublisher, PublisherList } from '@countersign/sdk/contract'
import { publishersSection } from '#messages/dashboard/publishers.ts'
import { Dialog } from '../../../../ui/controls/dialog.tsx'
import { PublisherForm } from './publisher-form.tsx'

const words = publishersSection.form

interface PublisherDialogProps {
  known: PublisherList
  add: (input: NewPublisher) => Promise<void>
  onClose: () => void
}

export const PublisherDialog = ({ known, add, onClose }: PublisherDialogProps) => (
  <Dialog isOpen onClose={onClose} title={words.title} description={words.description}>
    <PublisherForm known={known} add={add} onDone={onClose} />
  </Dialog>
)
