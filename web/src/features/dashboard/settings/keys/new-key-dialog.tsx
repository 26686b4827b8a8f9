import type { NewApiKey } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import { useState } from 'react'
import { settingsTab } from '#messages/dashboard/settings.ts'
import { useUnloadQuestion } from '../../../../forms/use-unsaved.ts'
import { Dialog } from '../../../../ui/controls/dialog.tsx'
import { NewKeyForm } from './new-key-form.tsx'
import { ShownKey } from './shown-key.tsx'

const words = settingsTab.keys

interface NewKeyDialogProps {
  create: (input: NewApiKey) => Promise<string>
  onClose: () => void
}

/** Creates a key and shows it once: it exists only in this dialog. Asks before it closes, unless the key was copied or is said to be saved. */
export const NewKeyDialog = ({ create, onClose }: NewKeyDialogProps) => {
  const [made, setMade] = useState<{ name: string; secret: string } | null>(null)
  const [isCopied, setIsCopied] = useState(false)
  const [isAsking, setIsAsking] = useState(false)
  useUnloadQuestion(made !== null && !isCopied)
  const close = () => {
    if (made === null || isCopied || isAsking) onClose()
    else setIsAsking(true)
  }
  return (
    <Dialog
      isOpen
      onClose={close}
      title={made === null ? words.form.title : words.shown.title(quote(made.name))}
      description={made === null ? words.form.description : words.shown.text}
    >
      {made === null ? (
        <NewKeyForm create={create} onMade={(name, secret) => setMade({ name, secret })} onCancel={onClose} />
      ) : (
        <ShownKey
          secret={made.secret}
          isAsking={isAsking && !isCopied}
          onCopied={() => setIsCopied(true)}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}
