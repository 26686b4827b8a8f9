import type { VerificationResult } from '@countersign/sdk/contract'
import { provenDomain } from '@countersign/sdk/verify'
import { linkDetails } from '#messages/pages/link-details.ts'

const words = linkDetails.timeline

export interface Moment {
  time: string
  what: string
}

const secondOf = ({ time }: Moment) => Math.floor(Date.parse(time) / 1_000)

/** The history of a link and what it depends on, oldest first. Only events that the registry observed itself. */
export const momentsOf = (record: VerificationResult): Moment[] => {
  const { model, provider, bound_answer: bound } = record
  const { domain, domain_verified, domain_verified_at } = provider ?? {}
  const isOfUnknown = model?.bundle_status === 'verified' && provenDomain(record) === null
  const moments: [time: string | null | undefined, what: string][] = [
    [domain && domain_verified ? domain_verified_at : null, words.domainProven(domain ?? '')],
    [model?.bundle_last_checked, words.bundleChecked[isOfUnknown ? 'ofUnknown' : (model?.bundle_status ?? 'unknown')]],
    [record.timestamp, words.issued],
    [bound?.bound_at, bound?.bound_by === 'provider' ? words.answerByProvider : words.answerByBearer],
    [model?.superseded_at, words.superseded],
    [model?.archived_at, words.archived],
    [record.checked_at, words.checked],
    [record.expires_at, words.ends],
  ]
  return (
    moments
      .flatMap(([time, what]) => (time ? [{ time, what }] : []))
      // Link times are whole seconds.
      .toSorted((a, b) => secondOf(a) - secondOf(b))
  )
}
