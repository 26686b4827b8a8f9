import { quoted } from '@countersign/sdk/words'
import { formatNumber } from '../site.ts'

const results = (count: number) => (count === 1 ? '1 result' : `${formatNumber(count)} results`)

/** Anyone can write an address with a query in it: its words cannot leave their quotation marks. */
const asTyped = (query: string) => `"${quoted(query).slice(1, -1)}"`

/** The search box of the header and the page of all results. */
export const search = {
  label: 'Search providers and models',
  placeholder: 'Search providers and models...',
  groups: {
    providers: 'Providers',
    models: 'Models',
    /** `isAll`: no more of them match. */
    count: (name: string, count: number, isAll: boolean) => (isAll ? `${name} (${formatNumber(count)})` : `${name} (first ${count})`),
  },
  viewAll: (count: number, isLowerBound: boolean) =>
    isLowerBound ? `View all ${formatNumber(count)}+ results` : `View all ${results(count)}`,
  /** For those who do not see the list open. */
  available: (count: number) => `${results(count)} shown. Use the arrow keys to choose one.`,
  notProven: 'Domain not verified',
  ofUnproven: (provider: string) => `Domain not verified, ${provider}`,
  model: (name: string, version: string) => quoted(`${name} ${version}`),
  /** Anything may stand there but a number. */
  version: (version: string) => `Version ${/^v?[\d.]+$/.test(version) ? version : quoted(version)}`,

  page: {
    title: 'Search',
    heading: 'Search',
    searching: 'Searching...',
    found: (count: number, query: string, isLowerBound: boolean) =>
      `Found ${isLowerBound ? `more than ${results(count)}` : results(count)} for ${asTyped(query)}`,
    nothing: (query: string) => `No results found for ${asTyped(query)}`,
    tooShort: 'Enter at least 2 characters to search.',
    failed: 'Search failed',
    empty: {
      heading: 'No results found',
      hint: 'Adjust your terms: fewer words, another spelling, or the domain of the company. What is unlisted or private is not found here.',
      providers: 'Browse all providers',
      models: 'Browse all models',
    },
    viewProvider: 'View Provider →',
    viewModel: 'View Model →',
    /** Behind either, for those who hear the links alone. */
    of: (name: string) => ` (${name})`,
    moreProviders: 'All providers with these words',
    moreModels: 'All models with these words',
  },
} as const
