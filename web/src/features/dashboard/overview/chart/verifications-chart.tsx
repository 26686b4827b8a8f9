import { useState } from 'react'
import { overviewTab } from '#messages/dashboard/overview.ts'
import { formatDay, formatNumber } from '#messages/site.ts'
import { Failed } from '../../../../failures/failed.tsx'
import { SelectField } from '../../../../forms/field.tsx'
import { Button } from '../../../../ui/controls/button.tsx'
import { Section } from '../../../../ui/layout/section.tsx'
import { type Period, useVerificationsByDay } from '../overview.ts'
import { BarChart } from './bar-chart.tsx'
import { type DayCount, peakOf } from './bars.ts'

const words = overviewTab.chart
const periods: readonly Period[] = ['30', '90']

/** Opened links per day, as bars or as a table. */
export const VerificationsChart = ({ providerId }: { providerId: string }) => {
  const [days, setDays] = useState<Period>('30')
  const [model, setModel] = useState('')
  const [isTable, setIsTable] = useState(false)
  const all = useVerificationsByDay(providerId, days, undefined)
  const { counted, failure, again } = useVerificationsByDay(providerId, days, model === '' ? undefined : model)
  return (
    <Section heading={words.heading} className="">
      <p className="-mt-2 max-w-prose text-muted text-small">{words.text}</p>
      <div className="mt-3 flex flex-wrap items-end gap-3">
        <SelectField
          label={words.period}
          className="w-28"
          value={days}
          onChange={({ target }) => setDays(target.value as Period)}
        >
          {periods.map((period) => (
            <option key={period} value={period}>
              {words.days(Number(period))}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={words.model}
          className="min-w-0 max-w-72 grow"
          value={model}
          onChange={({ target }) => setModel(target.value)}
        >
          <option value="">{words.allModels}</option>
          {all.counted?.models.map(({ model_id, model_name, model_version, api_model_identifier }) => (
            <option key={model_id} value={model_id}>
              {words.ofModel(model_name, model_version, api_model_identifier)}
            </option>
          ))}
        </SelectField>
        <Button onClick={() => setIsTable(!isTable)}>{isTable ? words.asChart : words.asTable}</Button>
      </div>
      <div className="mt-4">
        {counted ? (
          <Counted days={counted.days} count={counted.in_period} isTable={isTable} />
        ) : failure === undefined ? (
          <div role="status" className="h-64">
            <span className="sr-only">{words.loading}</span>
            <div aria-hidden className="h-full rounded-chip bg-sunken motion-safe:animate-pulse" />
          </div>
        ) : (
          <Failed failure={failure} again={again} />
        )}
      </div>
    </Section>
  )
}

const Counted = ({ days, count, isTable }: { days: readonly DayCount[]; count: number; isTable: boolean }) => {
  const [first, last] = [days[0]?.day ?? '', days.at(-1)?.day ?? '']
  const peak = peakOf(days)
  const summary = peak
    ? `${words.summary(count, first, last)} ${words.peak(peak.day, peak.verifications)}`
    : words.none(days.length)
  return (
    <>
      <p role="status" className="mb-3 font-semibold text-small">
        {summary}
      </p>
      {isTable ? <DayTable days={days} /> : <BarChart days={days} label={summary} />}
    </>
  )
}

const DayTable = ({ days }: { days: readonly DayCount[] }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling table must be reachable by keyboard
  <section aria-label={words.tableLabel} tabIndex={0} className="h-70 overflow-y-auto border-line border-y">
    <table className="w-full max-w-record text-small">
      <thead className="text-muted">
        <tr>
          <th scope="col" className="py-2 text-start font-normal">
            {words.day}
          </th>
          <th scope="col" className="py-2 pe-4 text-end font-normal">
            {words.count}
          </th>
        </tr>
      </thead>
      <tbody>
        {days.toReversed().map(({ day, verifications }) => (
          <tr key={day} className="border-line border-t">
            <th scope="row" className="py-1.5 text-start font-normal">
              {formatDay(day)}
            </th>
            <td className="py-1.5 pe-4 text-end tabular-nums">{formatNumber(verifications)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)
