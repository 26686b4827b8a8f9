import { type FoundModel, type FoundProvider, limits, type SearchResult } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import { type Declare, example, type Flags } from '../../args/command.ts'
import { usage } from '../../failure.ts'
import { type Paint, table } from '../../render/output.ts'
import { shownLevel } from '../../render/trust-level.ts'

export const declare: Declare = (search) => {
  search
    .description('Finds listed providers and public models by name, those with verified domains first. No key needed.')
    .argument('<query>', `at least ${limits.minSearchText} characters`, 'text')
    .option('--providers', 'only providers')
    .option('--models', 'only models')
    .option(
      '--limit <number>',
      `results of each kind, 1 to ${limits.maxPageSize}; default: ${limits.searchResults}`,
      'number',
    )
    .action(async (context, { args: [query = ''], flags }) => {
      const q = query.trim()
      if (q.length < limits.minSearchText) throw usage(`Enter at least ${limits.minSearchText} characters to search`)
      const scope = readScope(flags)
      const found = await (await context.connect({ key: 'none' })).search.find({ q, ...scope })
      context.out.print({
        value: found,
        ids: [...found.providers, ...found.models].map(({ id }) => id),
        text: (paint) => describe(found, q, paint),
      })
    })
  example(search, 'search acme', 'search "tiny chat" --models')
}

const readScope = (flags: Flags) => {
  const [isProviders, isModels, limit] = [flags.isOn('providers'), flags.isOn('models'), flags.text('limit')]
  if (isProviders && isModels) throw usage('--providers and --models cannot be used together')
  if (limit !== undefined && !/^\d+$/.test(limit))
    throw usage(`--limit must be a whole number, not ${JSON.stringify(limit)}`)
  return {
    ...(isProviders && { include_models: 'false' as const }),
    ...(isModels && { include_providers: 'false' as const }),
    ...(limit !== undefined && { limit: Number(limit) }),
  }
}

const describe = ({ providers, models, total, total_is_lower_bound }: SearchResult, query: string, paint: Paint) => {
  if (providers.length + models.length === 0) return `No results found for "${query}"`
  const shown = providers.length + models.length
  const count = `Found ${total_is_lower_bound ? 'more than ' : ''}${total} ${total === 1 ? 'result' : 'results'} for "${query}"`
  return [
    shown < total ? `${count}, showing the first ${shown}:` : `${count}:`,
    ...(providers.length === 0 ? [] : [table(['PROVIDER', 'NAME', 'TRUST', 'ID'], providers.map(providerRow), paint)]),
    ...(models.length === 0 ? [] : [table(['MODEL', 'VERSION', 'PROVIDER', 'ID'], models.map(modelRow), paint)]),
  ].join('\n\n')
}

/** The domain comes first: once verified, it is the provider's identity. Names are quoted: anyone can choose them. */
const providerRow = ({ domain, domain_verified, title, trust_level, id }: FoundProvider) => [
  domain === null ? 'no domain' : `${domain}${domain_verified ? '' : ' (not verified)'}`,
  quote(title),
  shownLevel(trust_level),
  id,
]

const modelRow = ({ title, version, subtitle, provider_domain_verified, id }: FoundModel) => [
  quote(title),
  quote(version),
  provider_domain_verified ? (subtitle ?? '-') : `${subtitle === null ? '-' : quote(subtitle)} (not verified)`,
  id,
]
