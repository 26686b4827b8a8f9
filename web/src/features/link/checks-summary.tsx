import type { Check } from '@countersign/sdk/contract'
import { checkRowsOf, countChecks } from '@countersign/sdk/words'
import { link } from '#messages/pages/link.ts'

const words = link.checks
export const detailsId = 'details'

/** How many checks passed, in one line, and the way to them. */
export const ChecksSummary = ({ checks }: { checks: readonly Check[] }) => (
  <p className="outcome-limit print:hidden">
    {words.summary(countChecks(checkRowsOf(checks)))}.{' '}
    <a href={`#${detailsId}`} className="link">
      {words.details}
    </a>
  </p>
)
