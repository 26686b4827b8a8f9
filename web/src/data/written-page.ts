/** Longer after the page was asked for, what it says is asked for once more. */
const freshMs = 10_000

/** Whether this page came from the registry just now. One that a browser kept, or came back to, shows the past. */
export const isFresh = () => {
  const [navigation] = performance.getEntriesByType('navigation')
  if (!(navigation instanceof PerformanceNavigationTiming)) return false
  // What a browser fetched or drew ahead is of the time before somebody came.
  const { deliveryType = '', activationStart = 0 } = navigation as { deliveryType?: string; activationStart?: number }
  if (deliveryType !== '' || activationStart > 0 || (document as { prerendering?: boolean }).prerendering) return false
  return navigation.transferSize > 0 && navigation.type !== 'back_forward' && performance.now() < freshMs
}

/** What the server wrote into the page, by the id of its element, where that is as good as what is asked for now. */
export const readWritten = <Written>(id: string): Written | undefined => {
  const json = document.getElementById(id)?.textContent
  return json && isFresh() ? (JSON.parse(json) as Written) : undefined
}
