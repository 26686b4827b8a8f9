import { expect, it } from 'vitest'
import { run } from '../run.ts'
import { createTestWorld } from '../test-world.ts'

const api = ['--api-url', 'http://registry.example']
const key = `csk_00000000_${'0'.repeat(49)}`
const commands = [
  ['verify', 'W904-2CKW-GDNC-X7S1'],
  ['verify', 'W904-2CKW-GDNC-X7S1', '--json'],
  ['keys', 'list'],
  ['whoami'],
  ['search', 'acme'],
  ['tokens', 'mint', '--model', 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm'],
]

const call = async (args: readonly string[]) => {
  const sent: string[] = []
  const fetch: typeof globalThis.fetch = async (input) => {
    sent.push(String(input))
    return Response.json({}, { status: 503 })
  }
  const world = createTestWorld({ fetch, env: { COUNTERSIGN_CONFIG_DIR: '/nonexistent', COUNTERSIGN_API_KEY: key } })
  const exit = await run([...args, ...api, '--timeout', '1'], world)
  return { exit, sent, ...world.written }
}

it.each(commands)('sends nothing over plain http to another machine, and names the option: %s', async (...args) => {
  const { exit, sent, stdout, stderr } = await call(args)
  expect({ exit, sent }).toEqual({ exit: 2, sent: [] })
  expect(stdout + stderr).toContain('--insecure-http')
  expect(stdout).not.toMatch(/verified/i)
})

it('sends it with --insecure-http', async () => {
  expect((await call(['verify', 'W904-2CKW-GDNC-X7S1', '--insecure-http'])).sent[0]).toMatch(
    /^http:\/\/registry\.example\//,
  )
})
