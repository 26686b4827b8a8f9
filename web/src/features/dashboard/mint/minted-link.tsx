import type { Verification } from '@countersign/sdk/contract'
import { useEffect, useState } from 'react'
import { renderSVG } from 'uqr'
import { mintDialog } from '#messages/dashboard/mint.ts'
import { formatMinutesLeft } from '#messages/site.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { CodeBlock } from '../../../ui/values/code-block.tsx'

const words = mintDialog.made

interface MintedLinkProps {
  link: Verification
  isProven: boolean
  again: () => void
  onClose: () => void
}

/** The new link, its code and QR code, and the page that a visitor sees. */
export const MintedLink = ({ link, isProven, again, onClose }: MintedLinkProps) => {
  const { verification_url: url, warnings, deployment_id } = link
  const leftMs = useTimeLeft(link.expires_in)
  return (
    <div className="grid gap-5">
      <div className="grid items-start gap-5 sm:grid-cols-[1fr_10rem] [&>*]:min-w-0">
        <div className="grid gap-4">
          <CodeBlock code={url} what={words.link} />
          <div>
            <p className="mb-1.5 font-semibold text-small">{words.code}</p>
            <CodeBlock code={url.slice(url.lastIndexOf('/') + 1)} what={words.codeWhat} />
          </div>
          <p role="timer" aria-live="off" className="text-small">
            {leftMs > 0 ? words.left(formatMinutesLeft(leftMs)) : words.expired}
          </p>
        </div>
        <img
          src={`data:image/svg+xml,${encodeURIComponent(renderSVG(url, { ecc: 'M', border: 3 }))}`}
          alt={words.qr}
          width={160}
          height={160}
          className="block h-auto w-40 bg-white"
        />
      </div>
      <ul className="grid gap-1 text-muted text-small">
        {isProven && deployment_id === null && <li>{words.noServer}</li>}
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>{words.done}</Button>
        <Button onClick={again}>{words.again}</Button>
        <Button asChild look="primary">
          <a href={url} target="_blank" rel="noopener">
            {words.open}
          </a>
        </Button>
      </div>
    </div>
  )
}

/** Counted here, because this computer's clock may differ from the registry's. */
const useTimeLeft = (seconds: number) => {
  const [leftMs, setLeftMs] = useState(seconds * 1_000)
  useEffect(() => {
    const end = performance.now() + seconds * 1_000
    const timer = setInterval(() => setLeftMs(Math.max(0, end - performance.now())), 1_000)
    return () => clearInterval(timer)
  }, [seconds])
  return leftMs
}
