import type { NewApiKey } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import { useState } from 'react'
import { settingsTab } from '#messages/dashboard/settings.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { Dialog } from '../../../../ui/controls/dialog.tsx'
import { CodeBlock } from '../../../../ui/values/code-block.tsx'
import { shellLines } from './key-rules.ts'
import { NewKeyForm } from './new-key-form.tsx'

const words = settingsTab.keys

interface NewKeyDialogProps {
  create: (input: NewApiKey) => Promise<string>
  onClose: () => void
}

/** Creates a key and shows it once: it exists only in this dialog. */
export const NewKeyDialog = ({ create, onClose }: NewKeyDialogProps) => {
  const [made, setMade] = useState<{ name: string; key: string } | null>(null)
  if (made === null)
    return (
      <Dialog isOpen onClose={onClose} title={words.form.title} description={words.form.description}>
        <NewKeyForm create={create} onMade={(name, key) => setMade({ name, key })} onCancel={onClose} />
      </Dialog>
    )
  return (
    <Dialog isOpen onClose={onClose} title={words.shown.title(quote(made.name))} description={words.shown.text}>
      <CodeBlock code={made.key} what={words.shown.key} />
      <p className="mt-5 mb-2 text-small">{words.shown.shell}</p>
      <CodeBlock code={shellLines(made.key, location.origin)} what={words.shown.shellWhat} />
      <div className="mt-6 flex justify-end">
        <Button look="primary" onClick={onClose}>
          {words.shown.done}
        </Button>
      </div>
    </Dialog>
  )
}
