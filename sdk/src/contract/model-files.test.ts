import { expect, it } from 'vitest'
import { z } from 'zod'
import { ModelFile, modelFileJson } from './model-files.ts'

it('the JSON Schema of a file says what the schema judges by', () => {
  const { $schema: _, ...computed } = z.toJSONSchema(ModelFile, { io: 'input' })
  expect(modelFileJson).toEqual(computed)
})
