import type { SWRConfiguration } from 'swr'

export const everyMinute = 60_000

/** Asks again when the visitor returns to this browser tab, and each minute while it is visible: a proof may be lost in the meantime. */
export const keptCurrent = {
  revalidateOnFocus: true,
  focusThrottleInterval: 10_000,
  refreshInterval: everyMinute,
  // SWR stops asking after a failure.
  shouldRetryOnError: true,
  onErrorRetry: (_failure, _key, _config, ask, options) => void setTimeout(ask, everyMinute, options),
} satisfies SWRConfiguration
