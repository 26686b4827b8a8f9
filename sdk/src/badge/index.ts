import { createBadgeElement, registryOrigin } from './element.ts'

export interface BadgeOptions {
  /** Origin of the registry that is asked, and the only one whose links are verified: https, or http on this machine. */
  registry: string
  /** Default: `countersign-badge`. */
  tagName?: string
}

/**
 * Defines `<countersign-badge link="…">`, which verifies a link in the visitor's browser, without a key, and says one of
 * three things: verified, with the proven domain and the time left; not verified, and why; or could not check. A link that
 * was made for another site than the page's origin is not verified there. No attribute changes which registry is asked. Throws a `TypeError` where `registry` is not an origin as described. Does nothing where the element is
 * defined already, or where there are no elements, as on a server.
 */
export const defineBadge = ({ registry, tagName = 'countersign-badge' }: BadgeOptions): void => {
  const origin = registryOrigin(registry)
  if (origin === null) throw new TypeError('registry must be an https origin')
  if (globalThis.customElements === undefined || customElements.get(tagName)) return
  customElements.define(tagName, createBadgeElement(origin))
}
