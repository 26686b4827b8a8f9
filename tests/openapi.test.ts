import { openApiDocument } from '@countersign/sdk/contract/openapi'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, it } from 'vitest'

it('describes the API in a document that a validator of the standard accepts', async () => {
  const document = openApiDocument({ serverUrl: 'https://registry.example', version: '1.2.3' })
  const validator = new Validator()
  const { valid, errors } = await validator.validate(structuredClone(document))
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
  expect(validator.version).toBe('3.1')
})
