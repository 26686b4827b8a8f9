import { expect, it } from 'vitest'
import { isProxied } from './proxy.ts'

const proxy = 'http://proxy.acme.example:3128'
const url = 'https://registry.acme.example:8443/'

it.each<{ name: string; env: Record<string, string>; url?: string; proxied: boolean }>([
  { name: 'none is set', env: {}, proxied: false },
  { name: 'one for https', env: { HTTPS_PROXY: proxy }, proxied: true },
  { name: 'one for http serves https too', env: { HTTP_PROXY: proxy }, proxied: true },
  { name: 'one for https is not for http', env: { HTTPS_PROXY: proxy }, url: 'http://registry.acme.example', proxied: false },
  { name: 'all hosts are excepted', env: { HTTPS_PROXY: proxy, NO_PROXY: '*' }, proxied: false },
  { name: 'the domain is excepted', env: { HTTPS_PROXY: proxy, NO_PROXY: 'localhost, .acme.example' }, proxied: false },
  { name: 'the host is excepted at this port', env: { HTTPS_PROXY: proxy, NO_PROXY: 'registry.acme.example:8443' }, proxied: false },
  { name: 'the host is excepted at another port', env: { HTTPS_PROXY: proxy, NO_PROXY: 'registry.acme.example:443' }, proxied: true },
  { name: 'a name that only ends alike is excepted', env: { HTTPS_PROXY: proxy, NO_PROXY: 'me.example' }, proxied: true },
])('is $proxied where $name', ({ env, url: asked = url, proxied }) => {
  expect(isProxied(env, asked)).toBe(proxied)
})
