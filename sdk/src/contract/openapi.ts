import { z } from 'zod'
import { type Endpoint, refusalsOf } from './endpoint.ts'
import { errors } from './errors.ts'
import { contract } from './index.ts'

type Schema = Record<string, unknown>

/** A zod schema as JSON Schema 2020-12, the dialect of OpenAPI 3.1. Answers may gain members, so those are not closed. */
export const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Schema => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (io === 'output') delete jsonSchema.additionalProperties
    },
  })
  return json
}

const propertiesOf = (schema: z.ZodType | undefined): { name: string; schema: unknown; isRequired: boolean }[] => {
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as { properties?: Record<string, unknown>; required?: string[] }
  return Object.entries(properties).map(([name, property]) => ({ name, schema: property, isRequired: required.includes(name) }))
}

const parametersOf = (row: Endpoint) => [
  ...propertiesOf(row.params).map(({ name, schema }) => ({ name, in: 'path', required: true, schema })),
  ...propertiesOf(row.query).map(({ name, schema, isRequired }) => ({ name, in: 'query', required: isRequired, schema })),
  ...Object.entries(row.headers ?? {}).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  })),
  ...(row.idempotent
    ? [
        {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description: 'Repeats under the same key get the first answer, for 24 hours; what began and never finished is not done again',
          schema: { type: 'string', maxLength: 255 },
        },
      ]
    : []),
]

const headerRefs = (...names: (keyof typeof headers)[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const problemResponses = (row: Endpoint) => {
  const byStatus = new Map<number, string[]>()
  for (const code of refusalsOf(row)) byStatus.set(errors[code].status, [...(byStatus.get(errors[code].status) ?? []), code])
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

const security = { public: [], optional: [{}, { apiKey: [] }, { bearer: [] }], provider: [{ apiKey: [] }, { bearer: [] }] }

const operationOf = (feature: string, name: string, row: Endpoint) => ({
  operationId: `${feature}.${name}`,
  tags: [feature],
  summary: row.summary,
  security: security[row.caller],
  parameters: parametersOf(row),
  ...(row.body && {
    requestBody: { required: !row.body.safeParse({}).success, content: { 'application/json': { schema: schemaOf(row.body, 'input') } } },
  }),
  ...(row.upload && {
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
    [row.status ?? 200]: {
      description: 'Done',
      headers: headerRefs('RateLimit-Policy', 'RateLimit'),
      content: { 'application/json': { schema: schemaOf(row.response, 'output') } },
    },
    ...problemResponses(row),
  },
})

const problem: Schema = {
  type: 'object',
  description: 'RFC 9457 problem document',
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
    description: 'What is left of each: `r` requests, until the window ends in `t` seconds',
    schema: { type: 'string' },
    example: '"links";r=599;t=60',
  },
  'Retry-After': { description: 'Seconds after which the request may succeed', schema: { type: 'integer' }, example: 60 },
}

/** The OpenAPI 3.1 document of the contract. */
export const openApiDocument = ({ serverUrl, version }: { serverUrl: string; version: string }) => {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [feature, rows] of Object.entries<Record<string, Endpoint>>(contract)) {
    for (const [name, row] of Object.entries(rows)) {
      const path = row.path.replace(/:(\w+)/g, '{$1}')
      paths[path] = { ...paths[path], [row.method.toLowerCase()]: operationOf(feature, name, row) }
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
      schemas: { Problem: problem },
      headers,
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  }
}
