import type { VerificationResult } from '@countersign/sdk/contract'
import { link } from '#messages/pages/link.ts'
import { formatTime, site } from '#messages/site.ts'
import { isDevelopmentRegistry, registryHost } from '../../data/registry.ts'
import { linkUrlOf } from './actions/link-address.ts'

const words = link

/** In print there is no header and no countdown. */
export const PrintHead = ({ until }: { until?: string }) => (
  <div className="hidden pb-3 print:block">
    <p className="font-semibold">{words.print.head(registryHost)}</p>
    {isDevelopmentRegistry && <p>{site.layout.development}</p>}
    {until !== undefined && <p>{words.print.paper(formatTime(until))}</p>}
  </div>
)

/** Shown in print instead of buttons: the URL, both times and the full digest. */
export const PrintFacts = ({ record }: { record: VerificationResult }) => (
  <dl className="hidden py-4 print:block">
    {[
      [words.print.url, linkUrlOf(record)],
      [words.print.issued, formatTime(record.timestamp)],
      [words.print.expires, formatTime(record.expires_at)],
      [words.print.digest, record.model?.model_digest ?? words.print.none],
    ].map(([name, value]) => (
      <div key={name} className="flex gap-4">
        <dt className="w-40 shrink-0">{name}</dt>
        <dd className="min-w-0 font-mono text-small">{value}</dd>
      </div>
    ))}
  </dl>
)
