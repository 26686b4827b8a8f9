import { expect, it } from 'vitest'
import { z } from 'zod'
import { ModelFile, modelFileJson } from './model-files.ts'

it('has a JSON Schema that matches its zod schema', () => {
  const { $schema: _, ...computed } = z.toJSONSchema(ModelFile, { io: 'input' })
  expect(modelFileJson).toEqual(computed)
})
