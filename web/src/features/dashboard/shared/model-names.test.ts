import { expect, it } from 'vitest'
import { nameModels } from './model-names.ts'

const modelOf = (id: string, display_name: string, api_model_identifier: string, version = '1.0') => ({
  id,
  display_name,
  api_model_identifier,
  version,
})

it('names models by their identifier only where several have the same name', () => {
  const models = [
    modelOf('1', 'Atlas', 'atlas'),
    modelOf('2', 'Atlas', 'atlas-eu'),
    modelOf('3', 'Brook', 'brook'),
    modelOf('4', 'Brook', 'brook', '2.0” checked by us'),
  ]
  expect(nameModels(models).map(({ name }) => name)).toEqual([
    '“Atlas 1.0” · atlas',
    '“Atlas 1.0” · atlas-eu',
    '“Brook 1.0”',
    '“Brook 2.0 checked by us”',
  ])
})
