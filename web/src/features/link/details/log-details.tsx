import type { VerificationResult } from '@countersign/sdk/contract'
import { linkDetails } from '#messages/pages/link-details.ts'
import { FactRow, FactRows } from '../../../ui/layout/facts.tsx'
import { linkUrlOf } from '../actions/link-address.ts'
import { Fold } from './fold.tsx'

const words = linkDetails.log

/** The facts behind the link in the public log. This page proves nothing about that, so it says how to check. */
export const LogDetails = ({ record }: { record: VerificationResult }) => (
  <Fold heading={words.heading} summary={words.states[record.log.is_witnessed ? 'witnessed' : record.log.state]}>
    <p className="mb-4">{words.what}</p>
    <FactRows>
      {record.log.facts.map(({ fact, index }) => (
        <FactRow key={fact} name={words.factOf(fact)}>
          {index === null ? words.noEntry : words.entry(index)}
        </FactRow>
      ))}
      <FactRow name={words.check}>
        <code className="break-words font-mono text-small">
          countersign verify {linkUrlOf(record)} --log-policy FILE
        </code>
        <p>
          <a href={`/api/v1/log/proofs/${record.link_code}`} className="link text-small">
            {words.proofs}
          </a>
        </p>
      </FactRow>
    </FactRows>
  </Fold>
)
