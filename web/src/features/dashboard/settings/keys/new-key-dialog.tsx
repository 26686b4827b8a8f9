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

interface ShownKeyProps {
  secret: string
  isAsking: boolean
  onCopied: () => void
  onClose: () => void
}

const ShownKey = ({ secret, isAsking, onCopied, onClose }: ShownKeyProps) => (
  <>
    {/* Copying a selection counts, as does the button. */}
    <div onCopy={onCopied}>
      <CodeBlock code={secret} what={words.shown.key} onCopied={onCopied} />
      <p className="mt-5 mb-2 text-small">{words.shown.shell}</p>
      <CodeBlock code={shellLines(secret, location.origin)} what={words.shown.shellWhat} onCopied={onCopied} />
    </div>
    <p role="alert" className="mt-5 border-warn border-s-4 bg-warn-bg px-4 py-2 text-small empty:hidden">
      {isAsking ? words.shown.notCopied : ''}
    </p>
    <div className="mt-6 flex flex-wrap justify-end gap-3">
      {isAsking && (
        <Button look="dangerPlain" onClick={onClose}>
          {words.shown.lose}
        </Button>
      )}
      <Button look="primary" onClick={onClose}>
        {words.shown.done}
      </Button>
    </div>
  </>
)
