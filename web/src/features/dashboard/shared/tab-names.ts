export const tabNames = [
  'overview',
  'models',
  'deployments',
  'incidents',
  'verifications',
  'activity',
  'log',
  'billing',
  'settings',
] as const
export type TabName = (typeof tabNames)[number]

/** The tab named in the address; overview if missing or unknown. */
export const tabOf = (search: URLSearchParams): TabName =>
  tabNames.find((name) => name === search.get('tab')) ?? 'overview'

/** The page that declares the signer of a version's bundle, filled in from it. */
export const declareAddressOf = (modelId: string) => `/dashboard?tab=settings&section=signers&declare=${modelId}`

/** The profile in edit mode. */
export const editProfileAddress = '/dashboard?tab=settings&section=profile&edit=profile'

export const addressOf = (tab: TabName) => (tab === 'overview' ? '/dashboard' : `/dashboard?tab=${tab}`)
