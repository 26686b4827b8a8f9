import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exitCodes } from '@countersign/sdk/contract'
import { readLink } from '@countersign/sdk/verify'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { CommandSpec } from './args/command.ts'
import { witnessWords } from './commands/log/log-checkpoint.ts'
import { settings } from './config/settings.ts'
import { createProgram } from './program.ts'
import { run } from './run.ts'
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
      await run([...command.path, '--help'], world)
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

  const expected = ['--expect-provider', 'acme.example']
  it.each([{ word: '--help' }, { word: '-h' }, { word: '-qh' }, { word: '-hq' }, { word: '--help=x' }])(
    'is never a passed check: $word as a link, a file or an ID exits 2',
    async ({ word }) => {
      const checks = below(program.root).filter(({ verdicts }) => verdicts.length > 0)
      expect(checks.map(pathOf)).toEqual(
        expect.arrayContaining(['verify', 'bundles verify', 'models check', 'log audit']),
      )
      for (const { path } of checks)
        for (const others of [[], expected, ['--json'], ['--offline', '--jwks', 'keys.json']]) {
          const world = createTestWorld()
          expect(await run([...path, word, ...others], world), path.join(' ')).toBe(2)
          expect(world.written.stdout).toContain(`Usage: countersign ${path.join(' ')}`)
        }
    },
  )

  it('exits 0 after `help`, and also as an option if exit code 0 of the command is no verdict', async () => {
    for (const command of below(program.root)) {
      expect(await run(['help', ...command.path], createTestWorld()), pathOf(command)).toBe(0)
      const exit = await run([...command.path, '--help'], createTestWorld())
      expect(exit, pathOf(command)).toBe(command.verdicts.length > 0 ? 2 : 0)
    }
  })

  it('is treated as a verdict for every command whose description explains exit code 0 or 3', () => {
    for (const command of below(program.root).filter(({ description }) => /exits [03]/i.test(description)))
      expect(command.verdicts, pathOf(command)).not.toEqual([])
  })
})

it.each([
  { link: '--allow-unverified-provider' },
  { link: '--api-url=http://evil.example' },
  { link: '--expect-provider=evil.example' },
  { link: '--expect-provider' },
  { link: '--json' },
  { link: '--version' },
  { link: '-V' },
  { link: '--' },
])('rejects $link in place of a link, and takes it as a link after --', async ({ link }) => {
  const answerless = async () => Promise.reject(new Error('no request'))
  const around = [
    ['verify', link, '--expect-provider', 'acme.example'],
    ['verify', '--expect-provider', 'acme.example', link],
  ]
  for (const argv of around) expect(await run(argv, createTestWorld({ fetch: answerless })), argv.join(' ')).toBe(2)
  const world = createTestWorld({ fetch: answerless })
  expect(await run(['verify', '--expect-provider', 'acme.example', '--json', '--', link], world)).toBe(3)
  expect(JSON.parse(world.written.stdout)).toMatchObject({ result: 'not_verified' })
})

it.each([
  { argv: ['verify', '--json', '--', '-'], exit: 3 },
  { argv: ['log', 'verify', '--', '-'], exit: 2 },
  { argv: ['log', 'audit', '--', '-'], exit: 2 },
  { argv: ['fingerprint', '--', '-'], exit: 2 },
  { argv: ['bundles', 'upload', 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm', '--dry-run', '--', '-'], exit: 2 },
  { argv: ['incidents', 'respond', '--status', 'investigating', '--', '-'], exit: 2 },
])('reads no stdin for - after --: $argv', async ({ argv, exit }) => {
  const reads: string[] = []
  const stdin = {
    isTerminal: false,
    read: async () => {
      reads.push('stdin')
      return new TextEncoder().encode('W904-2CKW-GDNC-X7S1')
    },
  }
  expect(await run(argv, createTestWorld({ stdin }))).toBe(exit)
  expect(reads).toEqual([])
  await run(
    argv.filter((word) => word !== '--'),
    createTestWorld({ stdin }),
  )
  expect(reads).toEqual(['stdin'])
})

const registerModel = (identifier: string) => [
  ...['models', 'register', '--identifier', identifier, '--display-name', 'Tiny'],
  ...['--endpoint', 'https://a.example', '--description', 'A small model'],
]

it('prints its version, and leaves --version of a model alone', async () => {
  const world = createTestWorld()
  expect(await run(['--version'], world)).toBe(0)
  expect(world.written.stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  const other = createTestWorld()
  expect(await run([...registerModel('tiny'), '--version', '2.5', '--dry-run', '--json'], other)).toBe(0)
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
  expect(await run(registerModel('a/b'), world)).toBe(2)
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
    [['models', 'list', '--json=id'], 'error: --json takes no value\nhint: To choose fields: --jq'],
    [['deployments', 'keygen', 'nowhere/chat'], 'error: There is no folder nowhere\n'],
    [['activity', 'undo', 'x'], 'error: "x" is not a key, session or job'],
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

/** The answers of a registry by the end of the path; anything else is not found. */
const answering = (answers: Readonly<Record<string, unknown>>) =>
  createTestWorld({
    env: { COUNTERSIGN_CONFIG_DIR: '/nonexistent', COUNTERSIGN_API_KEY: 'csk_00000000_x', NO_COLOR: '1' },
    stdin: { isTerminal: false, read: async () => Buffer.from('An answer') },
    fetch: async (input) => {
      const path = new URL(String(input)).pathname
      const [, answer] = Object.entries(answers).find(([end]) => path.endsWith(end)) ?? []
      if (answer instanceof Response) return answer
      return answer === undefined
        ? Response.json({ code: 'not_found', detail: 'Not found, or not visible to you.' }, { status: 404 })
        : Response.json(answer)
    },
  })

const refusal = (code: string, status: number, more: object = {}) =>
  Response.json({ code, detail: 'This is not a verification link.', ...more }, { status })

describe('a key that cannot prove a deployment', () => {
  const pemOf = ({ privateKey }: ReturnType<typeof generateKeyPairSync>) =>
    privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const write = (pem: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'chat.key'), pem)
    return join(folder, 'chat.key')
  }

  it.each([
    ['EC P-521', pemOf(generateKeyPairSync('ec', { namedCurve: 'P-521' }))],
    ['EC secp256k1', pemOf(generateKeyPairSync('ec', { namedCurve: 'secp256k1' }))],
    ['Ed448', pemOf(generateKeyPairSync('ed448'))],
    ['X25519', pemOf(generateKeyPairSync('x25519'))],
    ['RSA 1024', pemOf(generateKeyPairSync('rsa', { modulusLength: 1_024 }))],
  ])('is named before anything is sent: %s', async (type, pem) => {
    const file = write(pem)
    const world = createTestWorld({ env: { COUNTERSIGN_API_KEY: 'csk_00000000_x' } })
    expect(await run(['tokens', 'mint', '--model', id, '--sign-key', file, '--json'], world)).toBe(2)
    const { message, hint } = JSON.parse(world.written.stderr).error
    expect([message, hint]).toEqual([
      `--sign-key: ${file} is a key of type ${type}, which cannot sign requests`,
      expect.stringContaining('RSA of 2048 to 4096 bits'),
    ])
  })

  it('is not registered', async () => {
    const file = write(pemOf(generateKeyPairSync('rsa', { modulusLength: 1_024 })))
    const world = createTestWorld()
    expect(await run(['deployments', 'register', '--cert', file, '--dry-run', '--json'], world)).toBe(2)
    expect(world.written).toMatchObject({ stdout: '', stderr: expect.stringContaining('has 1024 bits') })
  })
})

it('says on a terminal which columns it has no room for, and shows who did it before what it was done to', async () => {
  const event = {
    ...{ id: 'evt_1', at: '2026-11-20T10:00:00.000Z', action: 'deployment.authorized' },
    ...{ subject_id: id, subject_name: 'Atlas', actor: 'key_06dh0e3x7c9bw4vjz2n8qk5ytm', actor_name: 'CI' },
  }
  const shown = async (columns: number, ...more: string[]) => {
    const { written, stdout, ...world } = answering({ '/events': { events: [event], next_cursor: null } })
    const exit = await run(['events', 'list', ...more], { ...world, stdout: { ...stdout, isTerminal: true, columns } })
    expect(exit, written.stderr).toBe(0)
    return written
  }
  const narrow = await shown(80)
  expect(narrow.stdout).toMatch(/^AT +ACTION +NAME +BY\n.* “Atlas” +“CI”\n$/)
  expect(narrow.stderr).toBe('Not shown at this width: WHAT. Use --json, or a wider terminal.\n')
  const wide = await shown(200)
  expect(wide).toMatchObject({ stdout: expect.stringMatching(/WHAT +NAME +BY\n.*key_\w+ \(“CI”\)\n$/), stderr: '' })
  for (const mode of ['--json', '--quiet']) expect((await shown(80, mode)).stderr).toBe('')
})

it('says that no policy was given where no witness could be named', () => {
  expect([witnessWords([], false), witnessWords([], true)]).toEqual([
    'not checked: no policy given',
    'none that the policy names',
  ])
})

describe('--jq', () => {
  const key = { name: 'CI', id: 'key_1' }
  it.each([
    ['a list', ['keys', 'list'], { '/api-keys': [key] }, '.nope', '--jq ".[].id"'],
    ['an empty list', ['keys', 'list'], { '/api-keys': [] }, '.nope', '--jq ".[]"'],
    [
      'a list in an object',
      ['domains', 'list'],
      { '/domains': { domains: [{ domain: 'a' }] } },
      '.[].id',
      '.domains[].domain',
    ],
    ['an object', ['providers', 'show'], { '/me': { id: 'prv_1' } }, '.[].id', '--jq "keys"'],
  ])('suggests a filter that fits %s', async (_, argv, answers, filter, hint) => {
    const world = answering(answers)
    expect(await run([...argv, '--jq', filter], world)).toBe(2)
    expect(world.written.stderr).toContain(`hint: For example: `)
    expect(world.written.stderr).toContain(hint)
  })

  it.each([
    ['.[].id | ', 'The filter ends too early'],
    ['.models[', 'The filter ends too early'],
    ['.a)|(.b', 'syntax error, unexpected character, expecting end of file'],
  ])('says what is wrong with %j as it was typed', async (filter, reason) => {
    const world = createTestWorld()
    expect(await run(['keys', 'list', '--jq', filter], world)).toBe(2)
    expect(world.written.stderr).toContain(`error: --jq: ${reason}\n`)
  })
})

describe('what was asked for', () => {
  const hub = [{ loc: ['body', 'huggingface_model_id'], msg: 'Name the model on the hub, such as acme/atlas' }]
  const record = {
    bundle_last_checked: null,
    bundle_url: null,
    bundle_source: null,
    verification_status: 'done',
    bundle_status: 'unknown',
  }

  it.each([
    {
      argv: ['log', 'proof', 'foo'],
      answers: { '/foo': refusal('link_malformed', 400) },
      exit: 3,
      said: 'not a link, a link code, a token, or the ID of a provider, version, deployment or signer',
    },
    {
      argv: ['tokens', 'bind', 'eyJhbGciOi.eyJzdWIi.c2ln', '--file', '-'],
      answers: { '/bind-response': refusal('link_malformed', 400) },
      exit: 2,
      said: 'This is not a token of a link',
    },
    {
      argv: ['domains', 'verify', 'nope.example'],
      answers: {},
      exit: 5,
      said: 'nope.example is not one of your domains\nhint: See: countersign domains list',
    },
    {
      argv: ['models', 'sync', id],
      answers: { 'sync-huggingface': refusal('validation_failed', 422, { errors: hub }) },
      exit: 2,
      said: 'error: --huggingface-model-id: Name the model on the hub, such as acme/atlas\nhint: Run: countersign',
    },
    {
      argv: ['bundles', 'status', id],
      answers: { '/bundle-status': { ...record, message: 'Register the version with sigstore_bundle_url.' } },
      exit: 0,
      said: 'Register the version with --bundle-url.',
    },
    {
      argv: ['activity', 'undo', 'key_06dh0e3x7c9bw4vjz2n8qk5ytm', '--yes'],
      answers: { '/activity': { actors: [], has_more: false, links_are_lower_bounds: false }, '/api-keys': [] },
      exit: 5,
      said: 'You have no API key with the ID key_06dh0e3x7c9bw4vjz2n8qk5ytm',
    },
  ])('is named in the words of the command: $argv', async ({ argv, answers, exit, said }) => {
    const world = answering(answers)
    expect([await run(argv, world), `${world.written.stdout}${world.written.stderr}`]).toEqual([
      exit,
      expect.stringContaining(said),
    ])
  })

  it.each([
    { bundle_source: null, isSuggested: true },
    { bundle_source: 'upload', isSuggested: false },
  ])(
    'suggests an upload only for a version without a bundle: $bundle_source',
    async ({ bundle_source, isSuggested }) => {
      const world = answering({ '/bundle-status': { ...record, bundle_source, message: 'Not checked yet.' } })
      expect(await run(['bundles', 'status', id], world)).toBe(0)
      expect(world.written.stderr.includes('Upload one with')).toBe(isSuggested)
    },
  )

  it('is looked up with the scope read only if the key lacks it', async () => {
    const stranger = { '/me': { id: 'prv_1' }, '/models': { models: [], next_cursor: null } }
    const mint = async (answers: object) => {
      const world = answering({ ...stranger, ...answers })
      expect(await run(['tokens', 'mint', '--model', 'tiny'], world)).toBe(5)
      return world.written.stderr
    }
    expect(await mint({ '/api-keys': [] })).not.toContain('scope')
    expect(await mint({ '/api-keys': refusal('forbidden', 403) })).toContain('--scope read')
  })
})
