import type { TrustLevel } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import { shortenedFit } from '../names/rules.ts'
import type { ModelCard } from './heads.ts'
import { escapeMarkup } from './markup.ts'

/** Green only for what this registry checked, amber for what is unchecked or invalid, grey if it can say nothing. */
const colours = { proven: '#17673f', unproven: '#845000', unknown: '#515a63' } as const

export interface Badge {
  label: string
  says: string
  tone: keyof typeof colours
  /** What the picture cannot say in its little space. */
  note?: string | undefined
}

/** The level rates the account, not its identity. A provider without a verified address has none. */
const levelWords = {
  unverified: 'not rated yet',
  basic: 'basic',
  standard: 'standard',
  advanced: 'advanced',
  premium: 'premium',
} as const satisfies Record<TrustLevel, string>

const withLevel = (says: string, level: TrustLevel): Pick<Badge, 'says' | 'tone' | 'note'> => ({
  says: `${says} · ${levelWords[level]}`,
  tone: 'proven',
  note: level === 'unverified' ? undefined : 'The level also counts what the provider says of itself.',
})

/** Private and missing entries look alike. */
export const unknownBadge: Badge = { label: 'Countersign', says: 'unknown', tone: 'unknown' }

const unproven: Badge = { label: 'Countersign', says: 'provider not verified', tone: 'unproven' }

const provenDomainOf = ({ domain, domain_verified }: ModelCard['provider']) => (domain_verified ? domain : null)

export const badgeOfProvider = (provider: ModelCard['provider']): Badge => {
  const domain = provenDomainOf(provider)
  if (domain === null) return unproven
  return { label: 'Countersign', ...withLevel(domain, provider.trust_level) }
}

/** A name is shown only if a proven domain vouches for it. */
export const badgeOfModel = ({ model, provider }: ModelCard): Badge => {
  const domain = provenDomainOf(provider)
  if (domain === null) return unproven
  // The domain comes first, and the name is shown as the provider's own claim.
  const short = shortenedFit(`${model.display_name} ${model.version}`, 40, 'model')
  const name = short === '' ? 'a version' : quote(short)
  if (model.archived_at !== null) return { label: domain, says: `withdrew ${name}`, tone: 'unknown' }
  if (model.bundle_status === 'invalid')
    return { label: domain, says: `invalid signature of ${name}`, tone: 'unproven' }
  if (model.superseded_at !== null) return { label: domain, says: `superseded ${name}`, tone: 'unknown' }
  return { label: domain, ...withLevel(`registered ${name}`, provider.trust_level) }
}

/** About as wide as a common sans-serif font of 11 px draws it; `textLength` enforces it. */
const widthOf = (text: string): number => {
  let width = 0
  for (const character of text)
    width += /[ -~]/.test(character)
      ? /[ilj.,:;|!'·]/.test(character)
        ? 3.4
        : /[mwMW@%]/.test(character)
          ? 9.6
          : 6.3
      : 11
  return Math.ceil(width)
}

export const badgeHeight = 20
const padding = 8

export const badgeWidth = ({ label, says }: Badge): number => widthOf(label) + widthOf(says) + 4 * padding

/** A small picture without fonts, scripts or styles of its own. */
export const badgeSvg = (badge: Badge): string => {
  const { label, says, tone, note } = badge
  const left = widthOf(label) + 2 * padding
  const width = badgeWidth(badge)
  const title = escapeMarkup(`${label}: ${says}`)
  const text = (x: number, words: string) =>
    `<text x="${x}" y="14" textLength="${widthOf(words)}" lengthAdjust="spacingAndGlyphs">${escapeMarkup(words)}</text>`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${badgeHeight}" viewBox="0 0 ${width} ${badgeHeight}" role="img" aria-label="${title}">`,
    `<title>${title}</title>`,
    note === undefined ? '' : `<desc>${escapeMarkup(note)}</desc>`,
    `<clipPath id="r"><rect width="${width}" height="${badgeHeight}" rx="3"/></clipPath>`,
    `<g clip-path="url(#r)"><rect width="${left}" height="${badgeHeight}" fill="#333c45"/><rect x="${left}" width="${width - left}" height="${badgeHeight}" fill="${colours[tone]}"/></g>`,
    `<g fill="#ffffff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11">${text(padding, label)}${text(left + padding, says)}</g>`,
    '</svg>',
  ].join('')
}
