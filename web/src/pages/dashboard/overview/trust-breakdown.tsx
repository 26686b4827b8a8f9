import type { Provider, TrustComponent } from '@countersign/sdk/contract'
import { overviewTab } from '#messages/dashboard/overview.ts'
import { Chip } from '../../../ui/chip.tsx'
import { Section } from '../../../ui/section.tsx'
import { gapWords } from './next-steps.tsx'
import { gapOf, isUsed } from './standing.ts'

const words = overviewTab.trust

/** What the trust score is made of: what counts, what is missing, and what that would add. */
export const TrustBreakdown = ({ provider }: { provider: Provider }) => (
  <Section heading={words.heading}>
    <p className="font-semibold">{words.score(provider.trust_score, provider.trust_level)}</p>
    <p className="mt-1 max-w-prose text-muted text-small">
      {gapWords(gapOf({ ...provider, is_used: isUsed(provider.trust_breakdown) }))} {words.levels}
    </p>
    <table className="mt-4 w-full border-line border-t text-small">
      <thead className="sr-only sm:not-sr-only">
        <tr className="text-start text-muted">
          <th scope="col" className="py-2 text-start font-normal sm:w-56">
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
      <tbody>
        {provider.trust_breakdown.map((part) => (
          <TrustRow key={part.component} part={part} />
        ))}
      </tbody>
    </table>
    <p className="mt-3 max-w-prose text-muted text-small">{words.selfDeclaredNote}</p>
  </Section>
)

const TrustRow = ({ part: { component, points, max_points, missing, self_attested } }: { part: TrustComponent }) => (
  <tr className="grid grid-cols-[1fr_auto] border-line border-t py-2 align-top last:border-b sm:table-row">
    <th scope="row" className="text-start font-normal sm:py-2">
      <span className="me-2 font-semibold">{words.components[component] ?? component}</span>
      {self_attested && <Chip>{words.selfDeclared}</Chip>}
    </th>
    <td className="ps-3 text-end tabular-nums whitespace-nowrap sm:px-3 sm:py-2">{words.ofPoints(points, max_points)}</td>
    <td className="col-span-2 text-muted sm:py-2 sm:ps-6">
      {missing === null ? words.complete : `${missing}. ${words.adds(max_points - points)}`}
    </td>
  </tr>
)
