import type { Provider } from '@countersign/sdk/contract'

/** What every tab gets: the provider, and a function to reload it. */
export interface TabProps {
  provider: Provider
  refresh: () => Promise<void>
}
