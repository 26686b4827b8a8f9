import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { site } from '#messages/site.ts'
import { Button } from './button.tsx'
import { toast } from './toast.ts'

const words = site.clipboard
const copiedForMs = 2_000

interface CopyButtonProps {
  text: string
  /** Names what is copied, for screen readers. */
  what: string
  /** Replaces the icon. */
  label?: string
  onCopied?: () => void
}

export const CopyButton = ({ text, what, label, onCopied }: CopyButtonProps) => {
  const [isCopied, setIsCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setIsCopied(false), copiedForMs)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setIsCopied(true)
      onCopied?.()
      toast.success(words.copied)
    } catch {
      toast.error(words.failed)
    }
  }
  const Icon = isCopied ? Check : Copy
  return (
    <Button
      look={label === undefined ? 'icon' : 'plain'}
      onClick={copy}
      aria-label={label ?? words.copyOf(what)}
      title={words.copyOf(what)}
    >
      <Icon aria-hidden size={16} />
      {label}
    </Button>
  )
}
