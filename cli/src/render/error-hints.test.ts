import { expect, it } from 'vitest'
import { run } from '../run.ts'
import { createTestWorld } from '../test-world.ts'

const show = ['models', 'show', 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm', '--json']
const notFound = async () => Response.json({ code: 'not_found', detail: 'Not found' }, { status: 404 })
const opensslDump = async () => {
  throw new TypeError('fetch failed', {
    cause: new Error('406D:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number:'),
  })
}

it.each([
  {
    name: 'a path after the address',
    url: 'https://registry.example/registry',
    fetch: notFound,
    exit: 5,
    shown: '--api-url https://registry.example',
  },
  {
    name: 'the address of the API',
    url: 'https://registry.example/api/v1',
    fetch: notFound,
    exit: 2,
    shown: 'without user, /api, query or fragment',
  },
  { name: 'no address', url: 'registry', fetch: notFound, exit: 2, shown: 'https://registry.acme.example' },
  {
    name: 'https where http answers',
    url: 'https://127.0.0.1:1',
    fetch: opensslDump,
    exit: 8,
    shown: 'does not speak TLS; did you mean http://127.0.0.1:1?',
  },
])('explains $name', async ({ url, fetch, exit, shown }) => {
  const world = createTestWorld({ fetch })
  expect(await run([...show, '--api-url', url, '--timeout', '1'], world)).toBe(exit)
  const { message, hint } = JSON.parse(world.written.stderr).error
  expect(`${message}\n${hint}`).toContain(shown)
  expect(message).not.toContain('SSL')
})

it('does not suspect an address without a path if a model is missing', async () => {
  const world = createTestWorld({ fetch: notFound })
  expect(await run([...show, '--api-url', 'https://registry.example/'], world)).toBe(5)
  expect(world.written.stderr).not.toContain('--api-url')
})

it.each([
  {
    name: 'a rejected key from a variable',
    fetch: async () => Response.json({ code: 'unauthorized', detail: 'Not a valid key' }, { status: 401 }),
    env: { COUNTERSIGN_API_KEY: 'csk_00000000_x' },
    argv: ['whoami'],
    exit: 4,
    shown: /is from COUNTERSIGN_API_KEY: .*unset/,
  },
  {
    name: 'an unknown output format',
    env: { COUNTERSIGN_OUTPUT: 'yaml' },
    argv: ['config', 'list'],
    exit: 2,
    shown: /COUNTERSIGN_OUTPUT must be text or json, not "yaml"/,
  },
  {
    name: 'a missing file of the key',
    env: { COUNTERSIGN_API_KEY_FILE: '/nonexistent/key' },
    argv: ['whoami'],
    exit: 2,
    shown: /COUNTERSIGN_API_KEY_FILE: No such file: \/nonexistent\/key/,
  },
  {
    name: 'a wrong value in a variable',
    env: { COUNTERSIGN_API_URL: 'registry' },
    argv: ['search', 'acme'],
    exit: 2,
    shown: /api_url must be .*\nhint: It is from COUNTERSIGN_API_URL\n/,
  },
  {
    name: 'a certificate authority that is a folder',
    env: { COUNTERSIGN_CA_FILE: '/', COUNTERSIGN_API_URL: 'https://127.0.0.1:9' },
    argv: ['verify', 'W904-2CKW-GDNC-X7S1'],
    exit: 2,
    shown: /ca_file: A folder, not a file: \//,
  },
  {
    name: 'the address of something else',
    fetch: async () => new Response('<h1>Hello</h1>'),
    env: { COUNTERSIGN_API_URL: 'https://www.acme.example' },
    argv: ['search', 'acme'],
    exit: 8,
    shown: /The answer of https:\/\/www\.acme\.example.* is not from a registry\nhint: .*COUNTERSIGN_API_URL/,
  },
  {
    name: 'a certificate authority that nothing vouches for',
    fetch: async () => {
      const cause = Object.assign(new Error('unable to verify the first certificate; try --use-system-ca'), {
        code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      })
      throw new TypeError('fetch failed', { cause })
    },
    env: { COUNTERSIGN_API_URL: 'https://127.0.0.1:9' },
    argv: ['search', 'acme'],
    exit: 8,
    shown: /127\.0\.0\.1:9: its certificate is not trusted\nhint: .*COUNTERSIGN_API_URL.*COUNTERSIGN_CA_FILE/,
  },
])('names the setting of $name', async ({ env, argv, exit, shown, fetch }) => {
  const world = createTestWorld({ env: { COUNTERSIGN_CONFIG_DIR: '/nonexistent', ...env }, ...(fetch && { fetch }) })
  if (!fetch) delete world.fetch
  expect(await run(argv, world)).toBe(exit)
  expect(world.written.stderr).toMatch(shown)
})
