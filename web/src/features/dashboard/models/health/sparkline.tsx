import type { ModelHealth } from '@countersign/sdk/contract'
import { formatShortDay, modelsTab } from '#messages/dashboard/models.ts'
import { daysOf, type HealthDay } from './own-model-health.ts'

const words = modelsTab.health
const width = 8
const gap = 3
const height = 20

/** The uptime of each of seven days, in words. */
export const describeDay = ({ share }: HealthDay) => (share === null ? words.notChecked : words.percent(share))

/** A bar for each of seven days, its height showing the uptime; a short line if not checked. */
export const Sparkline = ({ hours }: { hours: ModelHealth['hours'] }) => {
  const days = daysOf(hours, Date.now())
  const whole = days.length * (width + gap) - gap
  return (
    <svg
      role="img"
      aria-label={words.week(days.map((day) => words.day(formatShortDay(day.day), describeDay(day))).join(', '))}
      width={whole}
      height={height}
      viewBox={`0 0 ${whole} ${height}`}
      className="shrink-0"
    >
      {days.map((day, index) => (
        <Bar key={day.day} share={day.share} x={index * (width + gap)} />
      ))}
    </svg>
  )
}

/** Reserves space while loading. */
export const SparklineSpace = () => <span aria-hidden style={{ width: 7 * (width + gap) - gap, height }} />

const Bar = ({ share, x }: { share: number | null; x: number }) => {
  if (share === null) return <rect {...{ x, width }} y={height - 2} height={2} className="fill-control" />
  const tall = Math.max(3, share * height)
  return (
    <>
      <rect {...{ x, width, height }} y={0} className="fill-sunken" />
      <rect {...{ x, width }} y={height - tall} height={tall} className={share < 0.5 ? 'fill-bad' : 'fill-ink'} />
    </>
  )
}
