import { expect, it } from 'vitest'
import { shownNames } from './shown-names.ts'

it('has the names of a model alone and with its version', () => {
  const shown = shownNames({ identifier: 'globex', version: 'Initiative 2', display_name: 'Globex' })
  expect(shown.map(({ fields, text }) => [fields.join(), text])).toEqual([
    ['identifier', 'globex'],
    ['display_name', 'Globex'],
    ['identifier,version', 'globex Initiative 2'],
    ['display_name,version', 'Globex Initiative 2'],
  ])
})

it.each<{ texts: Record<string, string>; names: string[] }>([
  { texts: {}, names: [] },
  { texts: { company_name: 'Globex', identity: 'https://ci.example' }, names: ['Globex'] },
  { texts: { display_name: 'Globex' }, names: ['Globex'] },
  { texts: { version: 'Initiative 2' }, names: [] },
])('has only names whose texts the log shows: $names', ({ texts, names }) => {
  expect(shownNames(texts).map(({ text }) => text)).toEqual(names)
})
