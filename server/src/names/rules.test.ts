import { describe, expect, it } from 'vitest'
import { holdsOthersDomain } from './rules.ts'

describe('a name', () => {
  it.each([
    'Acme (acme.example)',
    'acme .example',
    'acme. example',
    'acme . example',
    'acme,example',
    'acme:example',
    'acme..example',
    'acmeꞏexample',
    'acmeㆍexample',
    'acme丶example',
    'acmeˌexample',
  ])('contains the domain of another: %s', (name) => {
    expect(holdsOthersDomain(name, 'rival.example')).toBe(true)
    expect(holdsOthersDomain(name, 'chat.acme.example')).toBe(false)
  })

  it.each(['A.I. Labs', 'Acme Labs. Inc', 'Smith, Co', 'Acme: AI', 'Acme 2.0 ai', 'St. Acme'])(
    'contains no domain: %s',
    (name) => {
      expect(holdsOthersDomain(name, 'rival.example')).toBe(false)
    },
  )
})
