import { CopyButton } from '../controls/copy-button.tsx'

/** Code for copying. `what` names it for screen readers. */
export const CodeBlock = ({ code, what }: { code: string; what: string }) => (
  <div className="flex min-w-0 items-start gap-1 rounded-surface border border-line bg-sunken ps-4 pe-1">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling block must be reachable by keyboard */}
    <pre tabIndex={0} className="min-w-0 grow overflow-x-auto py-3 font-mono text-small">
      {code}
    </pre>
    <CopyButton text={code} what={what} />
  </div>
)
