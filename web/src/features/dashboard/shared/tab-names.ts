export const tabNames = ['overview', 'models', 'deployments', 'incidents', 'verifications', 'activity', 'billing', 'settings'] as const
export type TabName = (typeof tabNames)[number]

/** The tab that an address names; overview where it names none or an unknown one. */
export const tabOf = (search: URLSearchParams): TabName => tabNames.find((name) => name === search.get('tab')) ?? 'overview'

/** Where the signer of a version's bundle is declared, filled in from the bundle. */
export const declareAddressOf = (modelId: string) => `/dashboard?tab=settings&section=signers&declare=${modelId}`

export const addressOf = (tab: TabName) => (tab === 'overview' ? '/dashboard' : `/dashboard?tab=${tab}`)
