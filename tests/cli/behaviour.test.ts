import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readdirSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { quote } from '@countersign/sdk/words'
import { expect, it, onTestFinished } from 'vitest'
import { widthOf } from '../../cli/src/io/width.ts'
import { createCommandLine } from './process.ts'
import { hasTerminals, openTerminal } from './terminal.ts'

const key = { COUNTERSIGN_API_KEY: `csk_00000000_${'0'.repeat(49)}` }
const id = (prefix: string) => `${prefix}_06dh0e3x7c9bw4vjz2n8qk5ytm`

/** A registry whose answers, and their times, are set by the test. */
const serve = async (answer: (path: string, response: ServerResponse) => void) => {
  const server = createServer(({ url = '' }, response) => answer(new URL(url, 'http://x').pathname, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const withVariable = (text: string) => ({ ...key, ...Object.fromEntries([text.split('=')]) }) as Record<string, string>

const send = (response: ServerResponse, value: unknown) => {
  response.setHeader('Content-Type', 'application/json')
  response.end(JSON.stringify(value))
}

const time = '2026-11-20T10:15:00Z'

const keys = ['CI', '名古屋の鍵', '🦦 otter 🇳🇴', 'ne\u0301e à la carte', 'ก็ดี'].map((name, index) => ({
  id: id('key').replace('06', `1${index}`),
  name,
  key_prefix: 'csk_00000000',
  is_active: true,
  scopes: index === 0 ? ['links', 'read', 'models', 'deployments', 'incidents'] : null,
  created_at: time,
  expires_at: null,
  last_used_at: null,
  revoked_at: null,
}))

it.skipIf(!hasTerminals)(
  'aligns columns under wide characters in a pipe, and fits 80 columns without cutting anything',
  async () => {
    const cli = await createCommandLine(await serve((_, response) => send(response, keys)))
    const piped = await cli.call(['keys', 'list'], { env: key })
    expect(piped.stdout).not.toContain('\u001b')
    const columnOf = (line: string) => widthOf(line.slice(0, line.indexOf('csk_')))
    const rows = piped.stdout.split('\n').filter((line) => line.includes('csk_'))
    expect(rows).toHaveLength(keys.length)
    expect(new Set(rows.map(columnOf)).size).toBe(1)

    const terminal = openTerminal(cli, ['keys', 'list'], { env: key })
    const { exit, shown } = await terminal.end()
    expect(exit).toBe(0)
    for (const line of shown.split(/\r?\n/)) expect(widthOf(line), line).toBeLessThanOrEqual(80)
    for (const { id, name } of keys) expect(shown).toMatch(new RegExp(`${id}[\\s\\S]*${quote(name)}`))
    const wide = await openTerminal(cli, ['keys', 'list'], { env: key, columns: 250 }).end()
    expect(wide.shown.replaceAll('\r', '').trim()).toBe(piped.stdout.trim())
  },
)

it.skipIf(!hasTerminals).each<{ name: string; env: Record<string, string>; colored: boolean }>([
  { name: 'a terminal', env: { NO_COLOR: '' }, colored: true },
  { name: 'a terminal with NO_COLOR', env: { NO_COLOR: '1', CLICOLOR_FORCE: '1' }, colored: false },
  { name: 'a dumb terminal', env: { NO_COLOR: '', TERM: 'dumb' }, colored: false },
])('on $name colors are used: $colored', async ({ env, colored }) => {
  const cli = await createCommandLine('http://127.0.0.1:9')
  const { raw } = await openTerminal(cli, ['help', 'exit-codes'], { env }).end()
  expect(raw.includes('\u001b')).toBe(colored)
})

it.skipIf(!hasTerminals)('shows a waiting message on a terminal, but not in a pipe', async () => {
  const waiting: ServerResponse[] = []
  const address = await serve((path, response) =>
    path.endsWith('/me') ? void waiting.push(response) : send(response, []),
  )
  const cli = await createCommandLine(address)
  const silent = [
    cli.call(['whoami'], { env: key }),
    ...(['CI=1', 'TERM=dumb'] as const).map((text) => openTerminal(cli, ['whoami'], { env: withVariable(text) }).end()),
  ]
  await expect.poll(() => waiting.length, { timeout: 15_000 }).toBe(3)
  // This request comes last: once the command waits for it, the others are done.
  const watched = openTerminal(cli, ['whoami'], { env: key })
  await watched.see(`Waiting for ${new URL(address).host}`)
  for (const response of waiting) send(response, { id: id('prv'), key_id: null })
  const { exit, raw, shown } = await watched.end()
  expect({ exit, shown }).toMatchObject({ exit: 0, shown: expect.stringContaining(id('prv')) })
  // The spinner is gone and the cursor is visible again.
  expect(raw.lastIndexOf('\u001b[?25h')).toBeGreaterThan(raw.lastIndexOf('\u001b[?25l'))
  for (const outcome of await Promise.all(silent)) {
    expect(outcome.exit).toBe(0)
    expect(JSON.stringify(outcome)).not.toContain('Waiting')
  }
})

it.skipIf(!hasTerminals)('exits 130 after Ctrl-C, restores the cursor, and leaves no file behind', async () => {
  const cli = await createCommandLine('http://127.0.0.1:9')
  // A digest that takes minutes to compute but needs no space.
  truncateSync(await cli.write('weights.bin', ''), 64 * 1024 ** 3)
  const before = readdirSync(cli.folder)
  const terminal = openTerminal(cli, ['models', 'digest', 'weights.bin', '--manifest', 'list.json'])
  await terminal.see('Hashing')
  terminal.type('\u0003')
  const { exit, raw, shown } = await terminal.end()
  expect({ exit, shown }).toMatchObject({ exit: 130, shown: expect.not.stringContaining('error') })
  expect(raw.lastIndexOf('\u001b[?25h')).toBeGreaterThan(raw.lastIndexOf('\u001b[?25l'))
  expect(readdirSync(cli.folder)).toEqual(before)
})

it('is silent if the reader of a pipe has gone, and does not read a closed stdin', async () => {
  const cli = await createCommandLine('http://127.0.0.1:9')
  const program = await cli.write('countersign', `#!/bin/sh\nexec '${process.execPath}' '${cli.program}' "$@"\n`)
  chmodSync(program, 0o755)
  const env = { ...cli.env, PATH: `${cli.folder}:${cli.env.PATH}` }
  const shell = (line: string) => promisify(execFile)('bash', ['-c', line], { cwd: cli.folder, env })
  expect(await shell('countersign commands --json | head -1; echo "$PIPESTATUS"')).toEqual({
    stdout: '{\n0\n',
    stderr: '',
  })
  const asking = ['auth login', 'fingerprint -', 'auth login --api-key-stdin'].map(
    (command) => `countersign ${command} <&-; echo $?`,
  )
  const { stdout, stderr } = await shell(asking.join('\n'))
  expect(stdout).toBe('4\n2\n4\n')
  expect(stderr.split('\n').filter((line) => line.startsWith('error: '))).toHaveLength(3)
  expect(await shell('countersign help exit-codes >&-; echo $?')).toEqual({ stdout: '0\n', stderr: '' })
  for (const command of ['help exit-codes', '--version'])
    expect(await shell(`countersign ${command} > /dev/full; echo $? >&2`)).toEqual({
      stdout: '',
      stderr: 'error: The output could not be written: no space left on device\n1\n',
    })
})

it.skipIf(!hasTerminals)('prompts line by line on a dumb terminal, and never shows a secret', async () => {
  const cli = await createCommandLine('http://127.0.0.1:9')
  const terminal = openTerminal(cli, ['auth', 'login', '--api-key-stdin'], { env: { TERM: 'dumb' } })
  await terminal.see('API key (not shown): ')
  terminal.type(`csk_secret_x\u007f${'y'.repeat(9)}\r`)
  const { exit, raw } = await terminal.end()
  expect(exit).toBe(8)
  expect(raw).not.toMatch(/\u001b|secret/)
  const asked = openTerminal(cli, ['tokens', 'mint', '--dry-run'], { env: { TERM: 'dumb' } })
  await asked.see('Model: ')
  asked.type(`${id('mdl')}\r`)
  expect(await asked.end()).toMatchObject({ exit: 0, shown: expect.stringContaining('create-verification') })
})

it.skipIf(!hasTerminals)('lets people choose from a list with the arrow keys', async () => {
  const cli = await createCommandLine('http://127.0.0.1:9')
  const respond = ['incidents', 'respond', id('inc'), '--dry-run']
  const terminal = openTerminal(cli, respond, { env: key })
  await terminal.see('investigating')
  terminal.type('\u001b[B\u001b[B\r')
  const { exit, shown } = await terminal.end()
  expect({ exit, shown }).toMatchObject({ exit: 0, shown: expect.stringContaining('"status": "dismissed"') })
  expect(await cli.call(respond, { env: { ...cli.env, ...key } })).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('Missing: --status'),
  })
})

it('loads neither schemas nor other unneeded code for commands that must start fast', async () => {
  const { program } = await createCommandLine('http://127.0.0.1:9')
  const dist = join(dirname(program), 'dist')
  const files = readdirSync(dist).filter((name) => /^(main|verify-[\w-]+)\.js$/.test(name))
  expect(files).toHaveLength(2)
  for (const name of files) expect(readFileSync(join(dist, name), 'utf8')).not.toContain('ZodType')
  const sizes = Object.fromEntries(files.map((name) => [name.split(/[-.]/)[0], statSync(join(dist, name)).size]))
  // It declares every command and option, and loads their groups on demand.
  expect(sizes.main).toBeLessThan(43_500)
  expect(sizes.verify).toBeLessThan(70_000)
})
