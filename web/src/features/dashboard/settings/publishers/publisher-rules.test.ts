import { readFileSync } from 'node:fs'
import { NewPublisher, type Publisher } from '@countersign/sdk/contract'
import { expect, it } from 'vitest'
import { emptyPublisherForm, kindsOf, newPublisherOf, type PublisherForm, snippetOf } from './publisher-rules.ts'

const github = 'https://token.actions.githubusercontent.com'
const known = {
  issuers: [
    { kind: 'github' as const, issuer: github },
    { kind: 'gitlab' as const, issuer: 'https://gitlab.com' },
    { kind: 'gitlab' as const, issuer: 'https://gitlab.acme.example' },
  ],
}
const form = (some: Partial<PublisherForm>): PublisherForm => ({
  ...emptyPublisherForm,
  repository: 'acme/models',
  ...some,
})

it.each([
  {
    name: 'a workflow',
    given: form({ workflow: 'release.yml' }),
    sent: { kind: 'github', issuer: github, repository: 'acme/models', workflow: 'release.yml' },
  },
  {
    name: 'a pipeline of a self-hosted GitLab, in one environment',
    given: form({
      kind: 'gitlab',
      issuer: 'https://gitlab.acme.example',
      workflow: 'ci.yml',
      environment: 'release',
      subject: 'left over',
    }),
    sent: {
      kind: 'gitlab',
      issuer: 'https://gitlab.acme.example',
      repository: 'acme/models',
      workflow: 'ci.yml',
      environment: 'release',
    },
  },
  {
    name: 'an issuer of a different kind selected before',
    given: form({ kind: 'gitlab', issuer: github }),
    sent: { kind: 'gitlab', issuer: 'https://gitlab.com', repository: 'acme/models' },
  },
])('sends $name as the contract expects', ({ given, sent }) => {
  expect(newPublisherOf(given, known)).toEqual(sent)
  expect(NewPublisher.safeParse(newPublisherOf(given, known)).success).toBe(true)
})

it('offers only issuers that the registry accepts', () => {
  expect(kindsOf(known)).toEqual(['github', 'gitlab'])
})

const publisher: Publisher = {
  id: 'pub_06dh0e3x7c9bw4vjz2n8qk5ytm',
  kind: 'github',
  issuer: github,
  repository: 'acme/models',
  repository_id: null,
  repository_owner_id: null,
  workflow: 'release.yml',
  environment: null,
  subject: null,
  created_at: '2026-11-20T10:00:00.000Z',
  last_used_at: null,
  last_refusal: null,
  is_issuer_accepted: true,
}
const scene = { provider: 'prv_06dh0e3x7c9bw4vjz2n8qk5ytm', registry: 'https://registry.example' }

it('gives the job its provider, registry and the permission for an identity token', () => {
  const workflow = snippetOf(publisher, scene)
  expect(workflow).toContain('id-token: write')
  expect(workflow).toContain('COUNTERSIGN_API_URL: https://registry.example')
  expect(workflow).toContain(`auth login --oidc --provider ${scene.provider}`)
  expect(workflow).not.toContain('environment')
  expect(snippetOf({ ...publisher, environment: 'on: release' }, scene)).toContain('    environment: "on: release"\n')
  expect(snippetOf({ ...publisher, kind: 'gitlab' }, scene)).toContain('aud: https://registry.example')
  expect(snippetOf({ ...publisher, kind: 'other' }, scene)).toContain('COUNTERSIGN_ID_TOKEN')
})

it('matches the documentation', () => {
  const documented = readFileSync(new URL('../../../../../../docs/ci.md', import.meta.url), 'utf8')
  const workflow = snippetOf({ ...publisher, environment: 'release' }, scene)
  expect(documented).toContain(workflow.replace(/^(?=.)/gm, '   '))
})
