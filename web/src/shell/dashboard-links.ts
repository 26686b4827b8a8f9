import { dashboard } from '#messages/dashboard.ts'
import { addressOf, tabNames } from '../features/dashboard/shared/tab-names.ts'

/** The provider area's tabs, as menus list them. */
export const dashboardLinks = tabNames.map((tab) => ({ to: addressOf(tab), label: dashboard.menu.tabs[tab] }))
