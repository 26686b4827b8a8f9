import type { VerificationResult } from '@countersign/sdk/contract'
import { linkDetails } from '#messages/pages/link-details.ts'

const words = linkDetails.timeline

export interface Moment {
  time: string
  what: string
}

const secondOf = ({ time }: Moment) => Math.floor(Date.parse(time) / 1_000)

/** What happened to a link and to what it stands on, oldest first. Only what the registry saw itself. */
export const momentsOf = (record: VerificationResult): Moment[] => {
  const { model, provider, bound_answer: bound } = record
  const { domain, domain_verified, domain_verified_at } = provider ?? {}
  const moments: [time: string | null | undefined, what: string][] = [
    [domain && domain_verified ? domain_verified_at : null, words.domainProven(domain ?? '')],
    [model?.bundle_last_checked, words.bundleChecked[model?.bundle_status ?? 'unknown']],
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
      // A link carries its times in whole seconds.
      .toSorted((a, b) => secondOf(a) - secondOf(b))
  )
}
