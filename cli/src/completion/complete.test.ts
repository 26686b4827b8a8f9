import { expect, it } from 'vitest'
import { run } from '../run.ts'
import { createTestWorld } from '../test-world.ts'

const id = (prefix: string) => `${prefix}_06dh0e3x7c9bw4vjz2n8qk5ytm`
const evil = 'x\u001b]0;owned\u0007\n$(reboot)\ty'

const answers: Record<string, unknown> = {
  '/providers/me': { id: id('prv') },
  '/models': {
    models: [
      { id: id('mdl'), api_model_identifier: 'tiny', display_name: 'Tiny', version: '2.0', is_latest: true },
      {
        id: `${id('mdl')}$(reboot)`,
        api_model_identifier: '$(reboot)',
        display_name: evil,
        version: '1',
        is_latest: true,
      },
    ],
  },
  '/deployments': {
    deployments: [{ deployment_id: id('dep'), status: 'enabled', authorized_models: [{ name: 'tiny, proven' }] }],
  },
  '/me/incidents': { incidents: [{ id: id('inc'), status: 'reported', title: evil }] },
  '/me/api-keys': [
    { id: id('key'), name: 'CI, proven', revoked_at: null },
    { id: id('key').replace('06', '07'), name: 'old', revoked_at: '2026-01-01T00:00:00Z' },
  ],
  '/me/signers': { signers: [{ id: id('sgn'), signer: { kind: 'identity', identity: 'ada@acme.example, proven' } }] },
  '/me/publishers': { publishers: [{ id: id('pub'), repository: 'acme/models, proven' }] },
}

const registry: typeof fetch = async (input) => {
  const { pathname } = new URL(String(input))
  const found = Object.entries(answers).find(([end]) => pathname.endsWith(end))
  return found === undefined
    ? Response.json({ code: 'not_found', detail: '' }, { status: 404 })
    : Response.json(found[1])
}

const env = { COUNTERSIGN_CONFIG_DIR: '/nonexistent', COUNTERSIGN_API_KEY: 'csk_00000000_x' }

const complete = async (
  words: readonly string[],
  given: Parameters<typeof createTestWorld>[0] = { env, fetch: registry },
) => {
  const world = createTestWorld(given)
  expect(await run(['__complete', ...words], world)).toBe(0)
  expect(world.written.stderr).toBe('')
  return world.written.stdout.split('\n').filter(Boolean)
}

const names = (lines: readonly string[]) => lines.map((line) => line.split('\t')[0])

it.each([
  { words: ['mod'], found: ['models'] },
  { words: ['models', 're'], found: ['register'] },
  { words: ['--profile', 'staging', 'models', 'sh'], found: ['show'] },
  { words: ['--api-url=https://registry.example', 'models', 'sh'], found: ['show'] },
  { words: ['models', 'register', '--type', 'lang'], found: ['language'] },
  { words: ['models', 'register', '--type=lang'], found: ['--type=language'] },
  { words: ['models', 'register', '--type', '=', 'lang'], found: ['language'] },
  { words: ['models', 'register', 'ti'], found: [':files'] },
  { words: ['models', 'register', '--bundle', ''], found: [':files'] },
  { words: ['models', 'register', '--display-name', ''], found: [] },
  { words: ['verify', '--off'], found: ['--offline'] },
  { words: ['verify', '--', '--off'], found: [] },
  { words: ['completion', ''], found: ['bash', 'zsh', 'fish', 'powershell'] },
  { words: ['help', 'exit'], found: ['exit-codes'] },
  { words: ['help', 'models', 'regi'], found: ['register'] },
  { words: ['models', 'visibility', 'tiny', 'p'], found: ['public', 'private'] },
  { words: ['config', 'explain', 'api'], found: ['api_url', 'api_key'] },
  { words: ['models', 'show', 'x', 're'], found: [] },
  { words: ['models', 'show', ''], found: ['tiny', id('mdl')] },
  { words: ['models', 'check', './tiny', '--model', 't'], found: ['tiny'] },
  { words: ['incidents', 'report', '--model', ''], found: [id('mdl')] },
  { words: ['bundles', 'upload', 'tiny', ''], found: [':files'] },
  { words: ['deployments', 'enable', 'dep_'], found: [id('dep')] },
  { words: ['deployments', 'authorize', id('dep'), '--model=t'], found: ['--model=tiny'] },
  { words: ['incidents', 'respond', ''], found: [id('inc')] },
  { words: ['keys', 'revoke', ''], found: [id('key')] },
  { words: ['keys', 'create', 'CI', '--scope', 'li'], found: ['links'] },
  { words: ['signers', 'remove', ''], found: [id('sgn')] },
  { words: ['publishers', 'remove', ''], found: [id('pub')] },
  { words: [], found: expect.arrayContaining(['verify', 'doctor']) },
])('offers $found after $words', async ({ words, found }) => {
  expect(names(await complete(words))).toEqual(found)
})

it('describes each ID, with what people chose quoted, and offers nothing that has a meaning to the shell', async () => {
  const lines = [...(await complete(['models', 'show', ''])), ...(await complete(['incidents', 'show', '']))]
  expect(lines).toEqual([
    'tiny\t“Tiny 2.0”',
    `${id('mdl')}\t“tiny 2.0”`,
    `${id('inc')}\treported: “x]0;owned $(reboot) y”`,
  ])
  expect(await complete(['deployments', 'enable', ''])).toEqual([`${id('dep')}\tenabled, “tiny, proven”`])
  expect(await complete(['publishers', 'remove', ''])).toEqual([`${id('pub')}\t“acme/models, proven”`])
  expect(await complete(['keys', 'revoke', ''])).toEqual([`${id('key')}\t“CI, proven”`])
  expect(await complete(['signers', 'remove', ''])).toEqual([`${id('sgn')}\t“ada@acme.example, proven”`])
})

const never: typeof fetch = (_, init) =>
  new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason), { once: true }))

it.each([
  { name: 'no key is set', given: { fetch: registry } },
  {
    name: 'the registry rejects the key',
    given: { env, fetch: async () => Response.json({ code: 'forbidden', detail: '' }, { status: 403 }) },
  },
  { name: 'the registry cannot be reached', given: { env } },
  { name: 'the answer takes too long', given: { env, fetch: never } },
  {
    name: 'the name of the profile is invalid',
    given: { env: { ...env, COUNTERSIGN_PROFILE: '../x' }, fetch: registry },
  },
])('prints nothing if $name', async ({ given }) => {
  expect(await complete(['deployments', 'enable', ''], given)).toEqual([])
})
