import type { VerificationResult } from '@countersign/sdk/contract'
import { Copy, Printer, QrCode, Share2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router-dom'
import { link } from '#messages/pages/link.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { copyLink, linkUrlOf, shareLink } from './link-address.ts'

const words = link.actions
const QrDialog = lazy(() => import('./qr-dialog.tsx').then(({ QrDialog }) => ({ default: QrDialog })))

/** Actions for a valid link. Phones have Copy and Share on the first screen only. */
export const LinkActions = ({ record }: { record: VerificationResult }) => {
  const [isQrShown, setIsQrShown] = useState(false)
  const { model } = record
  const url = linkUrlOf(record)
  return (
    <div className="mt-10 flex flex-wrap gap-3 print:hidden">
      <Button look="primary" onClick={() => copyLink(url)} className="max-sm:hidden">
        <Copy aria-hidden size={16} />
        {words.copy}
      </Button>
      {'share' in navigator && (
        <Button onClick={() => shareLink(url)} className="max-sm:hidden">
          <Share2 aria-hidden size={16} />
          {words.share}
        </Button>
      )}
      <Button onClick={() => setIsQrShown(true)} aria-haspopup="dialog">
        <QrCode aria-hidden size={16} />
        {words.qr}
      </Button>
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
          <QrDialog url={url} onClose={() => setIsQrShown(false)} />
        </Suspense>
      )}
    </div>
  )
}
