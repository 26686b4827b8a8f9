import { openApiDocument } from '@countersign/sdk/contract/openapi'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, it } from 'vitest'
import { fieldDescriptions, schemaDescriptions } from '../sdk/src/contract/descriptions.ts'

it('describes the API in a valid document', async () => {
  const document = openApiDocument({ serverUrl: 'https://registry.example', version: '1.2.3' })
  const validator = new Validator()
  const { valid, errors } = await validator.validate(structuredClone(document))
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
  expect(validator.version).toBe('3.1')
})

it('documents how every operation reports its limits', () => {
  const { paths } = openApiDocument({ serverUrl: 'https://registry.example', version: '1.2.3' })
  type Operation = { operationId: string; responses: Record<string, { headers?: Record<string, unknown> }> }
  const operations = Object.values(paths).flatMap((path) => Object.values(path) as Operation[])
  expect(operations.length).toBeGreaterThan(50)
  for (const { operationId, responses } of operations) {
    expect(Object.keys(responses['429']?.headers ?? {}), operationId).toEqual([
      'RateLimit-Policy',
      'RateLimit',
      'Retry-After',
    ])
    const good = responses['200'] ?? responses['201'] ?? responses['202']
    expect(Object.keys(good?.headers ?? {}), operationId).toEqual(['RateLimit-Policy', 'RateLimit'])
  }
})

it('names every body and every response, each once', () => {
  const { paths, components } = openApiDocument({ serverUrl: 'https://registry.example', version: '1.2.3' })
  const schemas = JSON.stringify(paths).matchAll(
    /"application\/(?:problem\+)?json":\{"schema":(?:\{"anyOf":\[)?(\{[^}]*\})/g,
  )
  const names = new Set(
    [...schemas].map(([, schema = '']) => (JSON.parse(schema) as { $ref?: string }).$ref?.split('/').at(-1)),
  )
  expect(names.size).toBeGreaterThan(80)
  expect([...names].filter((name) => name === undefined || !(name in components.schemas))).toEqual([])
  for (const name of [
    'Model',
    'Provider',
    'Verification',
    'VerificationResult',
    'Deployment',
    'ModelList',
    'NewModel',
    'Problem',
  ])
    expect([...names]).toContain(name)
  expect(Object.keys(components.schemas).filter((name) => !/^([A-Z][a-z]+)+$/.test(name))).toEqual([])
})

it('says what every schema, field and query parameter means, and describes nothing else', () => {
  const { paths, components } = openApiDocument({ serverUrl: 'https://registry.example', version: '1.2.3' })
  const silent: string[] = []
  const places = new Set<string>()
  const walk = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      if (key !== 'properties') walk(inner, place)
      else
        for (const [name, property] of Object.entries(inner as Record<string, { description?: string }>)) {
          if (property.description === undefined) silent.push(`${place}.${name}`)
          places.add(name).add(`${place}.${name}`)
          walk(property, `${place}.${name}`)
        }
    }
  }
  for (const [name, schema] of Object.entries(components.schemas)) {
    if (!('description' in schema) && !/(Request|Response|List)$/.test(name)) silent.push(name)
    walk(schema, name)
  }
  type Operation = { operationId: string; parameters: { name: string; in: string; description?: string }[] }
  for (const { operationId, parameters } of Object.values(paths).flatMap((path) => Object.values(path) as Operation[]))
    for (const { name, in: where, description } of parameters) {
      if (where === 'query' && description === undefined) silent.push(`${operationId}.${name}`)
      places.add(name).add(`${operationId}.${name}`)
    }
  expect(silent, 'without a text in sdk/src/contract/descriptions.ts').toEqual([])
  expect(Object.keys(fieldDescriptions).filter((place) => !places.has(place))).toEqual([])
  expect(Object.keys(schemaDescriptions).filter((name) => !(name in components.schemas))).toEqual([])
})
