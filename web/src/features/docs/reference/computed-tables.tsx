import { reference } from 'virtual:reference'
import type { ComponentType } from 'react'
import { Link } from 'react-router-dom'
import { page } from '#messages/docs/page.ts'
import { trust } from '#messages/docs/trust.ts'
import type { Block } from '../../../messages/blocks.ts'
import { Table } from '../blocks/table.tsx'
import { MethodChip } from './method-chip.tsx'

const words = page.tables

const Errors = () => (
  <Table
    heads={[words.code, words.status, words.meaning, words.exit, words.again]}
    rows={reference.errors.map(({ code, status, title, exit, isRetryable }) => [
      `\`${code}\``,
      String(status),
      title,
      String(exit),
      isRetryable ? words.yes : '',
    ])}
  />
)

const ExitCodes = () => (
  <Table
    heads={[words.exit, words.meaning]}
    rows={reference.exitCodes.map(({ code, meaning }) => [`\`${code}\``, meaning])}
  />
)

const TrustComponents = () => (
  <Table
    heads={[words.component, words.points, words.how]}
    rows={reference.trust.components.map(({ component, points, isClaim }) => {
      const how = trust.components[component]
      if (!how) throw new Error(`Nothing is said of the component ${component}`)
      return [
        `\`${component}\``,
        String(points),
        `${how(reference.trust.profileFields)} (${isClaim ? words.claimed : words.checked})`,
      ]
    })}
  />
)

const TrustLevels = () => (
  <Table
    heads={[words.level, words.score, words.needs]}
    rows={reference.trust.levels
      .toReversed()
      .map(({ level, from, to }) => [`\`${level}\``, `${from}–${to}`, trust.needs[level] ?? ''])}
  />
)

/** Every endpoint, linked to its details. */
const Index = () => (
  <ul className="my-6 border-line border-t text-small">
    {reference.endpoints.map(({ name, method, path, summary }) => (
      <li key={name} className="grid gap-x-3 border-line border-b py-2 sm:grid-cols-[4rem_1fr]">
        <MethodChip method={method} />
        <div>
          <Link to={`#${name}`} preventScrollReset className="link font-mono">
            {path}
          </Link>
          <p className="text-muted">{summary}</p>
        </div>
      </li>
    ))}
  </ul>
)

type ComputedName = Extract<Block, { computed: string }>['computed']

export const computed = {
  errors: Errors,
  'exit-codes': ExitCodes,
  'trust-components': TrustComponents,
  'trust-levels': TrustLevels,
  index: Index,
} satisfies Record<ComputedName, ComponentType>
