import { contract, type Endpoint } from '@countersign/sdk/contract'
import { describe, expect, it } from 'vitest'
import { createRouter } from './router.ts'

const endpoints = Object.values(contract).flatMap((group) => Object.values<Endpoint>(group))
const router = createRouter<string>()
for (const { method, path } of endpoints) router.add(method, path, `${method} ${path}`)

describe('the router', () => {
  it.each(endpoints.map(({ method, path }) => [method, path] as const))(
    'finds %s %s with its parameters',
    (method, path) => {
      const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
      const params = Object.fromEntries(names.map((name, index) => [name, `Value-${index}.x_~`]))
      const url = path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '')
      for (const spelling of [url, `${url}?limit=1/2`, `${url}/`, url.replace('/api/', '/API/')])
        expect(router.find(method, spelling)).toEqual({ answer: `${method} ${path}`, params })
    },
  )

  it.each([
    ['another method', 'DELETE', '/api/v1/models/public'],
    ['two slashes', 'GET', '/api/v1//models/public'],
    ['a missing parameter', 'GET', '/api/v1/verify/'],
    ['a path that goes on', 'GET', '/api/v1/verify/a/b'],
    ['a path that ends early', 'GET', '/api/v1'],
    ['the root', 'GET', '/'],
    ['a name that every object has', 'GET', '/constructor'],
    ['a broken escape', 'GET', '/api/v1/verify/%E0%A4%A'],
  ])('finds nothing for %s', (_, method, url) => {
    expect(router.find(method, url)).toBeUndefined()
  })

  it('decodes parameters, and keeps long ones whole', () => {
    expect(router.find('GET', '/api/v1/verify/a%2Fb')?.params).toEqual({ token: 'a/b' })
    const token = 'e'.repeat(16_000)
    expect(router.find('GET', `/api/v1/verify/${token}`)?.params).toEqual({ token })
  })

  it('answers HEAD as GET, and lists the methods of a path', () => {
    expect(router.find('HEAD', '/api/v1/models/public')?.answer).toBe('GET /api/v1/models/public')
    expect(router.methodsAt('/api/v1/models/public')).toEqual(['GET'])
    expect(router.methodsAt('/api/v1/nothing')).toEqual([])
  })

  it('gives each endpoint its own parameter names if two share a path', () => {
    const other = createRouter<string>()
    other.add('GET', '/a/:id', 'get')
    other.add('PUT', '/a/:key', 'put')
    other.add('GET', '/a/:name/parts', 'parts')
    expect(other.find('GET', '/a/7')).toEqual({ answer: 'get', params: { id: '7' } })
    expect(other.find('PUT', '/a/7')).toEqual({ answer: 'put', params: { key: '7' } })
    expect(other.find('GET', '/a/7/parts')).toEqual({ answer: 'parts', params: { name: '7' } })
  })
})
