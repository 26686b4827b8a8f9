import { beforeAll, describe, expect, it } from 'vitest'
import { createProgram } from '../program.ts'
import type { CommandSpec } from './command.ts'
import { isJson, readArgv } from './read-argv.ts'

const read = (...argv: string[]) => readArgv(argv, createProgram())

it.each([
  {
    argv: ['verify', 'link', '--offline', '--jwks', 'f', '-q'],
    args: ['link'],
    given: { offline: true, jwks: 'f', quiet: true },
  },
  { argv: ['verify', '--no-color', '-', '--answer', '-'], args: ['-'], given: { color: false, answer: '-' } },
  { argv: ['--json', 'verify', 'link'], args: ['link'], given: { json: true } },
  { argv: ['verify', 'link', '--offline=True', '--json=false'], args: ['link'], given: { offline: true, json: false } },
  { argv: ['verify', 'link', '--no-color=FALSE'], args: ['link'], given: { color: true } },
  { argv: ['verify', 'link', '--jwks=a=b'], args: ['link'], given: { jwks: 'a=b' } },
  { argv: ['verify', '--', '--offline'], args: ['--offline'], given: {} },
  { argv: ['verify', '--', '-'], args: ['./-'], given: {} },
  { argv: ['bundles', 'upload', 'tiny', '--', '-'], args: ['tiny', './-'], given: {} },
  { argv: ['search', '--', '-'], args: ['-'], given: {} },
  { argv: ['bundles', 'sign', 'a', '-oout.sig'], args: ['a'], given: { output: 'out.sig' } },
  { argv: ['bundles', 'sign', 'a', '-qo', 'out.sig'], args: ['a'], given: { quiet: true, output: 'out.sig' } },
  {
    argv: ['keys', 'create', 'CI', '--scope', 'read', '--scope', 'links'],
    args: ['CI'],
    given: { scope: ['read', 'links'] },
  },
  { argv: ['models', 'show', 'a', '--profile', 'b', '--profile', 'c'], args: ['a'], given: { profile: 'c' } },
  { argv: ['models', 'health', 'a', '--interval', '-5'], args: ['a'], given: { interval: '-5' } },
])('reads $argv', async ({ argv, args, given }) => {
  expect(await read(...argv)).toMatchObject({ args, problem: undefined })
  expect((await read(...argv)).given).toEqual(given)
})

it.each([
  { argv: [], problem: { kind: 'missing command' } },
  { argv: ['models'], problem: { kind: 'missing command' } },
  { argv: ['modles'], problem: { kind: 'unknown command', word: 'modles' } },
  { argv: ['verify', 'a', '--nope'], problem: { kind: 'unknown option', word: '--nope' } },
  { argv: ['verify', 'a', '--offline=yes'], problem: { kind: 'unknown option', word: '--offline=yes' } },
  { argv: ['verify', 'a', '-qx'], problem: { kind: 'unknown option', word: '-x' } },
  { argv: ['verify', 'a', '--jwks'], problem: { kind: 'missing value', option: { long: '--jwks' } } },
  { argv: ['verify', 'a', '--jwks', '--offline'], problem: { kind: 'missing value', option: { long: '--jwks' } } },
  { argv: ['verify'], problem: { kind: 'missing argument', argument: { name: 'link' } } },
  { argv: ['verify', 'a', 'b'], problem: { kind: 'too many arguments' } },
  { argv: ['tokens', 'bind', 'a'], problem: { kind: 'missing option', option: { long: '--file' } } },
  { argv: ['tokens', 'stats', '--days', '4'], problem: { kind: 'wrong value', value: '4' } },
  { argv: ['completion', 'nope'], problem: { kind: 'wrong argument', value: 'nope' } },
])('finds the mistake in $argv', async ({ argv, problem }) => {
  expect((await read(...argv)).problem).toMatchObject(problem)
})

it.each([
  { argv: ['models', 'list', '--json'], env: {}, json: true },
  { argv: ['models', 'list'], env: { COUNTERSIGN_OUTPUT: 'json' }, json: true },
  { argv: ['models', 'list', '-q'], env: { COUNTERSIGN_OUTPUT: 'json' }, json: false },
  { argv: ['models', 'show', '--', '--json'], env: {}, json: false },
  { argv: ['models', 'list'], env: {}, json: false },
  { argv: ['tokens', 'mint', '--challenge=--json'], env: {}, json: false },
  { argv: ['tokens', 'mint', '--model', '--json'], env: {}, json: true },
  { argv: ['models', 'list', '--nope', '--json'], env: {}, json: true },
  { argv: ['modles', '--json'], env: {}, json: true },
])('knows whether $argv asks for JSON: $json', async ({ argv, env, json }) => {
  expect(isJson(await read(...argv), env)).toBe(json)
})

it('loads only the group that is named', async () => {
  const program = createProgram()
  await readArgv(['verify', 'link'], program)
  const filled = program.root.commands.filter(({ action, commands }) => action !== undefined || commands.length > 0)
  expect(filled.map(({ name }) => name)).toEqual(['verify'])
})

describe('the grammar', () => {
  const program = createProgram()
  const below = (command: CommandSpec): CommandSpec[] => [command, ...command.commands.flatMap(below)]
  beforeAll(() => program.loadAll())

  it('declares a value for each option that shows a placeholder, and for no other', () => {
    for (const { path, options } of below(program.root))
      for (const { flags, value } of options)
        expect(value !== undefined, `${path.join(' ')} ${flags}`).toBe(flags.includes('<'))
  })

  it('names no option of a command twice', () => {
    for (const { path, options } of below(program.root)) {
      const names = options.flatMap(({ short, long }) => (short === undefined ? [long] : [short, long]))
      expect(names, path.join(' ')).toEqual([...new Set(names)])
    }
  })

  it('marks each argument that its help calls stdin, so that - after -- is a word', () => {
    for (const { path, arguments: args } of below(program.root))
      for (const { help, value } of args) expect(value.readsStdin ?? false, path.join(' ')).toBe(help.includes('stdin'))
  })

  it('offers files wherever a placeholder says so', () => {
    for (const { path, options } of below(program.root))
      for (const { flags, value } of options.filter((option) => option.flags.includes('<file>')))
        expect(value?.kind, `${path.join(' ')} ${flags}`).toBe('file')
  })
})
