import { createBadgeElement, registryOrigin } from './element.ts'

/** Options of `defineBadge`. */
export interface BadgeOptions {
  /** Origin of the registry, the only one whose links are verified: https, or http on this machine. */
  registry: string
  /** Default: `countersign-badge`. */
  tagName?: string | undefined
}

/**
 * Defines `<countersign-badge link="…">`, which verifies a link in the visitor's browser without a key. It shows one of three
 * results: verified, with the proven domain and the time left; not verified, with the reason; or could not check. A link made
 * for a different origin from the page's is not verified. No attribute changes the registry.
 *
 * @returns Nothing.
 * @throws `TypeError` if `registry` is not such an origin. Does nothing if the element is already defined, or on a server.
 * @example
 * ```ts
 * defineBadge({ registry: 'https://registry.example' })
 * ```
 */
export const defineBadge = ({ registry, tagName = 'countersign-badge' }: BadgeOptions): void => {
  const origin = registryOrigin(registry)
  if (origin === null) throw new TypeError('registry must be an https origin')
  if (globalThis.customElements === undefined || customElements.get(tagName)) return
  customElements.define(tagName, createBadgeElement(origin))
}
