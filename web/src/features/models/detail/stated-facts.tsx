import type { Model } from '@countersign/sdk/contract'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { formatRelease } from '#messages/lists.ts'
import { modelPage } from '#messages/pages/model-page.ts'
import { formatNumber } from '#messages/site.ts'
import { FactRow, FactRows } from '../../../ui/layout/facts.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { DigestStrip } from '../../../ui/values/digest-strip.tsx'
import { InlineCode } from '../../../ui/values/inline-code.tsx'
import { WebAddress } from '../../../ui/values/web-address.tsx'

const words = modelPage.stated

type Rows = [name: string, value: ReactNode][]

/** Unchecked statements of the provider about its model. */
export const StatedFacts = ({ model }: { model: Model }) => (
  <Section heading={words.heading}>
    <h3 className="sr-only">{words.description}</h3>
    <p className="max-w-prose whitespace-pre-line">
      <bdi>{model.description}</bdi>
    </p>
    {groupsOf(model).map(([heading, rows]) => (
      <Group key={heading} heading={heading} rows={rows} />
    ))}
  </Section>
)

const Group = ({ heading, rows }: { heading: string; rows: Rows }) => {
  const known = rows.filter(([, value]) => value !== null)
  if (known.length === 0) return null
  return (
    <>
      <h3 className="mt-6 mb-2 font-semibold">{heading}</h3>
      <FactRows>
        {known.map(([name, value]) => (
          <FactRow key={name} name={name}>
            {value}
          </FactRow>
        ))}
      </FactRows>
    </>
  )
}

const groupsOf = (model: Model): [heading: string, rows: Rows][] => [
  [
    words.basic,
    [
      [words.apiId, <InlineCode key="id">{model.api_model_identifier}</InlineCode>],
      [words.family, written(model.family_name)],
      [words.type, words.types[model.model_type]],
      [words.language, written(model.language)],
      [words.released, model.release_date && formatRelease(model.release_date)],
      [words.digest, digest(model.model_digest)],
    ],
  ],
  [
    words.specs,
    [
      [words.context, model.context_window === null ? null : words.tokens(formatNumber(model.context_window))],
      [words.cutoff, model.training_cutoff && formatRelease(model.training_cutoff)],
      [words.architecture, written(model.architecture)],
      [words.size, written(model.model_size)],
    ],
  ],
  [
    words.abilities,
    [
      [words.capabilities, list(model.capabilities)],
      [words.inputs, list(model.input_types)],
      [words.outputs, list(model.output_types)],
    ],
  ],
  [
    words.service,
    [
      [words.endpoint, <InlineCode key="endpoint">{model.endpoint}</InlineCode>],
      [words.tls, written(model.tls_version)],
      [words.regions, list(model.serving_regions)],
      [words.sla, written(model.uptime_sla)],
      [words.responseTime, written(model.avg_response_time)],
    ],
  ],
  [words.benchmarks, benchmarks(model)],
  [
    words.links,
    [
      [words.repository, address(model.github_repo_url)],
      [words.hub, address(model.huggingface_url)],
      [words.paper, address(model.paper_url)],
      [words.card, address(model.model_card_url)],
    ],
  ],
]

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

// Isolate each value's text direction.
const written = (text: string | null) => (text ? <bdi>{text}</bdi> : null)
const address = (url: string | null) => (url ? <WebAddress url={url} /> : null)

/** A list, or comma-separated text. */
const list = (values: readonly string[] | string) => {
  const names = typeof values === 'string' ? values.split(',').map((name) => name.trim()) : values
  return written(names.filter((name) => name !== '').join(', '))
}

const benchmarkNames = Object.keys(words.benchmarkNames) as (keyof typeof words.benchmarkNames)[]

const benchmarks = ({ performance_benchmarks: scores }: Model): Rows =>
  benchmarkNames.map((name) => {
    const score = scores?.[name]
    return [words.benchmarkNames[name], score === undefined ? null : formatNumber(score)]
  })
