import { dashboard } from '#messages/dashboard.ts'
import { site } from '#messages/site.ts'
import { useDocumentTitle } from '../../../ui/document-title.ts'
import { TabMain } from '../tab-main.tsx'

export const RegisterModelPage = () => {
  useDocumentTitle(site.title(dashboard.title))
  return <TabMain state="ready" heading={dashboard.title} />
}
