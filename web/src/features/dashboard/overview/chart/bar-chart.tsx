import { type PointerEvent, useState } from 'react'
import { overviewTab } from '#messages/dashboard/overview.ts'
import { formatDay, formatNumber } from '#messages/site.ts'
import { type DayCount, topOf } from './bars.ts'

const words = overviewTab.chart
const height = 100
/** The share of a day's width. */
const barWidth = 0.72

/** One bar per day. Mouse, touch, or the slider below select a day. */
export const BarChart = ({ days, label }: { days: readonly DayCount[]; label: string }) => {
  const [chosen, setChosen] = useState<number | null>(null)
  const top = topOf(days)
  const shown = days[Math.min(chosen ?? days.length - 1, days.length - 1)]
  const at = days.indexOf(shown ?? { day: '', verifications: 0 })
  const point = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    setChosen(Math.min(days.length - 1, Math.max(0, Math.floor(((clientX - left) / width) * days.length))))
  }
  if (shown === undefined) return null
  const description = words.ofDay(shown.day, shown.verifications)
  return (
    <div className="grid grid-cols-[auto_1fr] gap-x-2">
      <p aria-hidden className="col-start-2 h-6 text-muted text-small tabular-nums">
        {description}
      </p>
      <div aria-hidden className="flex h-36 flex-col justify-between text-end text-micro text-muted tabular-nums">
        {[top, top / 2, 0].map((value) => (
          <span key={value} className="-my-2">
            {formatNumber(value)}
          </span>
        ))}
      </div>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${days.length} ${height}`}
        preserveAspectRatio="none"
        className="h-36 w-full touch-pan-y"
        onPointerMove={point}
        onPointerDown={point}
      >
        {[0, height / 2, height].map((y) => (
          <line
            key={y}
            x1={0}
            x2={days.length}
            y1={y}
            y2={y}
            vectorEffect="non-scaling-stroke"
            className="stroke-line"
          />
        ))}
        {days.map(({ day, verifications }, index) => {
          const high = (verifications / top) * height
          return (
            <g key={day}>
              {index === at && <rect x={index} y={0} width={1} height={height} className="fill-sunken" />}
              <rect
                x={index + (1 - barWidth) / 2}
                y={height - high}
                width={barWidth}
                height={high}
                className={index === at ? 'fill-link' : 'fill-control'}
              />
            </g>
          )
        })}
      </svg>
      <div aria-hidden className="col-start-2 mt-1 flex justify-between text-micro text-muted">
        {[days[0], days[Math.floor((days.length - 1) / 2)], days.at(-1)].map((day) => (
          <span key={day?.day}>{formatDay(day?.day ?? '')}</span>
        ))}
      </div>
      <input
        type="range"
        aria-label={words.day}
        aria-valuetext={description}
        min={0}
        max={days.length - 1}
        value={at}
        onChange={({ target }) => setChosen(Number(target.value))}
        className="col-start-2 mt-1 h-6 w-full accent-control"
      />
    </div>
  )
}
