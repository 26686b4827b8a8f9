import type { Provider } from '@countersign/sdk/contract'

/** What every tab knows: whose area it is, and how to ask again for what it shows of the provider. */
export interface TabProps {
  provider: Provider
  refresh: () => Promise<void>
}
