import { contract, type Endpoint } from '@countersign/sdk/contract'
import { describe, expect, it } from 'vitest'
import { createRowTable } from './row-table.ts'

const rows = Object.values(contract).flatMap((group) => Object.values<Endpoint>(group))
const table = createRowTable<string>()
for (const { method, path } of rows) table.add(method, path, `${method} ${path}`)

describe('the table of rows', () => {
  it.each(rows.map(({ method, path }) => [method, path]))('finds %s %s with its parameters', (method, path) => {
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
    const params = Object.fromEntries(names.map((name, index) => [name, `Value-${index}.x_~`]))
    const url = path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '')
    expect(table.find(method, url)).toEqual({ answer: `${method} ${path}`, params })
    expect(table.find(method, `${url}?limit=1/2`)).toEqual({ answer: `${method} ${path}`, params })
  })

  it.each([
    ['another method', 'DELETE', '/api/v1/models/public'],
    ['HEAD', 'HEAD', '/api/v1/models/public'],
    ['an escape', 'GET', '/api/v1/verify/a%2Fb'],
    ['another case', 'GET', '/API/v1/models/public'],
    ['a slash at the end', 'GET', '/api/v1/models/public/'],
    ['two slashes', 'GET', '/api/v1//models/public'],
    ['no parameter', 'GET', '/api/v1/verify/'],
    ['more than the row has', 'GET', '/api/v1/verify/a/b'],
    ['less than the row has', 'GET', '/api/v1'],
    ['nothing', 'GET', '/'],
    ['a name of every object', 'GET', '/constructor'],
  ])('leaves %s to Express', (_, method, url) => {
    expect(table.find(method, url)).toBeUndefined()
  })

  it('gives each row its own names, also where two differ only in them', () => {
    const other = createRowTable<string>()
    other.add('GET', '/a/:id', 'get')
    other.add('PUT', '/a/:key', 'put')
    expect(other.find('GET', '/a/7')).toEqual({ answer: 'get', params: { id: '7' } })
    expect(other.find('PUT', '/a/7')).toEqual({ answer: 'put', params: { key: '7' } })
  })
})
