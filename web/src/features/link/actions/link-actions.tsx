import type { VerificationResult } from '@countersign/sdk/contract'
import { Copy, Printer, QrCode, Share2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router-dom'
import { link } from '#messages/pages/link.ts'
import { openedCode } from '../../../data/typed-link.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { copyLink, linkUrl, shareLink } from './link-address.ts'

const words = link.actions
const QrDialog = lazy(() => import('./qr-dialog.tsx').then(({ QrDialog }) => ({ default: QrDialog })))

/**
 * Actions for a valid link. A token is too long for a QR code and should not be shared. Phones have Copy and Share on the first
 * screen only.
 */
export const LinkActions = ({ token, model }: { token: string; model: VerificationResult['model'] }) => {
  const [isQrShown, setIsQrShown] = useState(false)
  const isCode = openedCode(token) !== null
  return (
    <div className="mt-10 flex flex-wrap gap-3 print:hidden">
      <Button look="primary" onClick={copyLink} className="max-sm:hidden">
        <Copy aria-hidden size={16} />
        {words.copy}
      </Button>
      {isCode && 'share' in navigator && (
        <Button onClick={shareLink} className="max-sm:hidden">
          <Share2 aria-hidden size={16} />
          {words.share}
        </Button>
      )}
      {isCode && (
        <Button onClick={() => setIsQrShown(true)} aria-haspopup="dialog">
          <QrCode aria-hidden size={16} />
          {words.qr}
        </Button>
      )}
      <Button onClick={() => print()}>
        <Printer aria-hidden size={16} />
        {words.print}
      </Button>
      {model?.is_public && (
        <Button asChild>
          <Link to={`/models/${model.id}`}>{words.model}</Link>
        </Button>
      )}
      <Button asChild>
        <Link to="/">{words.learn}</Link>
      </Button>
      {isQrShown && (
        <Suspense>
          <QrDialog url={linkUrl()} onClose={() => setIsQrShown(false)} />
        </Suspense>
      )}
    </div>
  )
}
