import { dashboard } from '#messages/dashboard.ts'
import { TabMain } from '../tab-main.tsx'

export const VerificationsTab = () => <TabMain state="ready" heading={dashboard.menu.tabs.verifications} />
