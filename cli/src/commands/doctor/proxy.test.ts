import { expect, it } from 'vitest'
import { isProxied } from './proxy.ts'

const proxy = 'http://proxy.acme.example:3128'
const url = 'https://registry.acme.example:8443/'

it.each<{ name: string; env: Record<string, string>; url?: string; proxied: boolean }>([
  { name: 'none is set', env: {}, proxied: false },
  { name: 'one for https', env: { HTTPS_PROXY: proxy }, proxied: true },
  { name: 'one for http also serves https', env: { HTTP_PROXY: proxy }, proxied: true },
  {
    name: 'one for https does not serve http',
    env: { HTTPS_PROXY: proxy },
    url: 'http://registry.acme.example',
    proxied: false,
  },
  { name: 'all hosts are exempt', env: { HTTPS_PROXY: proxy, NO_PROXY: '*' }, proxied: false },
  { name: 'the domain is exempt', env: { HTTPS_PROXY: proxy, NO_PROXY: 'localhost, .acme.example' }, proxied: false },
  {
    name: 'the host is exempt at this port',
    env: { HTTPS_PROXY: proxy, NO_PROXY: 'registry.acme.example:8443' },
    proxied: false,
  },
  {
    name: 'the host is exempt at another port',
    env: { HTTPS_PROXY: proxy, NO_PROXY: 'registry.acme.example:443' },
    proxied: true,
  },
  { name: 'the exemption ends inside a label', env: { HTTPS_PROXY: proxy, NO_PROXY: 'me.example' }, proxied: true },
])('returns $proxied when $name', ({ env, url: asked = url, proxied }) => {
  expect(isProxied(env, asked)).toBe(proxied)
})
