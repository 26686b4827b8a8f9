import { type BundleRecord, describeSigner } from '@countersign/sdk/contract'
import { quoteExactly } from '@countersign/sdk/words'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router-dom'
import { modelForm } from '#messages/dashboard/model-form.ts'
import { explainFailure } from '../../../failures/failure.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { declareAddressOf } from '../shared/tab-names.ts'

const words = modelForm.bundle

/** What became of a bundle sent with a registration. */
export type Outcome = { id: string } & ({ record: BundleRecord } | { failure: unknown })

interface RegistrationOutcomeProps {
  outcome: Outcome
  isUploading: boolean
  again: () => void
  onward: () => void
}

/** Shown after the registration if there is something to say about the bundle. */
export const RegistrationOutcome = ({ outcome, isUploading, again, onward }: RegistrationOutcomeProps) => {
  const record = 'record' in outcome ? outcome.record : undefined
  const heading = useRef<HTMLParagraphElement>(null)
  // Replaces the form, which had the focus.
  useEffect(() => heading.current?.focus(), [])
  return (
    <div role="status" className="grid gap-4 border-warn border-s-4 py-2 ps-4">
      <p ref={heading} tabIndex={-1} className="font-semibold">
        {words.outcome[record?.bundle_status ?? 'refused']}
      </p>
      <p className="text-small">
        {record ? record.message : explainFailure('failure' in outcome ? outcome.failure : undefined)}
      </p>
      {record?.signer && <p className="text-small">{words.signedBy(describeSigner(record.signer, quoteExactly))}</p>}
      {record?.reason === 'signer_not_declared' && (
        <p className="text-small">
          <Link to={declareAddressOf(outcome.id)} className="link">
            {words.toSigners}
          </Link>
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button look="primary" onClick={onward}>
          {words.onward}
        </Button>
        {record?.bundle_status !== 'unknown' && (
          <Button onClick={again} aria-disabled={isUploading}>
            {words.again}
          </Button>
        )}
      </div>
    </div>
  )
}
