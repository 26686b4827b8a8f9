import type { Random } from '../../random.ts'

/** Parts of JSON Schema that the contract uses. */
export interface Schema {
  type?: string
  enum?: unknown[]
  const?: unknown
  format?: string
  maxLength?: number
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
}

export const strings = [
  '',
  ' ',
  '0',
  '-1',
  'null',
  'true',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e',
  '\r\nSet-Cookie: a=b',
  "' or 1=1 --",
  '"; drop table models; --',
  '%',
  '%00',
  '%ff',
  '../../../etc/passwd',
  '__proto__',
  'constructor',
  'é'.repeat(50),
  '👩‍👩‍👧‍👦'.repeat(20),
  'x'.repeat(300),
  'x'.repeat(20_000),
  '1e400',
  'NaN',
  '2026-02-30T25:61:61Z',
  'http://[::1',
  'https://user:pass@127.0.0.1:0/',
  'javascript:alert(1)',
  '<script>alert(1)</script>',
  '%24{jndi:ldap://x}',
  `sha256:${'f'.repeat(64)}`,
  '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----',
  'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm',
]

const numbers = [0, -0, -1, 1, 0.5, 1e308, -1e308, 2 ** 31, 2 ** 53, 2 ** 63, 5e-324]

const nested = (depth: number): unknown => {
  let value: unknown = []
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

/** Any value, of any type. */
export const hostileValue = ({ pick, below }: Random): unknown =>
  pick([
    () => pick(strings),
    () => pick(numbers),
    () => null,
    () => pick([true, false]),
    () => [],
    () => ({}),
    () => Array.from({ length: below(40) }, () => pick(strings)),
    () => ({ [pick(strings)]: pick(strings), length: -1, toString: 1 }),
    () => nested(1 + below(60)),
  ])()

/** A value that the schema allows, as far as it says so; strings are often taken from `known`, such as IDs that exist. */
export const createValue = (schema: Schema, random: Random, known: readonly string[]): unknown => {
  const { pick, below, isLucky } = random
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return createValue(pick(choices), random, known)
  if ('const' in schema) return schema.const
  if (schema.enum) return pick(schema.enum)
  if (schema.type === 'object')
    return Object.fromEntries(
      Object.entries(schema.properties ?? {})
        .filter(([name]) => schema.required?.includes(name) || isLucky(0.5))
        .map(([name, inner]) => [name, createValue(inner, random, known)]),
    )
  if (schema.type === 'array')
    return Array.from({ length: below(4) }, () => createValue(schema.items ?? {}, random, known))
  if (schema.type === 'integer' || schema.type === 'number') return below(1_000)
  if (schema.type === 'boolean') return isLucky(0.5)
  if (schema.type === 'string') {
    if (schema.format === 'uri') return `https://fuzz-${below(1_000)}.example/`
    if (schema.format === 'email') return `fuzz-${below(1_000)}@fuzz.example`
    return isLucky(0.5) ? pick(known) : `fuzz ${below(1e6)}`.slice(0, schema.maxLength ?? 40)
  }
  return pick(strings)
}

/** The same value with something wrong in it: a field missing, of another type, or one too many. */
export const spoil = (value: unknown, random: Random): unknown => {
  const { pick, isLucky } = random
  if (typeof value !== 'object' || value === null || isLucky(0.1)) return hostileValue(random)
  if (Array.isArray(value)) return [...value, hostileValue(random)]
  const names = Object.keys(value)
  const name = names.length > 0 && isLucky(0.85) ? pick(names) : pick(['extra', 'id', 'provider_id', '__proto__'])
  const { [name]: old, ...rest } = value as Record<string, unknown>
  if (isLucky(0.2)) return rest
  return { ...rest, [name]: isLucky(0.5) ? spoil(old, random) : hostileValue(random) }
}
