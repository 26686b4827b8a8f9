import { site } from '#messages/site.ts'

const words = site.layout.dashboard
const tabs = ['overview', 'models', 'incidents', 'deployments', 'billing', 'settings'] as const

/** The provider area's tabs, as menus list them. */
export const dashboardLinks = tabs.map((tab) => ({ to: tab === 'overview' ? '/dashboard' : `/dashboard?tab=${tab}`, label: words[tab] }))
