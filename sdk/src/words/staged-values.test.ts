import { expect, it } from 'vitest'
import { z } from 'zod'
import { type Endpoint, mayBeStaged } from '../contract/endpoint.ts'
import { contract } from '../contract/index.ts'
import { enumerated, stagedValues } from './staged-values.ts'

const id = 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm'
const names = { [id]: 'Atlas”, proven' }

it.each([
  {
    value: 'CI (asked by owner ada@acme.example), state approved',
    shown: '“CI (asked by owner ada@acme.example), state approved”',
  },
  { value: 'x”, approved “', shown: '“x\\u{201d}, approved \\u{201c}”' },
  { value: 'a\nb\u202e', shown: '“a\\u{a}b\\u{202e}”' },
  { value: id, shown: `${id} “Atlas, proven”` },
  { value: `${id}, approved`, shown: `“${id}, approved”` },
  { value: [id, 'x'], shown: `${id} “Atlas, proven”, “x”` },
  {
    value: { kind: 'key', 'role”, approved': [1, true] },
    shown: '{ “kind”: “key”, “role\\u{201d}, approved”: 1, true }',
  },
  { value: 300, shown: '300' },
  { value: false, shown: 'false' },
  { value: null, shown: 'null' },
])('a value of a staged call is shown as $shown', ({ value, shown }) => {
  expect(stagedValues({ params: {}, body: { name: value }, names })).toEqual([['name', shown]])
})

it('words of the contract are shown as they are', () => {
  const call = { params: { id }, body: { role: 'admin', scopes: ['read', 'links'] }, names: {} }
  expect(stagedValues(call)).toEqual([
    ['id', id],
    ['role', 'admin'],
    ['scopes', 'read, links'],
  ])
})

it('no field that is shown without quotation marks takes any text', () => {
  const found = new Set<string>()
  for (const endpoint of Object.values(contract).flatMap((group): Endpoint[] => Object.values(group))) {
    if (!mayBeStaged(endpoint)) continue
    for (const schema of [endpoint.params, endpoint.body]) {
      if (schema === undefined) continue
      const { oneOf = [], anyOf = [], ...whole } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
      for (const { properties = {} } of [whole, ...oneOf, ...anyOf] as z.core.JSONSchema.JSONSchema[])
        for (const [name, field] of Object.entries(properties).filter(([each]) => enumerated.has(each))) {
          const { items, ...own } = field as z.core.JSONSchema.JSONSchema
          const { enum: choices, const: only } = (items ?? own) as z.core.JSONSchema.JSONSchema
          expect(choices ?? only, name).toBeDefined()
          found.add(name)
        }
    }
  }
  expect(found).toEqual(enumerated)
})
