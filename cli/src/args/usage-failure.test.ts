import { expect, it } from 'vitest'
import { run } from '../run.ts'
import { createTestWorld } from '../test-world.ts'

it.each([
  { argv: ['auth', 'login', '--api-key', 'csk_secret'], hint: '--api-key-stdin' },
  { argv: ['whoami', '--api-key=csk_secret'], hint: 'COUNTERSIGN_API_KEY' },
  { argv: ['auth', 'login', 'csk_secret'], hint: 'countersign help auth login' },
  { argv: ['csk_secret'], hint: 'countersign help' },
  { argv: ['auth', 'login', '--password=secret'], hint: '--password-stdin' },
  { argv: ['models', 'list', '--nope=secret'], hint: 'countersign help models list' },
  { argv: ['--profile', 'models', 'tokens', 'bind'], hint: 'help tokens bind' },
  { argv: ['models'], hint: 'countersign help models' },
  { argv: ['login'], hint: 'countersign auth login' },
  { argv: ['register'], hint: 'countersign providers register, or countersign models register' },
  { argv: ['verify', 'w904', '2ckw', 'gdnc', 'x7s1'], hint: 'Run: countersign verify "w904 2ckw gdnc x7s1"' },
  { argv: ['log', 'proof', 'w904', '2ckw', 'gdnc', 'x7s1'], hint: 'Run: countersign log proof "w904 2ckw gdnc x7s1"' },
  { argv: ['verify', 'w904', '2ckw', 'gdnc', 'x7s2'], hint: 'countersign help verify' },
  { argv: ['search', 'w904', '2ckw', 'gdnc', 'x7s1'], hint: 'countersign help search' },
  { argv: ['completion'], hint: 'countersign help completion' },
])('suggests a next step for $argv and repeats no secret', async ({ argv, hint }) => {
  const world = createTestWorld()
  expect(await run([...argv, '--json'], world)).toBe(2)
  expect(world.written.stdout).toBe('')
  expect(world.written.stderr).not.toContain('secret')
  expect(JSON.parse(world.written.stderr).error).toMatchObject({ code: 'usage', hint: expect.stringContaining(hint) })
})

it('lists the shells if none is named', async () => {
  const world = createTestWorld()
  await run(['completion'], world)
  expect(world.written.stderr).toContain('bash, zsh, fish')
})
