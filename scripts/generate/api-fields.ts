import { z } from 'zod'
import type { Field, FieldType } from '../../web/src/features/docs/reference/reference.ts'
import type { Schema } from './json-to-type.ts'

const deepest = 4
const longestPattern = 60

/** The fields of a schema, including those inside objects and lists, in the order of the contract. */
export const fieldsOf = (schema: z.ZodType | undefined, io: 'input' | 'output', place?: Field['place']): Field[] => {
  if (!schema) return []
  const json = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Schema
  const whole = json.type === 'array' ? (json.items ?? {}) : json
  const prefix = json.type === 'array' ? '[].' : ''
  return propertiesOf(whole, prefix, 1).map((field) => trim({ ...field, place }, io))
}

const propertiesOf = ({ properties = {}, required = [] }: Schema, prefix: string, depth: number): Field[] =>
  Object.entries(properties).flatMap(([name, schema]) =>
    fieldsAt(`${prefix}${name}`, schema, required.includes(name), depth),
  )

const fieldsAt = (name: string, schema: Schema, isRequired: boolean, depth: number): Field[] => {
  const alternatives = alternativesOf(schema)
  const list = alternatives.find(({ type, items }) => type === 'array' && items)
  const inner = list?.items ? alternativesOf(list.items) : alternatives
  const variants = inner.filter(({ properties }) => properties !== undefined)
  const field: Field = {
    name,
    types: [...new Set(inner.filter(({ type, const: only }) => type !== 'null' && only !== '').map(typeOf))],
    ...(list && { isList: true }),
    ...(isRequired && { isRequired: true }),
    ...(alternatives.some(({ type }) => type === 'null' || (Array.isArray(type) && type.includes('null'))) && {
      isNullable: true,
    }),
    ...(alternatives.some((one) => one.const === '') && { mayBeEmpty: true }),
    ...valuesOf(inner),
    ...(typeof schema.default !== 'object' && schema.default !== undefined && { default: schema.default as string }),
    ...boundsOf(list ?? inner.find((one) => one.const !== '' && one.type !== 'null') ?? {}),
  }
  if (depth >= deepest) return [field]
  return [field, ...mergeVariants(variants, `${name}${list ? '[]' : ''}.`, depth + 1)]
}

/** Merges the fields of all variants of an object. A field is required only if every variant requires it. */
const mergeVariants = (variants: readonly Schema[], prefix: string, depth: number): Field[] => {
  const merged = new Map<string, Field>()
  const counts = new Map<string, number>()
  for (const field of variants.flatMap((variant) => propertiesOf(variant, prefix, depth))) {
    const known = merged.get(field.name)
    counts.set(field.name, (counts.get(field.name) ?? 0) + 1)
    merged.set(
      field.name,
      known?.values && field.values ? { ...known, values: [...known.values, ...field.values] } : (known ?? field),
    )
  }
  return [...merged.values()].map(({ isRequired, ...field }) => ({
    ...field,
    ...(isRequired && counts.get(field.name) === variants.length && { isRequired }),
  }))
}

const alternativesOf = (schema: Schema): Schema[] => (schema.anyOf ?? schema.oneOf)?.flatMap(alternativesOf) ?? [schema]

const typeOf = ({ type, format, pattern, properties, additionalProperties }: Schema): FieldType => {
  const [, prefix] = /^\^([a-z]{3}_)/.exec(pattern ?? '') ?? []
  if (prefix) return prefix as FieldType
  if (format === 'date-time') return 'time'
  if (format === 'uri') return 'url'
  if (properties || additionalProperties !== undefined) return 'object'
  const [first = 'any'] = [type ?? 'any'].flat().filter((one) => one !== 'null')
  return first as FieldType
}

const valuesOf = (alternatives: readonly Schema[]) => {
  const values = alternatives.flatMap(
    (one) => one.enum ?? (one.const === undefined || one.const === '' ? [] : [one.const]),
  )
  return values.length === 0 ? {} : { values }
}

const safe = (value: number | undefined) =>
  value === undefined || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? undefined : value

const boundsOf = (schema: Schema) => ({
  min: safe(schema.minimum ?? schema.minLength ?? schema.minItems),
  max: safe(schema.maximum ?? schema.maxLength ?? schema.maxItems),
  ...(schema.pattern &&
  !schema.format &&
  !/^\^[a-z]{3}_/.test(schema.pattern) &&
  schema.pattern.length <= longestPattern
    ? { pattern: schema.pattern }
    : {}),
})

/** Omit limits in responses. */
const trim = ({ min, max, pattern, isRequired, ...field }: Field, io: 'input' | 'output'): Field =>
  io === 'output' ? field : { ...field, isRequired, min, max, pattern }
