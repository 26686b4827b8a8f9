import type { VerificationResult } from '@countersign/sdk/contract'
import { link } from '#messages/pages/link.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { ReportButton } from '../../reports/report-button.tsx'
import { copyLink, linkUrlOf, shareLink } from './link-address.ts'

const words = link.actions

interface QuickActionsProps {
  token: string
  record: VerificationResult
  /** `none`: nothing worth sharing. `unconfirmed`: reporting comes first. */
  trust: 'confirmed' | 'unconfirmed' | 'none'
}

/** The actions within thumb reach. */
export const QuickActions = ({ token, record, trust }: QuickActionsProps) => {
  const url = linkUrlOf(record)
  const report = record.model && (
    <ReportButton key="report" look="text" verificationToken={token}>
      {words.report}
    </ReportButton>
  )
  const copy = trust !== 'none' && (
    <Button key="copy" look="text" onClick={() => copyLink(url)}>
      {words.copyShort}
    </Button>
  )
  const share = trust !== 'none' && 'share' in navigator && (
    <Button key="share" look="text" onClick={() => shareLink(url)}>
      {words.share}
    </Button>
  )
  return (
    <div className="mt-1 flex flex-wrap gap-x-5 print:hidden">
      {trust === 'confirmed' ? [copy, share, report] : [report, copy, share]}
    </div>
  )
}
