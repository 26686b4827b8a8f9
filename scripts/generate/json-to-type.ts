/** The parts of JSON Schema that the contract uses. */
export interface Schema {
  $ref?: string
  description?: string
  type?: string | string[]
  format?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  additionalProperties?: Schema | boolean
  enum?: (string | number | boolean)[]
  const?: string | number | boolean
  default?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  pattern?: string
}

/** A schema as a TypeScript type. Named schemas stay names. */
export const typeOf = (schema: Schema, indent = ''): string => {
  if (schema.$ref) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  if ('const' in schema) return literal(schema.const)
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) {
    const types = [...new Set(alternatives.map((one) => typeOf(one, indent)))]
    return types.filter((type) => type !== "''" || !types.includes('string')).join(' | ')
  }
  return [schema.type ?? 'unknown']
    .flat()
    .map((type) => single({ ...schema, type }, indent))
    .join(' | ')
}

const single = (schema: Schema & { type: string }, indent: string): string => {
  if (schema.type === 'integer') return 'number'
  if (schema.type === 'array') return arrayOf(typeOf(schema.items ?? {}, indent))
  if (schema.type !== 'object') return schema.type
  if (schema.properties) return membersOf(schema, indent)
  return `Record<string, ${typeof schema.additionalProperties === 'object' ? typeOf(schema.additionalProperties, indent) : 'unknown'}>`
}

const arrayOf = (item: string) => (/[|&\s]/.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`)
const literal = (value: unknown) => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value))

/** `{ … }` with one documented line for each property. Optional ones accept `undefined`, for `exactOptionalPropertyTypes`. */
export const membersOf = ({ properties = {}, required = [], additionalProperties }: Schema, indent = ''): string => {
  const inner = `${indent}  `
  const lines = Object.entries(properties).flatMap(([name, property]) => [
    ...(property.description ? [`${inner}/** ${property.description} */`] : []),
    `${inner}${name}${required.includes(name) ? '' : '?'}: ${typeOf(property, inner)}${required.includes(name) ? '' : ' | undefined'}`,
  ])
  if (typeof additionalProperties === 'object') lines.push(`${inner}[name: string]: unknown`)
  return lines.length === 0 ? 'Record<string, never>' : `{\n${lines.join('\n')}\n${indent}}`
}
