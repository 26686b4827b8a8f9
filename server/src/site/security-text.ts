const dayMs = 24 * 3_600_000
/** RFC 9116 recommends less than a year. */
const validDays = 180

interface SecurityFacts {
  publicUrl: string
  /** A `mailto:`, `https:` or `tel:` address. */
  contact: string
  policyUrl: string | null
  now: number
}

/** How to report a vulnerability (RFC 9116). Expires moves on each day, as long as the registry runs. */
export const securityText = ({ publicUrl, contact, policyUrl, now }: SecurityFacts): string => {
  const today = Math.floor(now / dayMs) * dayMs
  return [
    `Contact: ${contact}`,
    `Expires: ${new Date(today + validDays * dayMs).toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${publicUrl}/.well-known/security.txt`,
    ...(policyUrl === null ? [] : [`Policy: ${policyUrl}`]),
    '',
  ].join('\n')
}
