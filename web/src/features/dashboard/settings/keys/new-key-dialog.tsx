import type { NewApiKey } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import { useState } from 'react'
import { settingsTab } from '#messages/dashboard/settings.ts'
import { useUnloadQuestion } from '../../../../forms/use-unsaved.ts'
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
  const [made, setMade] = useState<{ name: string; secret: string } | null>(null)
  if (made === null)
    return (
      <Dialog isOpen onClose={onClose} title={words.form.title} description={words.form.description}>
        <NewKeyForm create={create} onMade={(name, secret) => setMade({ name, secret })} onCancel={onClose} />
      </Dialog>
    )
  return <ShownKey {...made} onClose={onClose} />
}

/** Asks before it closes, unless the key was copied or the owner says that it is saved. */
const ShownKey = ({ name, secret, onClose }: { name: string; secret: string; onClose: () => void }) => {
  const [isCopied, setIsCopied] = useState(false)
  const [isAsking, setIsAsking] = useState(false)
  useUnloadQuestion(!isCopied)
  const close = () => {
    if (isCopied || isAsking) onClose()
    else setIsAsking(true)
  }
  return (
    <Dialog isOpen onClose={close} title={words.shown.title(quote(name))} description={words.shown.text}>
      {/* Copying a selection counts, as does the button. */}
      <div onCopy={() => setIsCopied(true)}>
        <CodeBlock code={secret} what={words.shown.key} onCopied={() => setIsCopied(true)} />
        <p className="mt-5 mb-2 text-small">{words.shown.shell}</p>
        <CodeBlock
          code={shellLines(secret, location.origin)}
          what={words.shown.shellWhat}
          onCopied={() => setIsCopied(true)}
        />
      </div>
      <p role="alert" className="mt-5 border-warn border-s-4 bg-warn-bg px-4 py-2 text-small empty:hidden">
        {isAsking && !isCopied ? words.shown.notCopied : ''}
      </p>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        {isAsking && !isCopied && (
          <Button look="dangerPlain" onClick={onClose}>
            {words.shown.lose}
          </Button>
        )}
        <Button look="primary" onClick={onClose}>
          {words.shown.done}
        </Button>
      </div>
    </Dialog>
  )
}
