import { reference } from 'virtual:reference'
import type { ComponentType } from 'react'
import { Link } from 'react-router-dom'
import { page } from '#messages/docs/page.ts'
import { trust } from '#messages/docs/trust.ts'
import type { Block } from '../../messages/blocks.ts'
import { MethodChip } from './method-chip.tsx'
import { Table } from './table.tsx'

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
  <Table heads={[words.exit, words.meaning]} rows={reference.exitCodes.map(({ code, meaning }) => [`\`${code}\``, meaning])} />
)

const TrustComponents = () => (
  <Table
    heads={[words.component, words.points, words.how]}
    rows={reference.trust.components.map(({ component, points, isClaim }) => {
      const how = trust.components[component]
      if (!how) throw new Error(`Nothing is said of the component ${component}`)
      return [`\`${component}\``, String(points), `${how(reference.trust.profileFields)} (${isClaim ? words.claimed : words.checked})`]
    })}
  />
)

const TrustLevels = () => (
  <Table
    heads={[words.level, words.score, words.needs]}
    rows={reference.trust.levels.toReversed().map(({ level, from, to }) => [`\`${level}\``, `${from}–${to}`, trust.needs[level] ?? ''])}
  />
)

/** Every endpoint by feature, each leading to its fields. */
const Index = () => (
  <table className="my-6 block w-full border-line border-t text-small sm:table">
    <thead className="sr-only sm:not-sr-only sm:table-header-group">
      <tr className="text-start text-muted">
        {[page.endpoint.index.method, page.endpoint.index.path, page.endpoint.index.does].map((head) => (
          <th key={head} scope="col" className="border-line border-b py-2 pe-4 text-start font-semibold">
            {head}
          </th>
        ))}
      </tr>
    </thead>
    <tbody className="block sm:table-row-group">
      {reference.endpoints.map(({ name, method, path, summary }) => (
        <tr key={name} className="block border-line border-b py-2 sm:table-row">
          <td className="block pe-4 align-top sm:table-cell sm:py-2">
            <MethodChip method={method} />
          </td>
          <th scope="row" className="block text-start align-top font-normal sm:table-cell sm:py-2 sm:pe-4">
            <Link to={`#${name}`} className="link font-mono">
              {path}
            </Link>
          </th>
          <td className="block align-top text-muted sm:table-cell sm:py-2">{summary}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

type ComputedName = Extract<Block, { computed: string }>['computed']

export const computed = {
  errors: Errors,
  'exit-codes': ExitCodes,
  'trust-components': TrustComponents,
  'trust-levels': TrustLevels,
  index: Index,
} satisfies Record<ComputedName, ComponentType>
