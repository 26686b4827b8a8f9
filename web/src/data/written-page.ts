/** Data in the page older than this is requested again. */
const freshMs = 10_000

/** Whether this page just came from the registry. A cached or restored page shows old data. */
export const isFresh = () => {
  const [navigation] = performance.getEntriesByType('navigation')
  if (!(navigation instanceof PerformanceNavigationTiming)) return false
  // A prefetched or prerendered page is older than the visit.
  const { deliveryType = '', activationStart = 0 } = navigation as { deliveryType?: string; activationStart?: number }
  if (deliveryType !== '' || activationStart > 0 || (document as { prerendering?: boolean }).prerendering) return false
  return navigation.transferSize > 0 && navigation.type !== 'back_forward' && performance.now() < freshMs
}

/** JSON that the server wrote into the page, by element ID, if it is still fresh. */
export const readWritten = <Written>(id: string): Written | undefined => {
  const json = document.getElementById(id)?.textContent
  return json && isFresh() ? (JSON.parse(json) as Written) : undefined
}
