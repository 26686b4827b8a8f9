export const tabNames = ['overview', 'models', 'deployments', 'incidents', 'verifications', 'activity', 'billing', 'settings'] as const
export type TabName = (typeof tabNames)[number]

/** The tab that an address names; overview where it names none or an unknown one. */
export const tabOf = (search: URLSearchParams): TabName => tabNames.find((name) => name === search.get('tab')) ?? 'overview'

export const addressOf = (tab: TabName) => (tab === 'overview' ? '/dashboard' : `/dashboard?tab=${tab}`)
