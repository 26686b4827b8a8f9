import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exitCodes } from '@countersign/sdk/contract'
import { readLink } from '@countersign/sdk/verify'
import { beforeAll, describe, expect, it } from 'vitest'
import type { CommandSpec } from './args/command.ts'
import { settings } from './config/settings.ts'
import { run } from './main.ts'
import { createProgram } from './program.ts'
import { createTestWorld } from './test-world.ts'

const program = createProgram()
const id = 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm'

const below = (command: CommandSpec): CommandSpec[] => [command, ...command.commands.flatMap(below)]
const pathOf = ({ path }: CommandSpec): string => path.join(' ')

beforeAll(() => program.loadAll())

describe('help', () => {
  it('shows an example and the global options for every command', async () => {
    for (const command of below(program.root)) {
      const world = createTestWorld()
      expect(await run([...pathOf(command).split(' ').filter(Boolean), '--help'], world), pathOf(command)).toBe(0)
      expect(world.written.stdout, pathOf(command)).toMatch(/\nExamples?:\n {2}\$ countersign /)
      for (const option of [
        '--json',
        '--quiet',
        '--no-color',
        '--profile',
        '--api-url',
        '--timeout',
        '--verbose',
        '--no-input',
        '--help',
      ]) {
        expect(world.written.stdout, pathOf(command)).toContain(option)
      }
    }
  })

  it('contains only valid link codes, and so do the pages for readers', async () => {
    const pages = [
      '../../README.md',
      '../README.md',
      '../../sdk/README.md',
      '../../docs/start.md',
      '../../docs/concepts.md',
    ]
    const texts = pages.map((page) => readFileSync(new URL(page, import.meta.url), 'utf8'))
    for (const command of below(program.root)) {
      const world = createTestWorld()
      await run([...pathOf(command).split(' ').filter(Boolean), '--help'], world)
      texts.push(world.written.stdout)
    }
    const codes = texts.flatMap((text) => text.match(/\b[0-9A-Z]{4}(?:-[0-9A-Z]{4}){3}\b/g) ?? [])
    expect(codes.length).toBeGreaterThan(4)
    for (const code of codes) expect(readLink(code), code).toMatchObject({ kind: 'code' })
  })

  it('shows --dry-run for every command that changes something in the registry or on this machine', () => {
    const changing =
      /register|verify-domain|verify-email|update|visibility|^logo$|edit|health|sync|report|respond|create|activate|archive|authorize|revoke|enable|disable|delete|mint|bind|^add$|^remove$|^upload$|^verify-bundle$|^sign$|^login$|^logout$|^triage$|^switch$|^set$|^unset$|^api$|^primary$|^prove$|^review$|^invite$|^withdraw$|^role$|^approve$|^reject$|^cancel$|^undo$|^use$|^dispute$/
    for (const command of below(program.root).filter(({ commands }) => commands.length === 0)) {
      expect(
        command.options.some(({ long }) => long === '--dry-run'),
        pathOf(command),
      ).toBe(
        (changing.test(command.name) && pathOf(command) !== 'verify-bundle') || pathOf(command) === 'domains verify',
      )
    }
  })

  it('shows the commands of a group before its options', async () => {
    const world = createTestWorld()
    await run(['tokens'], world)
    expect(world.written.stdout).toMatch(
      /^Usage: [^\n]+\n\n[^\n]+\n\nCommands:\n.+\n\nOptions:\n.+\n\nGlobal options:\n.+\n\nExamples?:\n/s,
    )
  })

  it('declares --yes for every command that destroys something, and for no other', () => {
    const destroying =
      /^(remove|respond|archive|revoke|review|undo|delete|disable|deactivate|primary|logout)$|^providers update$/
    const leaves = below(program.root).filter(({ commands }) => commands.length === 0)
    expect(leaves.filter(({ options }) => options.some(({ long }) => long === '--yes')).map(pathOf)).toEqual(
      leaves.map(pathOf).filter((path) => destroying.test(path) || destroying.test(path.split(' ').at(-1) ?? '')),
    )
  })

  it('lists the exit codes and variables from their definitions', async () => {
    const world = createTestWorld()
    await run(['help', 'exit-codes', '--json'], world)
    expect(JSON.parse(world.written.stdout)).toEqual(JSON.parse(JSON.stringify(exitCodes)))
    const other = createTestWorld()
    await run(['help', 'environment'], other)
    for (const name of [
      ...Object.keys(settings.api_key.variables),
      ...Object.keys(settings.tls_url.variables),
      'NO_COLOR',
      'CI',
    ])
      expect(other.written.stdout).toContain(name)
  })

  it('describes each variable in different words', async () => {
    const world = createTestWorld()
    await run(['help', 'environment', '--json'], world)
    const output = Object.values(JSON.parse(world.written.stdout))
    expect(output).toEqual([...new Set(output)])
  })

  it('is the same for `help COMMAND` and `COMMAND --help`', async () => {
    const [left, right] = [createTestWorld(), createTestWorld()]
    await run(['help', 'models', 'register'], left)
    await run(['models', 'register', '--help'], right)
    expect(left.written.stdout).toBe(right.written.stdout)
    expect(left.written.stdout).toContain('--context-window')
  })
})

it('prints its version, and leaves --version of a model alone', async () => {
  const world = createTestWorld()
  expect(await run(['--version'], world)).toBe(0)
  expect(world.written.stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  const other = createTestWorld()
  const fields = [
    '--identifier',
    'tiny',
    '--display-name',
    'Tiny',
    '--endpoint',
    'https://a.example',
    '--description',
    'A small model',
  ]
  expect(await run(['models', 'register', ...fields, '--version', '2.5', '--dry-run', '--json'], other)).toBe(0)
  expect(JSON.parse(other.written.stdout)).toMatchObject({ dry_run: true, method: 'POST', body: { version: '2.5' } })
})

it.each([
  { args: ['topics'], output: 'exit-codes' },
  { args: ['exit-code'], output: 'Did you mean exit-codes?' },
  { args: ['modles'], output: 'models' },
  { args: ['models', 'regster'], output: 'Did you mean register?' },
  { args: ['models', 'nope', 'more'], output: 'archive' },
])('suggests a topic if it does not know $args', async ({ args, output }) => {
  const world = createTestWorld()
  expect(await run(['help', ...args], world)).toBe(2)
  expect(world.written).toMatchObject({ stdout: '', stderr: expect.stringContaining(output) })
})

it('reports a missing profile before a missing key', async () => {
  const world = createTestWorld()
  expect(await run(['whoami', '--profile', 'nope'], world)).toBe(4)
  expect(world.written.stderr).toMatch(/no profile nope\n.*auth login --profile nope/)
  const other = createTestWorld()
  await run(['whoami'], other)
  expect(other.written.stderr).not.toContain('profile')
})

it('names the option of a wrong value, before and after the request', async () => {
  const world = createTestWorld()
  const fields = [
    '--identifier',
    'a/b',
    '--display-name',
    'Tiny',
    '--endpoint',
    'https://a.example',
    '--description',
    'A small model',
  ]
  expect(await run(['models', 'register', ...fields], world)).toBe(2)
  expect(world.written.stderr).toMatch(/^error: --identifier: /)
  const errors = [{ loc: ['body', 'challenge'], msg: 'Too long', pointer: '#/challenge' }]
  const other = createTestWorld({
    env: { COUNTERSIGN_CONFIG_DIR: '/nonexistent', COUNTERSIGN_API_KEY: 'csk_00000000_x' },
    fetch: async () => Response.json({ code: 'validation_failed', detail: '', errors }, { status: 422 }),
  })
  expect(await run(['tokens', 'mint', '--model', id, '--challenge', 'x'], other)).toBe(2)
  expect(other.written.stderr).toMatch(/^error: --challenge: Too long/)
})

it('suggests the command that was meant', async () => {
  const world = createTestWorld()
  expect(await run(['modles'], world)).toBe(2)
  expect(world.written.stderr).toContain('Did you mean models?')
  expect(world.written.stdout).toBe('')
  for (const [args, shown] of [
    [['models', 'get'], 'Did you mean show?'],
    [['--verison'], 'Did you mean --version?'],
    [['api', '-X', 'POST', 'search'], 'the method is the first argument'],
    [['models', 'list', '--json', 'id,version'], '--json takes no value. To choose fields: --jq'],
    [['models', 'list', '--json=id'], 'To choose fields: --jq'],
    [['models', 'list', '--archived=yes'], '--archived takes no value'],
    [['tokens', 'mint', '--model', id, '--challenge', ''], 'error: --challenge is empty'],
    [['tokens', 'mint', '--model', id, '--tls-url', ''], 'error: --tls-url is empty'],
    [['search', 'acme', '--api-url', 'localhost:4260'], '. Did you mean http://localhost:4260?'],
  ] as const) {
    const wrong = createTestWorld()
    expect(await run(args, wrong), args.join(' ')).toBe(2)
    expect(wrong.written.stderr).toContain(shown)
  }
  const distant = createTestWorld()
  expect(await run(['nope'], distant)).toBe(2)
  expect(distant.written.stderr).not.toContain('Did you mean')
  const other = createTestWorld()
  expect(await run(['events', '--follow'], other)).toBe(2)
  expect(other.written.stderr).toContain('hint: Run: countersign events list --follow')
})

it('fits tables into COUNTERSIGN_COLUMNS where the output is not a terminal', async () => {
  const shown = async (env: Record<string, string>) => {
    const world = createTestWorld({ env: { COUNTERSIGN_CONFIG_DIR: '/nonexistent', ...env } })
    expect(await run(['config', 'list'], world)).toBe(0)
    return Math.max(...world.written.stdout.split('\n').map((line) => line.length))
  }
  expect(await shown({})).toBeGreaterThan(30)
  expect(await shown({ COUNTERSIGN_COLUMNS: '30' })).toBeLessThanOrEqual(30)
})

it('prints the registry’s answer unchanged', async () => {
  const requests: string[] = []
  const answer = { id, display_name: 'Tiny' }
  const world = createTestWorld({
    fetch: async (input) => {
      requests.push(String(input))
      return Response.json(answer)
    },
  })
  expect(await run(['models', 'show', id, '--json'], world)).toBe(0)
  expect(JSON.parse(world.written.stdout)).toEqual(answer)
  expect(requests).toEqual([`http://localhost:4100/api/v1/models/${id}/public`])
})

it('shows the help of a group without a command, and exits 0', async () => {
  const world = createTestWorld()
  expect(await run(['tokens'], world)).toBe(0)
  expect(world.written).toMatchObject({ stdout: expect.stringContaining('Usage: countersign tokens'), stderr: '' })
  const json = createTestWorld()
  expect(await run(['tokens', '--json'], json)).toBe(2)
})

it('asks for missing values and for confirmation only at a terminal', async () => {
  const questions: string[] = []
  const ask = async (question: string) => {
    questions.push(question)
    return id
  }
  const terminal = { isTerminal: true, write: () => {} }
  const world = (env: Record<string, string> = {}) =>
    createTestWorld({
      env: { COUNTERSIGN_CONFIG_DIR: '/nonexistent', COUNTERSIGN_API_KEY: 'csk_00000000_x', ...env },
      stdin: { isTerminal: true, read: async () => new Uint8Array() },
      stderr: terminal,
      prompts: { text: ask, secret: ask, select: ask, confirm: async (question) => (await ask(question)) === 'yes' },
    })
  expect(await run(['tokens', 'mint', '--dry-run', '--json'], world())).toBe(0)
  expect(await run(['models', 'archive', id], world())).toBe(1)
  expect(await run(['models', 'archive', id, '--yes'], world())).toBe(8)
  expect(questions).toEqual(['Model', `Withdraw ${id}? Its links stop working at once.`])
  const silent: Record<string, string>[] = [{ CI: 'true' }, { COUNTERSIGN_NO_INPUT: '1' }]
  for (const env of silent) expect(await run(['tokens', 'mint', '--dry-run'], world(env))).toBe(2)
  expect(await run(['tokens', 'mint', '--dry-run', '--no-input'], world())).toBe(2)
  expect(questions).toHaveLength(2)
})

it.each([
  {
    name: 'a refusal',
    argv: ['providers', 'show'],
    status: 400,
    body: { code: 'toString', detail: 'refused' },
    exit: 2,
  },
  {
    name: 'a refusal without a message',
    argv: ['providers', 'show'],
    status: 404,
    body: { code: '__proto__', detail: '' },
    exit: 5,
  },
  {
    name: 'a list of wrong fields',
    argv: ['providers', 'show'],
    status: 422,
    body: { code: 'constructor', detail: 'no', errors: [null, {}, { loc: 'x' }] },
    exit: 2,
  },
  {
    name: 'a result',
    argv: ['providers', 'verify-domain'],
    status: 200,
    body: { result: 'toString', detail: '', domain: 'acme.example', domain_proof: {} },
    exit: 9,
  },
])('never exits 0 for $name with unknown codes', async ({ argv, status, body, exit }) => {
  const env = { COUNTERSIGN_CONFIG_DIR: '/nonexistent', COUNTERSIGN_API_KEY: 'csk_00000000_x' }
  expect(await run(argv, createTestWorld({ env, fetch: async () => Response.json(body, { status }) }))).toBe(exit)
})

describe('a hostile registry', () => {
  const evil = 'a\u001b[2J\u001b[8m\u001b]0;owned\u0007\u009b31m\u202e\nhint: run this'
  const domain_proof = { record_name: evil, record_type: evil, record_value: evil }
  const body = {
    id: evil,
    domain: evil,
    company_name: evil,
    verification_url: evil,
    detail: evil,
    warnings: [evil],
    domain_proof,
  }
  const checks = [{ check: evil, passed: true, detail: evil, checked_at: null }]
  const result = {
    issuer: 'http://localhost:4100',
    status: 'not_verified',
    result: 'not_verified',
    strength: null,
    reason: 'revoked',
    change: evil,
    checks,
    live_state: 'checked',
    verification_id: evil,
    link_code: 'W904-2CKW-GDNC-X7S1',
    timestamp: '2026-11-20T10:00:00.000Z',
    expires_at: '2026-11-20T10:15:00.000Z',
    checked_at: new Date().toISOString(),
    provider: { id: evil, name: evil, domain: null, domain_status: 'unproven' },
    model: { id: evil, name: evil, version: evil, api_model_identifier: evil, bundle_status: 'unknown' },
    deployment_info: null,
  }

  it.each([
    { name: 'who signs in', argv: ['auth', 'login', '--api-key-stdin'], status: 200, body },
    { name: 'a new link', argv: ['tokens', 'mint', '--model', id, '--url'], status: 200, body },
    {
      name: 'the proof of a domain',
      argv: ['providers', 'verify-domain'],
      status: 200,
      body: { ...body, result: evil },
    },
    { name: 'a provider', argv: ['providers', 'show'], status: 200, body },
    {
      name: 'a verdict',
      argv: ['verify', 'W904-2CKW-GDNC-X7S1'],
      status: 200,
      body: { ...result, challenge: evil, origin: null },
    },
    {
      name: 'a refusal',
      argv: ['providers', 'show'],
      status: 400,
      body: { code: evil, detail: evil, request_id: evil },
    },
    {
      name: 'wrong fields',
      argv: ['providers', 'show'],
      status: 422,
      body: { code: 'validation_failed', detail: '', errors: [{ loc: [evil], msg: evil }] },
    },
  ])('cannot control the terminal or forge a line: $name', async ({ argv, status, body }) => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-'))
    const world = createTestWorld({
      env: { COUNTERSIGN_CONFIG_DIR: folder, COUNTERSIGN_API_KEY: 'csk_00000000_x', CLICOLOR_FORCE: '1' },
      stdin: { isTerminal: false, read: async () => Buffer.from('csk_00000000_x') },
      fetch: async () => Response.json(body, { status }),
    })
    await run(argv, world)
    rmSync(folder, { recursive: true })
    const shown = `${world.written.stdout}${world.written.stderr}`
    expect(shown).toContain('run this')
    expect(shown.replace(/\u001b\[(?:1|2|22|3[1236]|39)m/g, '')).not.toMatch(
      /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/,
    )
    expect(shown).not.toMatch(/^hint: run this/m)
  })
})

it('prints requests with --verbose, without the key or the link', async () => {
  const world = createTestWorld({
    env: { COUNTERSIGN_CONFIG_DIR: '/nonexistent', COUNTERSIGN_API_KEY: 'csk_00000000_secret' },
    stdin: { isTerminal: false, read: async () => Buffer.from('An answer') },
    fetch: async () => Response.json({}, { headers: { 'X-Request-Id': 'req_7' } }),
  })
  await run(['tokens', 'bind', 'eyJhbGciOi.eyJzdWIi.c2ln', '--file', '-', '--verbose'], world)
  expect(world.written.stderr).toMatch(/POST \S+ 200 \d+ ms req_7/)
  expect(world.written.stderr).not.toMatch(/secret|eyJ/)
})

it('lists every command as data', async () => {
  const world = createTestWorld()
  await run(['commands', '--json'], world)
  const { commands } = JSON.parse(world.written.stdout) as { commands: { path: string[] }[] }
  const leaves = below(program.root).filter(({ commands }) => commands.length === 0)
  expect(commands.map(({ path }) => path.join(' ')).sort()).toEqual(leaves.map(pathOf).sort())
})
