/** The value of the parameter `tag`: the signature is for minting and nothing else. */
const mintTag = 'countersign-mint'
/** The components that a signature covers, all of them and no others. */
export const mintComponents = ['@method', '@target-uri', 'content-digest', 'countersign-key'] as const
/** The longest time from `created` to `expires`. */
export const maxSignatureSeconds = 60

/** The algorithms of RFC 9421 that the registry accepts. */
export type SignatureAlgorithm = 'ed25519' | 'ecdsa-p256-sha256' | 'ecdsa-p384-sha384' | 'rsa-pss-sha512'

/** Parameters of a mint signature. */
export interface MintParameters {
  /** Seconds since 1970. */
  created: number
  /** Seconds since 1970. */
  expires: number
  /** 16 to 64 characters of base64url; counts once. */
  nonce: string
  /** The key’s SPKI fingerprint, 64 hex characters. */
  keyid: string
  /** Absent: the key decides. */
  alg?: string | undefined
}

/**
 * RFC 9421 §2.5: the text that is signed. Components come as identifier and value, in the order of the signature’s parameters.
 *
 * @returns The text.
 * @example
 * ```ts
 * const text = signatureBase([['@method', 'POST']], '("@method");created=1')
 * ```
 */
export const signatureBase = (components: readonly (readonly [string, string])[], parameters: string): string =>
  [...components, ['"@signature-params"', parameters] as const].map(([name, value]) => `${name}: ${value}`).join('\n')

/** The value of `Signature-Input` for a mint request, without its label. */
export const writeParameters = ({ created, expires, nonce, keyid, alg }: MintParameters): string =>
  `(${mintComponents.map((name) => `"${name}"`).join(' ')});created=${created};expires=${expires};nonce="${nonce}";keyid="${keyid}"${alg ? `;alg="${alg}"` : ''};tag="${mintTag}"`

/** A mint signature, read from its headers. */
export interface MintSignature extends MintParameters {
  /** The covered components, in their order. */
  components: (typeof mintComponents)[number][]
  /** The value of `Signature-Input` without its label, exactly as it was sent. */
  parameters: string
  /** Base64. */
  signature: string
}

/** What is wrong with the headers, and what was expected. */
export interface SignatureFault {
  /** What is wrong, as a sentence. */
  fault: string
  /** What would be right. */
  expected: string
}

const wrong = (fault: string, expected: string): SignatureFault => ({ fault, expected })

const inputForm =
  /^([a-z][a-z0-9_-]{0,31})=(\(("[a-z@-]+"(?: "[a-z@-]+")*)\)((?:;[a-z]+=(?:\d{1,10}|"[\w:/+=-]{1,128}"))+))$/
const signatureForm = /^([a-z][a-z0-9_-]{0,31})=:([A-Za-z0-9+/]+={0,2}):$/
const parameterNames: ReadonlySet<string> = new Set(['created', 'expires', 'nonce', 'keyid', 'alg', 'tag'])

const quoted = (text: string | undefined) => (text?.startsWith('"') ? text.slice(1, -1) : '')

/**
 * Reads `Signature-Input` and `Signature` of a mint request: one signature in the canonical form of RFC 8941, whose components and
 * parameters are exactly those of a mint. Times are compared by `timeFault`, the signature itself by the caller.
 *
 * @returns The signature, or what is wrong with it.
 * @example
 * ```ts
 * const read = readMintSignature(headers.get('Signature-Input') ?? undefined, headers.get('Signature') ?? undefined)
 * ```
 */
export const readMintSignature = (
  input: string | undefined,
  value: string | undefined,
): MintSignature | SignatureFault => {
  const [, label, parameters, listed = '', rest = ''] = inputForm.exec(input ?? '') ?? []
  if (label === undefined || parameters === undefined)
    return wrong(
      'Signature-Input is not one signature in canonical form',
      `mint=${writeParameters({ created: 1, expires: 61, nonce: '…', keyid: '…' })}`,
    )
  const components = listed.split(' ').map((name) => quoted(name)) as MintSignature['components']
  if (components.length !== mintComponents.length || !mintComponents.every((name) => components.includes(name)))
    return wrong('The signature covers other components', mintComponents.join(', '))
  const pairs = rest.slice(1).split(';')
  const given = new Map<string, string>()
  for (const text of pairs) {
    const at = text.indexOf('=')
    given.set(text.slice(0, at), text.slice(at + 1))
  }
  if (given.size < pairs.length || ![...given.keys()].every((name) => parameterNames.has(name)))
    return wrong(
      'A parameter is unknown or repeated',
      'created, expires, nonce, keyid, tag and optionally alg, each once',
    )
  const seconds = (name: string) => (/^\d+$/.test(given.get(name) ?? '') ? Number(given.get(name)) : Number.NaN)
  const [created, expires] = [seconds('created'), seconds('expires')]
  if (!(expires > created && expires - created <= maxSignatureSeconds))
    return wrong(
      'created or expires is missing, or they are too far apart',
      `expires at most ${maxSignatureSeconds} seconds after created`,
    )
  const nonce = quoted(given.get('nonce'))
  if (!/^[\w-]{16,64}$/.test(nonce))
    return wrong('nonce is missing or unusable', '16 to 64 characters of base64url, new for each request')
  const keyid = quoted(given.get('keyid'))
  if (!/^[0-9a-f]{64}$/.test(keyid))
    return wrong('keyid is not an SPKI fingerprint', 'the SHA-256 of the public key, 64 hex characters')
  if (quoted(given.get('tag')) !== mintTag) return wrong('The signature is for another purpose', `tag="${mintTag}"`)
  const [, signatureLabel, signature] = signatureForm.exec(value ?? '') ?? []
  if (signature === undefined || signatureLabel !== label)
    return wrong('Signature does not belong to Signature-Input', `${label}=:base64:`)
  const alg = given.has('alg') ? quoted(given.get('alg')) : undefined
  return { created, expires, nonce, keyid, alg, components, parameters, signature }
}

/** How far the caller’s clock may be ahead. */
const aheadSeconds = 30

/**
 * Whether the signature counts at `now` (seconds).
 *
 * @returns Undefined if it counts, otherwise what is wrong.
 * @example
 * ```ts
 * const fault = timeFault({ created: 1_000, expires: 1_060 }, Date.now() / 1_000)
 * ```
 */
export const timeFault = (
  { created, expires }: Pick<MintParameters, 'created' | 'expires'>,
  now: number,
): SignatureFault | undefined => {
  if (created > now + aheadSeconds)
    return wrong(
      `The signature was created ${Math.round(created - now)} seconds in the future`,
      `a clock near ${clockOf(now)}`,
    )
  if (expires <= now)
    return wrong(
      `The signature expired ${Math.round(now - expires)} seconds ago`,
      `a new signature, by a clock near ${clockOf(now)}`,
    )
  return undefined
}

const clockOf = (seconds: number) => new Date(seconds * 1_000).toISOString()
