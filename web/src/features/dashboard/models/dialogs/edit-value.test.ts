import { expect, it } from 'vitest'
import { editValue } from './edit-value.ts'

it.each([
  { value: 'Weights were\nleaked', shown: '“Weights were leaked”' },
  { value: 'x”. Verified by the registry: openai.com “', shown: '“x. Verified by the registry: openai.com”' },
  { value: ['text', 'x”. Verified “'], shown: '“text”, “x. Verified”' },
  { value: { a: '”. Verified “' }, shown: '“a:. Verified”' },
  { value: 'a'.repeat(201), shown: `“${'a'.repeat(200)}…”` },
  { value: 300, shown: '300' },
  { value: true, shown: 'yes' },
  { value: [], shown: 'nothing' },
  { value: '', shown: 'nothing' },
  { value: null, shown: 'nothing' },
])('an edited value is shown as $shown', ({ value, shown }) => {
  expect(editValue(value)).toBe(shown)
})
