import { settingsTab } from '#messages/dashboard/settings.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { CodeBlock } from '../../../../ui/values/code-block.tsx'
import { shellLines } from './key-rules.ts'

const words = settingsTab.keys

interface ShownKeyProps {
  secret: string
  isAsking: boolean
  onCopied: () => void
  onClose: () => void
}

/** A new key, in the one dialog that shows it. */
export const ShownKey = ({ secret, isAsking, onCopied, onClose }: ShownKeyProps) => (
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
