import type { Provider } from '@countersign/sdk/contract'
import { overviewTab } from '#messages/dashboard/overview.ts'
import { provenOf } from '../shared/identity/standing.ts'

const words = overviewTab.status

/** `Listed. Domain acme.example verified. 3 active models.` */
export const statusSentence = (provider: Provider, models: number | undefined): string => {
  if (!provider.is_active) return words.deactivated
  const proven = {
    domain: words.domain(provider.domain ?? ''),
    email: words.email,
    nothing: words.nothing,
    unregistered: words.unregistered,
  }[provenOf(provider)]
  const parts = [provider.is_listed ? words.listed : words.unlisted, proven]
  if (models !== undefined) parts.push(words.models(models))
  return parts.join(' ')
}
