import type { VerificationResult } from '@countersign/sdk/contract'
import { link } from '#messages/pages/link.ts'
import { openedCode } from '../../../data/typed-link.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { ReportButton } from '../../reports/report-button.tsx'
import { copyLink, shareLink } from './link-address.ts'

const words = link.actions

interface QuickActionsProps {
  token: string
  model: VerificationResult['model']
  /** `none`: nothing worth sharing. `unconfirmed`: reporting comes first. */
  trust: 'confirmed' | 'unconfirmed' | 'none'
}

/** The actions within thumb reach. */
export const QuickActions = ({ token, model, trust }: QuickActionsProps) => {
  const report = model && (
    <ReportButton key="report" look="text" verificationToken={token}>
      {words.report}
    </ReportButton>
  )
  const copy = trust !== 'none' && (
    <Button key="copy" look="text" onClick={copyLink}>
      {words.copyShort}
    </Button>
  )
  const share = trust !== 'none' && openedCode(token) !== null && 'share' in navigator && (
    <Button key="share" look="text" onClick={shareLink}>
      {words.share}
    </Button>
  )
  return (
    <div className="mt-1 flex flex-wrap gap-x-5 print:hidden">
      {trust === 'confirmed' ? [copy, share, report] : [report, copy, share]}
    </div>
  )
}
