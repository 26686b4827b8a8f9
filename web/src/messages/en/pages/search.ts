import { quote } from '@countersign/sdk/words'
import { formatNumber } from '../site.ts'
import { versionName } from '../version-name.ts'

const results = (count: number) => (count === 1 ? '1 result' : `${formatNumber(count)} results`)

/** The query comes from the address, which anyone can write: keep it inside its quotation marks. */
const asTyped = (query: string) => `"${quote(query).slice(1, -1)}"`

/** The search box of the header and the page of all results. */
export const search = {
  label: 'Search providers and models',
  placeholder: 'Search providers and models...',
  groups: {
    providers: 'Providers',
    models: 'Models',
    /** `isAll`: there are no further matches. */
    count: (name: string, count: number, isAll: boolean) =>
      isAll ? `${name} (${formatNumber(count)})` : `${name} (first ${count})`,
  },
  viewAll: (count: number, isLowerBound: boolean) =>
    isLowerBound ? `View all ${formatNumber(count)}+ results` : `View all ${results(count)}`,
  /** For screen readers. */
  available: (count: number) => `${results(count)} shown. Use the arrow keys to choose one.`,
  notProven: 'Domain not verified',
  ofUnproven: (provider: string) => `Domain not verified, ${provider}`,
  model: (name: string, version: string) => quote(`${name} ${version}`),
  /** A version can be any text: quote it unless it is a number. */
  version: (version: string) => `Version ${versionName(version)}`,

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
      hint: 'Try fewer words, another spelling, or the company’s domain. Unlisted and private entries are not included.',
      providers: 'Browse all providers',
      models: 'Browse all models',
    },
    viewProvider: 'View Provider →',
    viewModel: 'View Model →',
    /** Follows the link’s words, for screen readers. */
    of: (name: string) => ` (${quote(name)})`,
    digestStated: (time: string) => `This account stated this digest on ${time}`,
    /** Never “first”: private and withdrawn versions are not found. */
    digestOrder:
      'The earliest to state this digest comes first. A private or withdrawn version may have had it before.',
    moreProviders: 'All providers with these words',
    moreModels: 'All models with these words',
  },
} as const
