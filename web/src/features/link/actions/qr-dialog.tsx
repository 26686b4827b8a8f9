import { renderSVG } from 'uqr'
import { link } from '#messages/pages/link.ts'
import { Dialog } from '../../../ui/controls/dialog.tsx'

const words = link.qr

/** The link as a QR code, dark on light in both themes because cameras expect it. */
export const QrDialog = ({ url, onClose }: { url: string; onClose: () => void }) => (
  <Dialog isOpen onClose={onClose} title={words.heading} description={words.text}>
    <img
      src={`data:image/svg+xml,${encodeURIComponent(renderSVG(url, { ecc: 'M', border: 3 }))}`}
      alt={words.alt}
      width={288}
      height={288}
      className="mx-auto block h-auto w-72 max-w-full bg-white"
    />
    <p className="mt-3 text-center font-mono text-small">{url}</p>
  </Dialog>
)
