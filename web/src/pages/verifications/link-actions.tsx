import { Copy, Printer } from 'lucide-react'
import { Link } from 'react-router-dom'
import { toast } from 'sonner'
import { link } from '#messages/link.ts'
import { site } from '#messages/site.ts'
import { Button } from '../../ui/button.tsx'

const words = link.actions

export const LinkActions = () => (
  <div className="mt-10 flex flex-wrap gap-3 print:hidden">
    <Button look="primary" onClick={copyUrl}>
      <Copy aria-hidden size={16} />
      {words.copy}
    </Button>
    <Button onClick={() => print()}>
      <Printer aria-hidden size={16} />
      {words.print}
    </Button>
    <Button asChild>
      <Link to="/">{words.learn}</Link>
    </Button>
  </div>
)

const copyUrl = async () => {
  try {
    await navigator.clipboard.writeText(`${location.origin}${location.pathname}`)
    toast.success(words.copied)
  } catch {
    toast.error(site.clipboard.failed)
  }
}
