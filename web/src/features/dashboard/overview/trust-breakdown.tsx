import type { Provider, TrustComponent } from '@countersign/sdk/contract'
import { overviewTab } from '#messages/dashboard/overview.ts'
import { gapOf, isUsed } from '../shared/identity/standing.ts'
import { Fold } from './fold.tsx'
import { gapWords } from './next-steps.tsx'

const words = overviewTab.trust

/** The components of the trust score, with what is missing and the points it would add. */
export const TrustBreakdown = ({ provider }: { provider: Provider }) => (
  <Fold id="trust" heading={words.heading} summary={words.score(provider.trust_score, provider.trust_level)}>
    <p className="max-w-prose text-muted text-small">
      {gapWords(gapOf({ ...provider, is_used: isUsed(provider.trust_breakdown) }))} {words.levels}
    </p>
    <p className="mt-1 max-w-prose text-muted text-small">{words.counted}</p>
    <table className="mt-4 w-full border-line border-t text-small">
      <thead className="sr-only sm:not-sr-only">
        <tr className="text-start text-muted">
          <th scope="col" className="py-2 ps-3 text-start font-normal sm:w-56">
            {words.columns.what}
          </th>
          <th scope="col" className="px-3 py-2 text-end font-normal sm:w-24">
            {words.columns.points}
          </th>
          <th scope="col" className="py-2 text-start font-normal sm:ps-6">
            {words.columns.missing}
          </th>
        </tr>
      </thead>
      <TrustGroup parts={provider.trust_breakdown.filter(({ self_attested }) => !self_attested)} {...words.proven} />
      <TrustGroup
        parts={provider.trust_breakdown.filter(({ self_attested }) => self_attested)}
        {...words.selfReported}
      />
    </table>
  </Fold>
)

const sumOf = (parts: readonly TrustComponent[], what: 'points' | 'max_points') =>
  parts.reduce((sum, part) => sum + part[what], 0)

/** With its subtotal, so that proven and self-reported points are never mixed. */
const TrustGroup = ({ name, note, parts }: { name: string; note: string; parts: readonly TrustComponent[] }) => (
  <tbody>
    <tr className="grid grid-cols-[1fr_auto] border-line border-t bg-sunken py-2 align-top sm:table-row">
      <th scope="rowgroup" className="ps-3 text-start font-bold sm:py-2">
        {name}
      </th>
      <td className="px-3 text-end font-bold tabular-nums whitespace-nowrap sm:py-2">
        {words.ofPoints(sumOf(parts, 'points'), sumOf(parts, 'max_points'))}
      </td>
      <td className="col-span-2 px-3 text-muted sm:py-2 sm:ps-6">{note}</td>
    </tr>
    {parts.map((part) => (
      <TrustRow key={part.component} part={part} />
    ))}
  </tbody>
)

const TrustRow = ({ part: { component, points, max_points, missing } }: { part: TrustComponent }) => (
  <tr className="grid grid-cols-[1fr_auto] border-line border-t py-2 align-top last:border-b sm:table-row">
    <th scope="row" className="ps-3 text-start font-semibold sm:py-2">
      {words.components[component] ?? component}
    </th>
    <td className="px-3 text-end tabular-nums whitespace-nowrap sm:py-2">{words.ofPoints(points, max_points)}</td>
    <td className="col-span-2 px-3 text-muted sm:py-2 sm:ps-6">
      {missing === null ? words.complete : `${missing}. ${words.adds(max_points - points)}`}
    </td>
  </tr>
)
