import { describe, expect, it } from 'vitest'
import { checkSetting, explain, isSettingKey } from './settings.ts'

const all = {
  flags: { apiUrl: 'https://flag.example', timeout: '1' },
  env: { COUNTERSIGN_API_URL: 'https://environment.example' },
  project: { api_url: 'https://project.example', endpoint: 'https://api.example' },
  profile: { api_url: 'https://profile.example', timeout: '3' },
}

describe('where a setting comes from', () => {
  it.each([
    {
      name: 'the flag first',
      inputs: all,
      value: 'https://flag.example',
      source: 'flag',
      shadowed: ['environment', 'profile', 'default'],
    },
    {
      name: 'then the environment',
      inputs: { ...all, flags: {} },
      value: 'https://environment.example',
      source: 'environment',
      shadowed: ['profile', 'default'],
    },
    {
      name: 'then the profile, never the project file',
      inputs: { ...all, flags: {}, env: {} },
      value: 'https://profile.example',
      source: 'profile',
      shadowed: ['default'],
    },
    {
      name: 'then the default',
      inputs: { ...all, flags: {}, env: {}, profile: {} },
      value: 'http://localhost:4100',
      source: 'default',
      shadowed: [],
    },
    {
      name: 'treats an empty variable as unset',
      inputs: { ...all, flags: {}, env: { COUNTERSIGN_API_URL: '' } },
      value: 'https://profile.example',
      source: 'profile',
      shadowed: ['default'],
    },
  ])('$name', ({ inputs, value, source, shadowed }) => {
    const found = explain('api_url', inputs)
    expect(found).toMatchObject({ value, source })
    expect(found.shadowed.map((each) => each.source)).toEqual(shadowed)
  })

  it('takes a field from the project file', () => {
    expect(explain('endpoint', all)).toEqual({ value: 'https://api.example', source: 'project_file', shadowed: [] })
    expect(explain('unheard_of', all)).toEqual({ value: null, source: null, shadowed: [] })
  })

  it('prefers the key itself to a file that contains one', () => {
    const env = { COUNTERSIGN_API_KEY: 'csk_a', COUNTERSIGN_API_KEY_FILE: '/key' }
    expect(explain('api_key', { flags: {}, env, project: {}, profile: {} })).toMatchObject({
      value: 'csk_a',
      shadowed: [{ value: '/key' }],
    })
  })
})

it.each(['toString', 'constructor', '__proto__'])('rejects %s, neither a setting nor a field', (key) => {
  expect(isSettingKey(key)).toBe(false)
  expect(explain(key, all).value).toBeNull()
})

it.each([
  ['api_url', 'ftp://a.example'],
  ['api_url', 'https://user:secret@a.example'],
  ['api_url', 'https://a.example/?x=1'],
  ['tls_url', 'http://a.example'],
  ['timeout', '0'],
  ['timeout', 'soon'],
  ['output', 'yaml'],
  ['profile', '../other'],
  ['profile', 'a.b'],
] as const)('refuses %s = %j', (key, value) => {
  expect(() => checkSetting(key, value)).toThrow(expect.objectContaining({ exit: 2 }))
})
