import type { Provider } from '@countersign/sdk/contract'
import { overviewTab } from '#messages/dashboard/overview.ts'
import { provenOf } from './standing.ts'

const words = overviewTab.status

/** `Listed. Domain acme.example verified. 3 active models.` */
export const statusSentence = (provider: Provider, models: { active: number; isMore: boolean } | undefined): string => {
  if (!provider.is_active) return words.deactivated
  const proven = {
    domain: words.domain(provider.domain ?? ''),
    email: words.email,
    nothing: words.nothing,
    unregistered: words.unregistered,
  }[provenOf(provider)]
  const parts = [provider.is_listed ? words.listed : words.unlisted, proven]
  if (models !== undefined && !models.isMore) parts.push(words.models(models.active))
  return parts.join(' ')
}
