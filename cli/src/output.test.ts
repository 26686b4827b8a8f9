import { describe, expect, it } from 'vitest'
import { facts, plain, table, wantsColor, widthOf } from './output.ts'

it.each([
  ['abc', 3],
  ['Grüße', 5],
  ['世界', 4],
  ['한국어', 6],
  ['カ', 2],
  ['ｶ', 1],
  ['e\u0301', 1],
  ['👩‍🚀', 2],
  ['🇩🇪', 2],
  ['❤️', 2],
  ['\u001b[31mred\u001b[39m', 3],
  ['', 0],
])('gives %j %i columns', (text, width) => {
  expect(widthOf(text)).toBe(width)
})

it('aligns columns under wide characters', () => {
  const lines = table(
    ['NAME', 'ID'],
    [
      ['世界', 'a'],
      ['plain', 'b'],
      ['👩‍🚀 x', 'c'],
    ],
    plain,
  ).split('\n')
  expect(lines.map((line) => widthOf(line.slice(0, line.search(/(ID|[abc])$/))))).toEqual([8, 8, 8, 8])
})

it('lets no escape sequence of a stranger reach the terminal', () => {
  const shown = table(['NAME'], [['\u001b]0;owned\u0007\u202eevil\r\n']], plain) + facts([['name', '\u001b[2Jx']], plain)
  expect(shown).not.toMatch(/[\u001b\u0007\u202e\r]/)
})

it('leaves out facts without a value', () => {
  expect(
    facts(
      [
        ['a', 1],
        ['bcd', null],
        ['e', false],
      ],
      plain,
    ),
  ).toBe('a  1\ne  false')
})

describe('color', () => {
  it.each([
    { name: 'on a terminal', env: {}, isTerminal: true, allowed: true, color: true },
    { name: 'not in a pipe', env: {}, isTerminal: false, allowed: true, color: false },
    { name: 'not with NO_COLOR', env: { NO_COLOR: '1', CLICOLOR_FORCE: '1' }, isTerminal: true, allowed: true, color: false },
    { name: 'an empty NO_COLOR is none', env: { NO_COLOR: '' }, isTerminal: true, allowed: true, color: true },
    { name: 'in a pipe with CLICOLOR_FORCE', env: { CLICOLOR_FORCE: '1' }, isTerminal: false, allowed: true, color: true },
    { name: 'CLICOLOR_FORCE=0 forces nothing', env: { CLICOLOR_FORCE: '0' }, isTerminal: false, allowed: true, color: false },
    { name: 'not with CLICOLOR=0', env: { CLICOLOR: '0' }, isTerminal: true, allowed: true, color: false },
    { name: 'not on a dumb terminal', env: { TERM: 'dumb' }, isTerminal: true, allowed: true, color: false },
    { name: 'never with --no-color', env: { CLICOLOR_FORCE: '1' }, isTerminal: true, allowed: false, color: false },
  ])('$name', ({ color, ...asked }) => {
    expect(wantsColor(asked)).toBe(color)
  })
})
