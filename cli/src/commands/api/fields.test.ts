import { describe, expect, it } from 'vitest'
import { readFields } from './fields.ts'

const readFile = async (path: string) => `content of ${path}`
const read = (...fields: string[]) => readFields(fields, [], readFile)

describe('fields of a request', () => {
  it.each([
    { given: ['name=acme'], expected: { name: 'acme' } },
    {
      given: ['limit=5', 'is_active=true', 'note=null', 'x=-3'],
      expected: { limit: 5, is_active: true, note: null, x: -3 },
    },
    {
      given: ['version=1.0', 'id=007', 'n=12345678901234567'],
      expected: { version: '1.0', id: '007', n: '12345678901234567' },
    },
    { given: ['text=a=b', 'empty='], expected: { text: 'a=b', empty: '' } },
    { given: ['description=@notes.md'], expected: { description: 'content of notes.md' } },
    { given: ['labels[region]=eu', 'labels[tier]=1'], expected: { labels: { region: 'eu', tier: 1 } } },
    { given: ['scopes[]=links', 'scopes[]=read'], expected: { scopes: ['links', 'read'] } },
    { given: ['a[b][]=1', 'a[c]=2'], expected: { a: { b: [1], c: 2 } } },
  ])('read $given', async ({ given, expected }) => {
    expect(await read(...given)).toEqual(expected)
  })

  it('are always text as raw fields', async () => {
    expect(await readFields([], ['limit=5', 'file=@notes.md'], readFile)).toEqual({ limit: '5', file: '@notes.md' })
  })

  it('cannot change the prototype of all objects', async () => {
    const input = await read('__proto__[polluted]=true', 'constructor=1')
    expect(Object.keys(input)).toEqual(['__proto__', 'constructor'])
    expect('polluted' in {}).toBe(false)
  })

  it.each(['name', '=value', 'a[b=1', 'a]b[=1'])('reject %s', async (field) => {
    await expect(read(field)).rejects.toMatchObject({ exit: 2 })
  })

  it('reject a field that contradicts an earlier one', async () => {
    await expect(read('a=1', 'a[b]=2')).rejects.toThrow('contradicts')
    await expect(read('a[]=1', 'a[b]=2')).rejects.toThrow('contradicts')
  })
})
