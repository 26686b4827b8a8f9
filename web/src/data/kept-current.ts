/** Asks again when the visitor returns to this browser tab, and each minute while it is visible: a proof may be lost in the meantime. */
export const keptCurrent = { revalidateOnFocus: true, focusThrottleInterval: 10_000, refreshInterval: 60_000 }
