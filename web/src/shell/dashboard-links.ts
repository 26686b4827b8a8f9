import { dashboard } from '#messages/dashboard.ts'
import { addressOf, tabNames } from '../features/dashboard/shared/tab-names.ts'

/** The dashboard's tabs, as listed in menus. */
export const dashboardLinks = tabNames.map((tab) => ({ to: addressOf(tab), label: dashboard.menu.tabs[tab] }))
