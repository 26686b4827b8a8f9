import { expect, it } from 'vitest'
import { z } from 'zod'
import { ModelFile, ModelFiles, modelFileJson } from './model-files.ts'

it('has a JSON Schema that matches its zod schema', () => {
  const { $schema: _, ...computed } = z.toJSONSchema(ModelFile, { io: 'input' })
  expect(modelFileJson).toEqual(computed)
})

const listOf = (name: string) => [{ name, size: 1, sha256: 'a'.repeat(64) }]

it.each(['\u202e', '\u2066', '\u200b', '\u00ad', '\u{e0041}', '\u0085'])(
  'rejects a new list with an invisible character in a name: %j',
  (mark) => {
    expect(ModelFiles.safeParse(listOf(`model${mark}srosnetefas.py`)).error?.issues[0]?.path).toEqual([0, 'name'])
    expect(ModelFiles.safeParse(listOf('模型 é.py')).success).toBe(true)
  },
)

it('reads a stored list with an invisible character in a name', () => {
  expect(listOf('model\u202esrosnetefas.py').map((file) => ModelFile.safeParse(file).success)).toEqual([true])
})
