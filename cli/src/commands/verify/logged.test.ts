import { expect, it } from 'vitest'
import { withOwnWords } from './logged.ts'
import { unknown } from './verdict.ts'

const issuer = 'https://gitlab.com'
const subject = 'project_path:acme/chat'

const serverOf = (claims: object, state: 'logged' | 'being_logged') => {
  const said = 'Google Cloud says: this is “x”'
  const verdict = {
    ...unknown('', false),
    result: 'verified' as const,
    checks: [
      { check: 'domain', passed: true, detail: '', checked_at: null },
      { check: 'deployment', passed: true, detail: said, checked_at: null },
    ] as const,
    claims: { deployment_binding: 'workload', workload_issuer: issuer, workload_subject: subject, ...claims },
    provider: { id: 'prv_1', domain: 'acme.example', domain_verified: true },
    steps: { server: { state: 'proven', text: said, at: null } } as never,
  }
  const { steps, checks } = withOwnWords(verdict, { state, detail: '' })
  expect(checks.at(-1)?.detail).toBe(steps?.server.text)
  return steps?.server.text
}

it.each([
  ['names a known issuer', {}, 'GitLab says: this is “project_path:acme/chat”, which acme.example trusts'],
  [
    'quotes any other issuer, which cannot pass for a name',
    { workload_issuer: 'Google Cloud” and “GitLab' },
    '“Google Cloud\\u{201d} and \\u{201c}GitLab” says: this is “project_path:acme/chat”, which acme.example trusts',
  ],
  [
    'names any other issuer by its host, because anything may be in its path',
    { workload_issuer: 'https://ci.example/openai-officially-verified' },
    '“ci.example” says: this is “project_path:acme/chat”, which acme.example trusts',
  ],
  [
    'shows no subject that the registry withholds',
    { workload_subject: null },
    'GitLab confirmed a workload that acme.example trusts',
  ],
])('%s', (_, claims, text) => {
  expect(serverOf(claims, 'logged')).toBe(text)
})

it('names no platform that the log does not prove', () => {
  expect(serverOf({}, 'being_logged')).toBe('A platform confirmed a workload that acme.example trusts')
})
