import { z } from 'zod'
import { type IdPrefix, idPattern } from './ids.ts'
import { limits } from './limits.ts'
import { nameProblem } from './names.ts'
import { cleanLine, cleanText } from './text.ts'

// zod tests for its compiler with `new Function`, which a strict content security policy reports.
const isNode = 'process' in globalThis && globalThis.process?.versions?.node !== undefined
z.config({
  jitless: !isNode,
  customError: (issue) => messageFor(issue),
})

/** The default messages of schemas. */
const messageFor = (issue: z.core.$ZodRawIssue): string | undefined => {
  if (issue.code === 'invalid_type')
    return issue.input === undefined
      ? 'This field is required'
      : `Must be ${typeWords[issue.expected] ?? issue.expected}`
  if (issue.code === 'too_small')
    return issue.origin in countedAs
      ? `Must have at least ${issue.minimum} ${countedAs[issue.origin]}`
      : `Must be at least ${issue.minimum}`
  if (issue.code === 'too_big')
    return issue.origin in countedAs
      ? `Must have at most ${issue.maximum} ${countedAs[issue.origin]}`
      : `Must be at most ${issue.maximum}`
  if (issue.code === 'invalid_value') return messageForValues(issue.values)
  if (issue.code === 'invalid_union') return messageForUnion(issue.errors)
  if (issue.code === 'not_multiple_of') return `Must be a multiple of ${issue.divisor}`
  return undefined
}

const countedAs: Record<string, string> = { string: 'characters', array: 'entries' }

const messageForValues = (values: readonly unknown[]) =>
  values.length === 1 && values[0] === '' ? 'Must be empty' : `Must be one of ${values.join(', ')}`

/** The messages of all alternatives. */
const messageForUnion = (alternatives: readonly (readonly { message: string }[])[]): string | undefined => {
  const [first, ...others] = new Set(
    alternatives.map(([issue]) => issue?.message).filter((message) => message !== undefined),
  )
  return first && [first, ...others.map((message) => message.charAt(0).toLowerCase() + message.slice(1))].join(', or ')
}

const typeWords: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  record: 'an object',
}

/** For rules over several fields: checked even if single fields are invalid, so that all errors are reported at once. */
export const alwaysChecked = { when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null }

/* ---- text ---- */

const cleaned = (max: number, clean: (value: string) => string, whenMissing?: string) =>
  z
    .string(whenMissing)
    // A coarse limit before cleaning, the exact one after.
    .max(max * 4, { abort: true, error: `Must have at most ${max} characters` })
    .overwrite(clean)
    .max(max)

/** One line of text: trimmed, line breaks become spaces, control, bidirectional and zero-width characters are removed. */
export const line = (max: number) => cleaned(max, cleanLine)

/** One line with at least `min` characters after cleaning; `message` also reports a missing value. */
export const requiredLine = (min: number, max: number, message: string) =>
  cleaned(max, cleanLine, message).min(min, message)

const withNameRules = <Schema extends z.ZodType<string>>(schema: Schema) =>
  schema.refine((value) => nameProblem(value) === undefined, { error: ({ input }) => nameProblem(String(input)) })

/** Runs of spaces could pass for the columns of a table, or begin a new row of it. */
const cleanName = (value: string) => cleanLine(value).replace(/ {2,}/g, ' ')

/** A name that is shown next to the registry's own statements. */
export const nameLine = (min: number, max: number, message: string) =>
  withNameRules(cleaned(max, cleanName, message).min(min, message))

/** The same, optional. */
export const optionalName = (max: number) => withNameRules(cleaned(max, cleanName))

/** Text of several lines, cleaned like `line`, with `\n` as line break. */
export const text = (max: number) => cleaned(max, cleanText)

/** The same with at least `min` characters after cleaning. */
export const requiredText = (min: number, max: number, message: string) =>
  cleaned(max, cleanText, message).min(min, message)

/** In an edit, an empty text clears an optional field: null on output. Errors are those of `schema`. */
export const clearable = <Schema extends z.ZodType>(schema: Schema) =>
  z.union([z.literal('').transform(() => null), schema], {
    error: (issue) => (issue.code === 'invalid_union' ? issue.errors.at(-1)?.[0]?.message : undefined),
  })

/* ---- IDs, times, digests ---- */

const idNouns: Record<IdPrefix, string> = {
  prv: 'a provider',
  mdl: 'a model',
  dep: 'a deployment',
  inc: 'an incident',
  key: 'an API key',
  vrf: 'a verification',
  req: 'a request',
  evt: 'an event',
  ses: 'a session',
  reg: 'a registration',
  mal: 'an email',
  lgo: 'a logo',
  sgn: 'a signer',
  pub: 'a trusted publisher',
  rev: 'a review',
  per: 'a person',
  inv: 'an invitation',
  fac: 'a factor',
  chg: 'a change',
  wkl: 'a workload',
}

/** An ID of the registry: a prefix and a UUIDv7 (RFC 9562 §5.7) in lower-case Crockford base32. */
const id = (prefix: IdPrefix) =>
  z
    .string()
    .regex(idPattern(prefix), `This is not the ID of ${idNouns[prefix]}: ${prefix}_ and 26 letters and digits`)
    .meta({ examples: [`${prefix}_06dh0e3x7c9bw4vjz2n8qk5ytm`] })

/** ID of a provider: `prv_…`. */
export const ProviderId = id('prv')
/** ID of a model version: `mdl_…`. */
export const ModelId = id('mdl')
/** ID of a deployment: `dep_…`. */
export const DeploymentId = id('dep')
/** ID of an API key: `key_…`. */
export const KeyId = id('key')
/** ID of a review: `rev_…`. */
export const ReviewId = id('rev')
/** ID of a verification: `vrf_…`. */
export const VerificationId = id('vrf')
/** ID of an incident: `inc_…`. */
export const IncidentId = id('inc')
/** ID of a session: `ses_…`. */
export const SessionId = id('ses')
/** ID of a person: `per_…`. */
export const PersonId = id('per')
/** ID of an invitation: `inv_…`. */
export const InvitationId = id('inv')
/** ID of a factor: `fac_…`. */
export const FactorId = id('fac')
/** ID of a staged change. */
export const ChangeId = id('chg')
/** ID of an event: `evt_…`. */
export const EventId = id('evt')
/** ID of a declared signer: `sgn_…`. */
export const SignerId = id('sgn')
/** ID of a trusted publisher: `pub_…`. */
export const PublisherId = id('pub')
/** ID of a trusted workload. */
export const WorkloadId = id('wkl')

/** Text that may be missing. */
export const textOrNull = z.string().nullable()

/** ISO 8601 in UTC, ending in `Z`. */
export const Time = z.iso.datetime().meta({ examples: ['2026-11-20T10:15:00.000Z'] })

const hex64 = /^[0-9a-f]{64}$/i

/** SHA-256 of a file as `sha256:` and 64 hex characters. Input may omit `sha256:`. */
export const Digest = z
  .string()
  .regex(/^(sha256:)?[0-9a-f]{64}$/i, 'Digest must be sha256: and 64 hex characters')
  .overwrite((value) => `sha256:${value.slice(-64).toLowerCase()}`)
  .meta({ examples: [`sha256:${'9f2c41d7'.repeat(8)}`] })

/** SHA-256 of a SubjectPublicKeyInfo (RFC 5280 §4.1.2.7) as 64 lower-case hex characters. Input may begin with `sha256:`. */
export const SpkiFingerprint = z
  .string()
  .overwrite((value) =>
    value
      .trim()
      .replace(/^sha256:/i, '')
      .toLowerCase(),
  )
  .length(64, 'SPKI fingerprint must be exactly 64 hex characters')
  .regex(hex64, 'SPKI fingerprint must be valid hex')
  .meta({ examples: ['64fe2b81'.repeat(8)] })

/** `Date` rolls over: 31 February becomes 3 March. */
const isInCalendar = (date: string) => date.length < 10 || new Date(`${date}T00:00:00Z`).toISOString().startsWith(date)

/** A year, month or day that exists. */
export const PartialDate = z
  .string()
  .regex(/^\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?$/, {
    error: 'Must be YYYY, YYYY-MM or YYYY-MM-DD',
    abort: true,
  })
  .refine(isInCalendar, 'This date does not exist')

/* ---- addresses ---- */

/** Letters, digits and the signs of host names, with the dots of UTS #46: no sign that looks like a slash or another end of a host. */
const plainHost = /^[a-z][a-z0-9+.-]*:\/\/[\p{L}\p{M}\p{N}._:[\]\u3002\uff0e\uff61-]+([/?#]|$)/iu

const readWebUrl = (value: string, protocols: readonly string[]): URL | undefined => {
  // Browsers remove line breaks and turn backslashes into slashes, so people would read a different address from the one opened.
  const url = /[\s\\\p{C}]/u.test(value) || !plainHost.test(value) ? null : URL.parse(value)
  const isGood =
    url && protocols.includes(url.protocol) && url.username === '' && url.password === '' && url.hostname !== ''
  return isGood ? url : undefined
}

const isWebUrl = (value: string, protocols: readonly string[]) => readWebUrl(value, protocols) !== undefined

/** An https or http address without credentials. */
export const WebUrl = z
  .string()
  .max(2_048, { abort: true, error: 'Must have at most 2048 characters' })
  .overwrite((value) => value.trim())
  .refine((value) => isWebUrl(value, ['https:', 'http:']), 'Please enter a valid URL')
  .meta({ format: 'uri' })

/** The address that browsers open, with its host in ASCII; undefined if it cannot be a website. */
export const plainWebUrl = (value: string): string | undefined => {
  const href = readWebUrl(value, ['https:', 'http:'])?.href
  return href !== undefined && !value.endsWith('/') ? href.replace(/\/$/, '') : href
}

/** A provider's website; a bare host name becomes https. */
export const Website = z
  .string('Website is required')
  .max(2_048, { abort: true, error: 'Must have at most 2048 characters' })
  .overwrite((value) => value.trim())
  .min(1, 'Website is required')
  .overwrite((value) => (/^[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?(\/.*)?$/i.test(value) ? `https://${value}` : value))
  .refine((value) => isWebUrl(value, ['https:', 'http:']), 'Please enter a valid URL')
  .overwrite((value) => plainWebUrl(value) ?? value)
  .meta({ examples: ['https://acme.example'] })

const loopback = /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Whether it is an https origin as browsers write it, or http on this machine. */
const isPageOrigin = (value: string): boolean => {
  const url = readWebUrl(value, ['https:', 'http:'])
  return url?.origin === value && (url.protocol === 'https:' || loopback.test(url.hostname))
}

/** The https origin of a page: scheme, host and port only. A development registry also accepts http on loopback. */
export const Origin = z
  .string()
  .max(255, { abort: true, error: 'Must have at most 255 characters' })
  .refine(isPageOrigin, 'Must be an https origin such as https://chat.acme.example')

/** One spelling of each host, as browsers and mail servers resolve it (UTS #46). Other text stays unchanged. */
const withPlainHost = (email: string): string => {
  const at = email.lastIndexOf('@')
  const host = email.slice(at + 1)
  if (!/^[\p{L}\p{M}\p{N}.\u3002\uff0e\uff61-]+$/u.test(host)) return email
  return email.slice(0, at + 1) + (URL.parse(`https://${host}`)?.hostname ?? host)
}

/** An email address. The host is stored in lower case and ASCII, so that a mailbox has one spelling. */
export const Email = z
  .string('Email is required')
  // First, because the following steps take time for every character.
  .max(320, { abort: true, error: 'An email address has at most 254 characters' })
  .overwrite((value) => withPlainHost(value.trim()))
  .min(1, 'Email is required')
  .max(254, 'An email address has at most 254 characters')
  .regex(
    /^[^\s@<>"(),:;\\[\]\p{C}]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/u,
    'Invalid email address',
  )

/**
 * A SPIFFE ID (SPIFFE-ID §2): `spiffe://` trust domain of [a-z0-9.-_] up to 255 characters, then path segments of
 * [a-zA-Z0-9.-_] that are not empty, `.` or `..`; no port, user, query, fragment or escapes; 2048 bytes at most.
 */
export const SpiffeId = z
  .string()
  .max(2_048, { abort: true, error: 'Must have at most 2048 characters' })
  .regex(
    /^spiffe:\/\/[a-z0-9._-]{1,255}(\/(?!\.{1,2}(\/|$))[a-zA-Z0-9._-]+)*$/,
    'Must be a SPIFFE ID such as spiffe://acme.example/chat',
  )

/* ---- lists ---- */

/** A list of short words. Text is split at commas and line breaks. */
export const wordList = (max: number, wordLength = 120) =>
  z
    .union([z.array(z.string()), z.string()])
    .transform((value) =>
      (typeof value === 'string' ? value.split(/[,\r\n\u0085\u2028\u2029]/) : value)
        .map(cleanLine)
        .filter((word) => word !== ''),
    )
    .pipe(z.array(z.string().max(wordLength)).max(max))

/** More than the most gives the most, as at GitHub. */
export const pageLimit = (most: number, usual: number) =>
  z.preprocess(
    (count) => (Number(count) > most ? most : count),
    z.coerce.number().int().min(1).max(most).default(usual),
  )

/** `?limit=&cursor=` or `?skip=&limit=` for every list. */
export const paging = {
  limit: pageLimit(limits.maxPageSize, limits.pageSize),
  cursor: z.string().max(500).optional(),
  skip: z.coerce.number().int().min(0).max(1_000).default(0),
}

/** Order by the time of creation; a minus means newest first. */
export const byTime = z.enum(['-created', 'created']).default('-created')

/** A yes or no in a query string, in any case: Python sends `True`. */
export const flag = z.preprocess(
  (value: 'true' | 'false' | '1' | '0') => (typeof value === 'string' ? value.toLowerCase() : value),
  z.enum(['true', 'false', '1', '0']).transform((value) => value === 'true' || value === '1'),
)
