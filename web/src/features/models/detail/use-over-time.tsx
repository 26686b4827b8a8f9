import type { CommunityStats } from '@countersign/sdk/contract'
import { modelPage } from '#messages/pages/model-page.ts'
import { formatDay, formatNumber } from '#messages/site.ts'
import { Section } from '../../../ui/layout/section.tsx'
import { useCommunityStats } from '../../reports/use-community-stats.ts'

const words = modelPage.use
const [width, gap, height] = [10, 4, 48]

/** Links that people opened, week by week: in a sentence, as bars, and as a table. */
export const UseOverTime = ({ modelId }: { modelId: string }) => {
  const { stats, isKnown, isFailed } = useCommunityStats(modelId)
  if (isFailed) return null
  return (
    <Section heading={words.heading}>
      {isKnown ? <Weeks weeks={stats.weeks} /> : <div aria-hidden className="h-28 rounded-chip bg-sunken" />}
    </Section>
  )
}

const Weeks = ({ weeks }: { weeks: CommunityStats['weeks'] }) => {
  const total = weeks.reduce((sum, { verifications }) => sum + verifications, 0)
  if (total === 0) return <p className="text-muted">{words.none(weeks.length)}</p>
  return (
    <>
      <p>{words.summary(total, weeks.length, weeks.at(-1)?.verifications ?? 0)}</p>
      <Bars weeks={weeks} />
      <details className="mt-2 max-w-record text-small">
        <summary className="w-fit cursor-pointer py-1 text-link hover:underline">{words.asTable}</summary>
        <table className="mt-2 w-full">
          <thead className="text-muted">
            <tr>
              <th scope="col" className="py-1.5 text-start font-normal">
                {words.week}
              </th>
              <th scope="col" className="py-1.5 text-end font-normal">
                {words.count}
              </th>
            </tr>
          </thead>
          <tbody>
            {weeks.toReversed().map(({ first_day, verifications }) => (
              <tr key={first_day} className="border-line border-t">
                <th scope="row" className="py-1.5 text-start font-normal">
                  {formatDay(first_day)}
                </th>
                <td className="py-1.5 text-end tabular-nums">{formatNumber(verifications)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  )
}

/** One bar for each week. The sentence above and the table below say the same. */
const Bars = ({ weeks }: { weeks: CommunityStats['weeks'] }) => {
  const most = Math.max(1, ...weeks.map(({ verifications }) => verifications))
  const whole = weeks.length * (width + gap) - gap
  return (
    <div aria-hidden className="mt-3 w-full max-w-80">
      <svg viewBox={`0 0 ${whole} ${height}`} preserveAspectRatio="none" className="h-20 w-full" role="presentation">
        <line x1={0} x2={whole} y1={height} y2={height} vectorEffect="non-scaling-stroke" className="stroke-control" />
        {weeks.map(({ first_day, verifications }, index) => {
          const tall = verifications === 0 ? 0 : Math.max(2, (verifications / most) * height)
          return (
            <rect
              key={first_day}
              x={index * (width + gap)}
              y={height - tall}
              width={width}
              height={tall}
              className={index === weeks.length - 1 ? 'fill-link' : 'fill-control'}
            >
              <title>{words.ofWeek(first_day, verifications)}</title>
            </rect>
          )
        })}
      </svg>
      <p className="mt-1 flex justify-between text-micro text-muted">
        <span>{formatDay(weeks[0]?.first_day ?? '')}</span>
        <span>{words.today}</span>
      </p>
    </div>
  )
}
