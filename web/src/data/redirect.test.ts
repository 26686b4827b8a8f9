import { expect, it } from 'vitest'
import { readTarget } from './redirect.ts'

const origin = 'https://registry.example'

it.each([
  { target: '/dashboard?tab=models#top', leads: '/dashboard?tab=models#top' },
  { target: '/models/a%2Fb', leads: '/models/a%2Fb' },
  { target: '/x/../dashboard', leads: '/dashboard' },
  { target: null, leads: null },
  { target: '', leads: null },
  { target: 'dashboard', leads: null },
  { target: 'https://evil.example/', leads: null },
  { target: '//evil.example', leads: null },
  { target: '/\\evil.example', leads: null },
  { target: '/\t/evil.example', leads: null },
  { target: '/\n\\evil.example', leads: null },
  { target: '/.//evil.example', leads: null },
  { target: '/a/..//evil.example', leads: null },
  { target: '/%2e//evil.example', leads: null },
  { target: '/.\\/evil.example', leads: null },
  { target: 'javascript:alert(1)', leads: null },
  { target: ' /dashboard', leads: null },
  { target: '/login?redirect=/login', leads: null },
  { target: '/auth/callback?error=x', leads: null },
  { target: '/auth-setup?token=x', leads: null },
  { target: '/authors', leads: '/authors' },
])('redirects from $target to $leads after signing in', ({ target, leads }) => {
  expect(readTarget(target, origin)).toBe(leads)
})
