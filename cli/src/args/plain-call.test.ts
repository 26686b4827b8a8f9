import { expect, it } from 'vitest'
import { verifyOptions } from '../commands/verify/verify.ts'
import { globalOptions } from './command.ts'
import { readPlainCall } from './plain-call.ts'

const options = [...globalOptions, ...verifyOptions]

it.each([
  { argv: ['link', '--offline', '--jwks', 'f', '-q'], args: ['link'], all: { offline: true, jwks: 'f', quiet: true } },
  { argv: ['--no-color', '-', '--answer', '-'], args: ['-'], all: { color: false, answer: '-' } },
  { argv: ['a', 'b'], args: ['a', 'b'], all: {} },
])('reads $argv as commander would', ({ argv, args, all }) => {
  const call = readPlainCall(argv, options)
  expect(call?.args).toEqual(args)
  expect(call?.flags.all).toEqual(all)
})

it.each([
  [['--help']],
  [['x', '--nope']],
  [['x', '--jwks']],
  [['x', '--jwks', '--offline']],
  [['x', '--jwks=f']],
  [['--', 'x']],
  [['-qx']],
])('leaves %j to commander', (argv) => {
  expect(readPlainCall(argv, options)).toBeUndefined()
})
