// Text as long as a body may be, in every field that takes text. A backtracking pattern would stop the registry for everyone; here it
// would stop the test.
import { contract, type Endpoint } from '@countersign/sdk/contract'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'

const length = 96_000
const hostile = [
  'a'.repeat(length),
  ' '.repeat(length),
  `a@${'.'.repeat(length)}@`,
  `a@${'a.'.repeat(length / 2)}@`,
  `${'a@'.repeat(length / 2)}a`,
  `a@${'a-'.repeat(length / 2)}.`,
  `https://github.com/a${'/'.repeat(length)}x`,
  `https://${'a.'.repeat(length / 2)}:x`,
  `${'-'.repeat(length)}!`,
  `${'\u0301'.repeat(length)}`,
  `${'\u200b'.repeat(length)}x`,
  `${'\n'.repeat(length)}x`,
  `${','.repeat(length)}x`,
  `-----BEGIN PUBLIC KEY-----${'A'.repeat(length)}`,
  '-----BEGIN PUBLIC KEY-----'.repeat(length / 26),
  '-----BEGIN CERTIFICATE-----'.repeat(length / 27),
  `eyJ${'.'.repeat(length)}`,
  `${'['.repeat(length)}](`,
  `spiffe://a${'/a'.repeat(length / 2)}/..`,
  `${'0'.repeat(length)}Z`,
]

type Def = {
  type: string
  shape?: Record<string, z.ZodType>
  innerType?: z.ZodType
  element?: z.ZodType
  options?: readonly z.ZodType[]
  in?: z.ZodType
  out?: z.ZodType
  keyType?: z.ZodType
  valueType?: z.ZodType
}

/** Every schema that reads text from a caller. */
const textsIn = (schema: z.ZodType | undefined, found = new Set<z.ZodType>()): Set<z.ZodType> => {
  if (!schema || found.has(schema)) return found
  const def = schema._zod.def as unknown as Def
  found.add(schema)
  const inside = [
    ...Object.values(def.shape ?? {}),
    def.innerType,
    def.element,
    ...(def.options ?? []),
    def.in,
    def.keyType,
    def.valueType,
  ]
  for (const one of inside) textsIn(one, found)
  return found
}

const rows = Object.values(contract).flatMap((group) => Object.values<Endpoint>(group))

/** Endpoints share schemas; each is tried once. */
const tried = new Set<z.ZodType>()

/** They pass any text on to the schema inside, which is tried itself. */
const isWrapper = (schema: z.ZodType) => ['default', 'nullable', 'optional'].includes(schema._zod.def.type)

describe('text built to be slow', () => {
  it.each(rows.map((row) => [`${row.method} ${row.path}`, row] as const))('does not block %s', (_, row) => {
    for (const part of [row.body, row.query, row.params]) {
      for (const schema of textsIn(part).difference(tried)) {
        tried.add(schema)
        if (isWrapper(schema)) continue
        for (const text of hostile) expect(() => schema.safeParse(text)).not.toThrow()
      }
    }
  })
})
