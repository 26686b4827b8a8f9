import { z } from 'zod'
import { fieldDescriptions, schemaDescriptions } from './descriptions.ts'
import { type Endpoint, mayBeStaged, refusalsOf } from './endpoint.ts'
import { errors } from './errors.ts'
import * as everything from './index.ts'
import { contract } from './index.ts'
import { Staged } from './staged.ts'

type Schema = Record<string, unknown>

/** A zod schema as JSON Schema 2020-12, the dialect of OpenAPI 3.1. Responses may gain members, so they allow additional ones. */
export const schemaOf = (
  schema: z.ZodType,
  io: 'input' | 'output',
  metadata?: z.core.$ZodRegistry<{ id: string }>,
): Schema => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    ...(metadata && { metadata }),
    override: ({ zodSchema, jsonSchema }) => {
      // With a registry of its own, zod doesn't read what the schemas say in `meta`.
      if (metadata) Object.assign(jsonSchema, z.globalRegistry.get(zodSchema))
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
    },
  })
  return json
}

const isWorthAName = (schema: unknown): schema is z.ZodType =>
  schema instanceof z.ZodObject ||
  schema instanceof z.ZodEnum ||
  schema instanceof z.ZodUnion ||
  schema instanceof z.ZodPipe

/** The contract's names for its schemas. Queries are parameters and need no name. */
const exportedNames = Object.entries(everything).filter(
  ([name, schema]) => /^[A-Z]\w*(?<!Query|Id)$/.test(name) && isWorthAName(schema),
) as [string, z.ZodType][]

/** Named schemas of one document, each once under `components/schemas`. */
const createComponents = () => {
  const schemas: Record<string, Schema> = {}
  const names = z.registry<{ id: string }>()
  for (const [id, schema] of exportedNames) if (!names.has(schema)) names.add(schema, { id })

  /** A reference to a schema; its named parts become components. A schema without a name gets `name`. */
  const refer = (schema: z.ZodType, io: 'input' | 'output', name: string): Schema => {
    if (!names.has(schema)) names.add(schema, { id: name })
    const { $defs, $ref } = schemaOf(schema, io, names) as { $defs: Record<string, Schema>; $ref: string }
    const nameOf = new Map(Object.keys($defs).map((id) => [id, id]))
    const pointed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(pointed)
      if (typeof value === 'string' && value.startsWith('#/$defs/'))
        return `#/components/schemas/${nameOf.get(value.slice(8))}`
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, pointed(inner)]))
    }
    const isTaken = (id: string) => {
      const known = schemas[nameOf.get(id) ?? id]
      return known !== undefined && JSON.stringify(known) !== JSON.stringify(pointed($defs[id]))
    }
    // Input and output may differ under the same name, and so may all schemas that contain them.
    for (let id = Object.keys($defs).find(isTaken); id !== undefined; id = Object.keys($defs).find(isTaken))
      nameOf.set(id, `${nameOf.get(id)}Input`)
    for (const [id, definition] of Object.entries($defs)) schemas[nameOf.get(id) ?? id] = pointed(definition) as Schema
    return pointed({ $ref }) as Schema
  }

  return { schemas, refer }
}

/** Adds what the fields mean, at any depth. `place` is the name of the schema and the fields on the way. */
const describeFields = (schema: Schema, place: string): Schema => {
  const inner = (value: unknown) => describeFields(value as Schema, place)
  const described = { ...schema }
  for (const key of ['anyOf', 'oneOf', 'allOf'])
    if (Array.isArray(schema[key])) described[key] = (schema[key] as unknown[]).map(inner)
  if (schema.items) described.items = inner(schema.items)
  if (schema.properties)
    described.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, property]) => {
        const description = fieldDescriptions[`${place}.${name}`] ?? fieldDescriptions[name]
        return [name, { ...describeFields(property as Schema, `${place}.${name}`), description }]
      }),
    )
  return described
}

const describeSchemas = (schemas: Readonly<Record<string, Schema>>) =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const description = schemaDescriptions[name] ?? schemaDescriptions[name.replace(/Input$/, '')]
      return [name, { ...(description && { description }), ...describeFields(schema, name) }]
    }),
  )

const propertiesOf = (schema: z.ZodType | undefined): { name: string; schema: unknown; isRequired: boolean }[] => {
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, unknown>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    schema: property,
    isRequired: required.includes(name),
  }))
}

const parametersOf = (operationId: string, endpoint: Endpoint) => [
  ...propertiesOf(endpoint.params).map(({ name, schema }) => ({ name, in: 'path', required: true, schema })),
  ...propertiesOf(endpoint.query).map(({ name, schema, isRequired }) => ({
    name,
    in: 'query',
    required: isRequired,
    description: fieldDescriptions[`${operationId}.${name}`] ?? fieldDescriptions[name],
    schema,
  })),
  ...Object.entries(endpoint.headers ?? {}).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  })),
  ...(endpoint.idempotent
    ? [
        {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description:
            'For 24 hours, requests with the same key get the first response. A request that started and never finished is not repeated',
          schema: { type: 'string', maxLength: 255 },
        },
      ]
    : []),
]

const headerRefs = (...names: (keyof typeof headers)[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const problemResponses = (endpoint: Endpoint) => {
  const byStatus = new Map<number, string[]>()
  for (const code of refusalsOf(endpoint))
    byStatus.set(errors[code].status, [...(byStatus.get(errors[code].status) ?? []), code])
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\``).join(', '),
        ...(status === 429 && { headers: headerRefs('RateLimit-Policy', 'RateLimit', 'Retry-After') }),
        ...(status === 503 && { headers: headerRefs('Retry-After') }),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  )
}

const security = {
  public: [],
  optional: [{}, { apiKey: [] }, { bearer: [] }],
  provider: [{ apiKey: [] }, { bearer: [] }],
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
/** `ModelList` for `models.list`, `KeyCreate` for `keys.create`. */
const nameOf = (feature: string, name: string) => `${capitalized(feature.replace(/s$/, ''))}${capitalized(name)}`

type Refer = ReturnType<typeof createComponents>['refer']

const answerSchemaOf = (feature: string, name: string, endpoint: Endpoint, refer: Refer) => {
  const own = nameOf(feature, name)
  const schema = refer(endpoint.response, 'output', name === 'list' ? own : `${own}Response`)
  // With one status for both, the `code` of a staged call tells them apart.
  return mayBeStaged(endpoint) && endpoint.status === 202
    ? { anyOf: [schema, refer(Staged, 'output', 'Staged')] }
    : schema
}

const operationOf = (
  { refer }: ReturnType<typeof createComponents>,
  feature: string,
  name: string,
  endpoint: Endpoint,
) => ({
  operationId: `${feature}.${name}`,
  tags: [feature],
  summary: endpoint.summary,
  security: security[endpoint.caller],
  parameters: parametersOf(`${feature}.${name}`, endpoint),
  ...(endpoint.body && {
    requestBody: {
      required: !endpoint.body.safeParse({}).success,
      content: { 'application/json': { schema: refer(endpoint.body, 'input', `${nameOf(feature, name)}Request`) } },
    },
  }),
  ...(endpoint.upload && {
    requestBody: {
      required: true,
      content: {
        'multipart/form-data': {
          schema: {
            type: 'object',
            required: ['file'],
            properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
          },
        },
      },
    },
  }),
  responses: {
    [endpoint.status ?? 200]: {
      description: 'Done',
      headers: headerRefs('RateLimit-Policy', 'RateLimit'),
      content: {
        'application/json': {
          schema: answerSchemaOf(feature, name, endpoint, refer),
        },
      },
    },
    ...(mayBeStaged(endpoint) &&
      endpoint.status !== 202 && {
        202: {
          description: 'Staged: nothing has changed yet, because the provider is protected and a key called',
          content: { 'application/json': { schema: refer(Staged, 'output', 'Staged') } },
        },
      }),
    ...problemResponses(endpoint),
  },
})

const problem: Schema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', enum: Object.keys(errors) },
    request_id: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['loc', 'msg', 'pointer'],
        properties: {
          loc: { type: 'array', items: { type: ['string', 'integer'] } },
          msg: { type: 'string' },
          pointer: { type: 'string' },
        },
      },
    },
  },
}

/** Headers of draft-ietf-httpapi-ratelimit-headers-10, and RFC 9110 §10.2.3. */
const headers = {
  'RateLimit-Policy': {
    description: 'The limits that count this request: their names, with the quota `q` in a window of `w` seconds',
    schema: { type: 'string' },
    example: '"links";q=600;w=60',
  },
  RateLimit: {
    description: 'What is left of each limit: `r` requests until the window ends in `t` seconds',
    schema: { type: 'string' },
    example: '"links";r=599;t=60',
  },
  'Retry-After': {
    description: 'Seconds after which the request may succeed',
    schema: { type: 'integer' },
    example: 60,
  },
}

/** The OpenAPI 3.1 document of the contract. */
export const openApiDocument = ({ serverUrl, version }: { serverUrl: string; version: string }) => {
  const components = createComponents()
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [feature, endpoints] of Object.entries<Record<string, Endpoint>>(contract)) {
    for (const [name, endpoint] of Object.entries(endpoints)) {
      const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
      paths[path] = {
        ...paths[path],
        [endpoint.method.toLowerCase()]: operationOf(components, feature, name, endpoint),
      }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Countersign',
      version,
      description: 'A registry of AI model identity',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    tags: Object.keys(contract).map((name) => ({ name })),
    paths,
    components: {
      schemas: describeSchemas({ ...components.schemas, Problem: problem }),
      headers,
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  }
}
