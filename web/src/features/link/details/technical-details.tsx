import type { VerificationResult } from '@countersign/sdk/contract'
import { linkDetails } from '#messages/pages/link-details.ts'
import { FactRow, FactRows } from '../../../ui/layout/facts.tsx'
import { Hex } from '../../../ui/values/hex.tsx'
import { linkUrlOf } from '../actions/link-address.ts'
import { Fold } from './fold.tsx'

const words = linkDetails.technical

/** Full hashes, and how to repeat the check without this page. */
export const TechnicalDetails = ({ record }: { record: VerificationResult }) => (
  <div className="print:hidden">
    <Fold heading={words.heading}>
      <FactRows>
        <FactRow name={words.verificationId}>
          <code className="font-mono text-small">{record.verification_id}</code>
        </FactRow>
        {record.deployment_info && (
          <FactRow name={words.fullFingerprint}>
            <Hex value={record.deployment_info.spki_fingerprint} />
          </FactRow>
        )}
        {record.bound_answer && (
          <FactRow name={words.boundHash}>
            <Hex value={record.bound_answer.response_hash} />
          </FactRow>
        )}
        <FactRow name={words.repeat}>
          <code className="font-mono text-small">countersign verify {linkUrlOf(record)}</code>
          <p>
            <a href={`/api/v1/verify/${record.link_code}`} className="link text-small">
              {words.json}
            </a>
          </p>
        </FactRow>
      </FactRows>
    </Fold>
  </div>
)
