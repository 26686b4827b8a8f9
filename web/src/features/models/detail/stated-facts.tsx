import { type Model, type ModelField, type ModelFieldRow, modelFieldRows, modelFields } from '@countersign/sdk/contract'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { formatRelease } from '#messages/lists.ts'
import { modelPage } from '#messages/pages/model-page.ts'
import { formatNumber } from '#messages/site.ts'
import { endpointText } from '../../../data/endpoint-place.ts'
import { FactRow, FactRows } from '../../../ui/layout/facts.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { DigestStrip } from '../../../ui/values/digest-strip.tsx'
import { InlineCode } from '../../../ui/values/inline-code.tsx'
import { QuotedText, QuotedValues } from '../../../ui/values/quoted-text.tsx'
import { WebAddress } from '../../../ui/values/web-address.tsx'

const words = modelPage.stated

type Rows = [name: string, value: ReactNode][]

/** Unchecked statements of the provider about its model. */
export const StatedFacts = ({ model }: { model: Model }) => (
  <Section heading={words.heading}>
    <QuotedText label={<h3 className="font-semibold">{words.description}</h3>} text={model.description} />
    <div className="gap-x-12 lg:columns-2">
      {groupsOf(model).map(([heading, rows]) => (
        <Group key={heading} heading={heading} rows={rows} />
      ))}
    </div>
  </Section>
)

const Group = ({ heading, rows }: { heading: string; rows: Rows }) => {
  const known = rows.filter(([, value]) => value !== null)
  if (known.length === 0) return null
  return (
    <div className="break-inside-avoid pt-6">
      <h3 className="mb-2 font-semibold">{heading}</h3>
      <FactRows>
        {known.map(([name, value]) => (
          <FactRow key={name} name={name}>
            {value}
          </FactRow>
        ))}
      </FactRows>
    </div>
  )
}

const pages = ['basic', 'specifications', 'abilities', 'service', 'benchmarks', 'links'] as const

const groupsOf = (model: Model): [heading: string, rows: Rows][] =>
  pages.map((page) => [
    words.groups[page],
    modelFieldRows
      .filter(([, row]) => row.page === page)
      .flatMap(
        ([name, { label = '' }]): Rows =>
          name === 'performance_benchmarks' ? benchmarks(model) : [[label, shownValue(model, name)]],
      ),
  ])

/** Fields with a display of their own; the others are shown by kind. */
const ownWay: Partial<Record<ModelField, (model: Model) => ReactNode>> = {
  api_model_identifier: (model) => <InlineCode>{model.api_model_identifier}</InlineCode>,
  endpoint: (model) => <InlineCode>{endpointText(model.endpoint)}</InlineCode>,
  model_type: (model) => words.types[model.model_type],
  model_digest: (model) => digest(model.model_digest),
}

const shownValue = (model: Model, name: ModelField): ReactNode => {
  const { kind, unit }: ModelFieldRow = modelFields[name]
  const value = model[name]
  const own = ownWay[name]
  if (own) return own(model)
  if (typeof value === 'number')
    return unit === undefined ? formatNumber(value) : words.units[unit](formatNumber(value))
  if (Array.isArray(value)) return quoted(value)
  if (typeof value !== 'string' || value === '') return null
  if (kind === 'date') return formatRelease(value)
  return kind === 'url' ? <WebAddress url={value} /> : quoted([value])
}

/** Shown with its bars; its signature is listed among the checks. */
const digest = (value: string | null) =>
  value && (
    <Link to="?tab=security" preventScrollReset className="link block">
      <span className="block text-ink">
        <DigestStrip digest={value} />
      </span>
      <InlineCode>{`${value.slice(-64, -48)}…`}</InlineCode>
    </Link>
  )

const quoted = (texts: readonly string[]) =>
  texts.length === 0 ? null : <QuotedValues note={words.notChecked} texts={texts} />

const benchmarkNames = Object.keys(words.benchmarkNames) as (keyof typeof words.benchmarkNames)[]

const benchmarks = ({ performance_benchmarks: scores }: Model): Rows =>
  benchmarkNames.map((name) => {
    const score = scores?.[name]
    return [words.benchmarkNames[name], score === undefined ? null : formatNumber(score)]
  })
