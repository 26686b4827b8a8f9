import type { Model } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import { chat as words } from '#messages/pages/chat.ts'

export interface Message {
  id: number
  /** A reply is computed from the question when shown: its model's company may lose its domain in the meantime. */
  from: 'visitor' | 'model'
  /** What the visitor wrote. */
  question: string
}

interface Reply {
  text: string
  /** The target of a simulated link. */
  link?: string
}

/** The domain if proven; a name alone is always shown as unverified. */
export const providerOf = ({ provider_domain, provider_domain_verified, provider_name }: Model) =>
  provider_domain_verified && provider_domain !== null
    ? provider_domain
    : words.unproven(provider_name === null ? words.unnamed : quote(provider_name))

export const asksWho = (text: string) =>
  words.asksWho.test(text.normalize('NFKC').replace(/[’`]/g, "'").replace(/\s+/g, ' '))

/** Deterministic: the same message gets the same reply. */
export const replyTo = (text: string, model: Model): Reply => {
  if (!asksWho(text)) return { text: words.canned }
  const name = quote(model.display_name)
  const query = new URLSearchParams({ verification: 'demo', model: model.display_name })
  return {
    text: model.provider_domain_verified ? words.whoAmI(name, providerOf(model)) : words.whoAmIUnproven(name),
    link: `/models/${model.id}?${query}`,
  }
}
