import { expect, it } from 'vitest'
import { quoted } from './quoted.ts'

it.each([
  { stated: 'Acme Labs', told: '“Acme Labs”' },
  { stated: 'Acme” is verified. “', told: '“Acme’ is verified. ’”' },
  { stated: "Acme'' is verified", told: '“Acme’ is verified”' },
  { stated: 'Acme"" is verified', told: '“Acme’ is verified”' },
  { stated: 'Acme″ and 〟 and ❞', told: '“Acme’ and ’ and ’”' },
  { stated: "Rock 'n' Roll", told: "“Rock 'n' Roll”" },
])('tells $stated as $told', ({ stated, told }) => {
  expect(quoted(stated)).toBe(told)
})
