import { CopyButton } from '../controls/copy-button.tsx'

interface CodeBlockProps {
  code: string
  /** Names it for screen readers. */
  what: string
  onCopied?: () => void
}

/** Code for copying. */
export const CodeBlock = ({ code, what, onCopied }: CodeBlockProps) => (
  <div className="flex min-w-0 items-start gap-1 rounded-surface border border-line bg-sunken ps-4 pe-1">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling block must be reachable by keyboard */}
    <pre tabIndex={0} className="min-w-0 grow overflow-x-auto py-3 font-mono text-small">
      {code}
    </pre>
    <CopyButton text={code} what={what} {...(onCopied && { onCopied })} />
  </div>
)
