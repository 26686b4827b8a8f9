import { describe, expect, it } from 'vitest'
import { readProject } from './project-file.ts'

describe('a project file', () => {
  it('sets fields, but not addresses or secrets', () => {
    const text = JSON.stringify({
      endpoint: 'https://a.example',
      api_url: 'x',
      tls_url: 'x',
      api_key: 'x',
      profile: 'x',
      ca_file: 'x',
      my_password: 'x',
    })
    expect(readProject(text, 'f')).toEqual({
      fields: { endpoint: 'https://a.example' },
      warning: 'f may not set api_url, tls_url, api_key, profile, ca_file, my_password; ignored',
    })
  })

  it('leaves to options what links, servers and accounts are trusted for', () => {
    const text = JSON.stringify({ origin: 'https://a.example', copy_authorizations: true, email: 'x' })
    expect(readProject(text, 'f')).toEqual({
      fields: {},
      warning:
        'f may not set origin, copy_authorizations, email; ignored. Use --origin, --copy-authorizations, --email',
    })
  })

  it('names unknown fields', () => {
    expect(() => readProject('{"endpont":"x"}', 'f')).toThrow(
      expect.objectContaining({ exit: 2, message: expect.stringContaining('"endpont"') }),
    )
  })

  it('says where it is broken without quoting it', () => {
    const broken = '{\n  "api_key": "secret",,\n}'
    expect(() => readProject(broken, 'f')).toThrow(
      expect.objectContaining({ exit: 2, message: 'f is not a JSON object (line 2 column 23)' }),
    )
    expect(() => readProject('{"api_key": secret}', 'f')).not.toThrow(/secret/)
  })

  it.each(['', '[]', '"x"', 'null', '{'])('is rejected when it is %j', (text) => {
    expect(() => readProject(text, 'f')).toThrow(expect.objectContaining({ exit: 2 }))
  })
})
