import type { VerificationResult } from '@countersign/sdk/contract'
import { link } from '#messages/link.ts'
import { Button } from '../../ui/button.tsx'
import { ReportButton } from '../incidents/report-button.tsx'
import { copyLink, shareLink } from './link-address.ts'
import { detailsId } from './record-details.tsx'
import { openedCode } from './typed-link.ts'

const words = link.actions

interface QuickActionsProps {
  token: string
  model: VerificationResult['model']
  /** A link that proves nothing is nothing to pass on. */
  canShare?: boolean
}

/** What a thumb reaches without scrolling. */
export const QuickActions = ({ token, model, canShare = true }: QuickActionsProps) => (
  <div className="mt-1 flex flex-wrap gap-x-5 print:hidden">
    {canShare && (
      <Button look="text" onClick={copyLink}>
        {words.copyShort}
      </Button>
    )}
    {canShare && openedCode(token) !== null && 'share' in navigator && (
      <Button look="text" onClick={shareLink}>
        {words.share}
      </Button>
    )}
    {model && (
      <ReportButton look="text" verificationToken={token}>
        {words.report}
      </ReportButton>
    )}
    <Button asChild look="text">
      <a href={`#${detailsId}`}>{words.details}</a>
    </Button>
  </div>
)
