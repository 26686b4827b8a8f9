import { dashboard } from '#messages/dashboard.ts'
import { TabMain } from '../tab-main.tsx'

export const IncidentsTab = () => <TabMain state="ready" heading={dashboard.menu.tabs.incidents} />
