import { describe, expect, it } from 'vitest'
import { widthOf } from '../io/width.ts'
import { createTestWorld } from '../test-world.ts'
import { createOutput, facts, type OutputMode, type Paint, plain, printable, table, wantsColor } from './output.ts'

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

it('shrinks runs of spaces, so that text cannot draw columns or rows of its own', () => {
  const name = `Atlas${' '.repeat(70)}PROVIDER \u3000\u00a0 acme.example`
  const shown = 'Atlas PROVIDER acme.example'
  expect(facts([['name', name]], plain)).toBe(`name  ${shown}`)
  expect(table(['NAME', 'ID'], [[name, 'a']], plain)).toContain(`${shown}  a`)
})

it('continues a fact in its column in a terminal, so that a value draws no row of its own', () => {
  const version = `Chat${'x'.repeat(55)}`
  const shown = facts(
    [
      ['model', `${version} provider Bank of America, proven by DNS`],
      ['identifier', `${'y'.repeat(68)}provider\u00a0Bank`],
    ],
    { ...plain, columns: 80 },
  )
  expect(shown.split('\n')).toEqual([
    `model       ${version} provider`,
    '            Bank of America, proven by DNS',
    `identifier  ${'y'.repeat(68)}`,
    '            provider\u00a0Bank',
  ])
})

it('keeps digests and what people copy whole, and wraps nothing outside a terminal', () => {
  const digest = `sha256:${'0a'.repeat(32)}`
  const token = `${'eyJ'.repeat(40)} x`
  const shown = (columns?: number) =>
    facts(
      [
        ['digest', `${digest} (stated)`],
        ['token', token, 'copied'],
        ['name', 'one two three four five six'],
      ],
      { ...plain, columns },
    )
  expect(shown(30)).toBe(
    `digest  ${digest}\n        (stated)\ntoken   ${token}\nname    one two three four\n        five six`,
  )
  expect(shown()).toBe(`digest  ${digest} (stated)\ntoken   ${token}\nname    one two three four five six`)
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

it('drops optional columns on a narrow terminal before it wraps rows', () => {
  const shown = (columns: number) =>
    table(
      ['ID', 'NAME', 'DIGEST'],
      [['a', 'Tiny', 'sha256:0123456789']],
      { ...plain, columns },
      { spare: ['DIGEST', 'ID'] },
    )
  expect(shown(30)).toContain('sha256')
  expect(shown(20)).toBe('ID  NAME\na   Tiny')
  expect(shown(5)).toBe('NAME\nTiny')
})

it('strips every escape sequence, and unterminated ones in linear time', () => {
  const unended = '\u001b]'.repeat(100_000)
  expect(printable(`\u001b]0;owned\u0007a\u001b]1;${unended}`)).toMatch(/^a;?\]*$/)
})

it('lets no escape sequence of a stranger reach the terminal', () => {
  const shown =
    table(['NAME'], [['\u001b]0;owned\u0007\u202eevil\r\n']], plain) + facts([['name', '\u001b[2Jx']], plain)
  expect(shown).not.toMatch(/[\u001b\u0007\u202e\r]/)
})

const hostile = [
  ['\u001b[31mred\u001b[0m', 'red'],
  ['\u009b31mred', 'red'],
  ['\u001b]8;;https://evil.example\u0007acme\u001b]8;;\u0007', 'acme'],
  ['ac\u00adme', 'acme'],
  ['acme\u061c\u2028', 'acme'],
  ['acme\u{e0041}', 'acme'],
  ['\u001b', ''],
] as const

it.each(hostile)('shows %j as %j', (said, shown) => {
  expect(printable(said)).toBe(shown)
})

describe('output', () => {
  const open = (mode: OutputMode, paint: Paint = plain) => {
    const { stdout, stderr, written } = createTestWorld()
    const out = createOutput({ mode, stdout, stderr, paint, errorPaint: plain })
    return { out, written }
  }
  const said = `a\u001b]0;owned\u0007\u009b2J\u202e\u{e0041}b\nc\td`
  const result = (text: string) => ({ value: { text }, ids: [], text: ({ green }: Paint) => green(text) })

  it('keeps its own colors and nothing that a stranger sends', () => {
    const green = (text: string) => `\u001b[32m${text}\u001b[39m`
    const colored = open('text', { ...plain, green })
    colored.out.print(result(said))
    expect(colored.written.stdout).toBe(`\u001b[32mab\nc\td\u001b[39m\n`)
    const concealing = open('text', { ...plain, green })
    concealing.out.print(result('\u001b[8ma\u001b[41mb'))
    expect(concealing.written.stdout).toBe('\u001b[32mab\u001b[39m\n')
    const bare = open('text')
    bare.out.print(result(`\u001b[32m${said}`))
    expect(bare.written.stdout).toBe('ab\nc\td\n')
  })

  it('is equivalent JSON that does not act on the terminal', () => {
    const { out, written } = open('json')
    out.print(result(said))
    expect(JSON.parse(written.stdout)).toEqual({ text: said })
    expect(written.stdout).toMatch(/^[\u0020-\u007e\n]+$/)
  })

  it('prints messages without the escapes of strangers', () => {
    const { out, written } = open('text')
    out.say(said)
    out.warn(said)
    expect(written.stderr).toBe('ab\nc\td\nwarning: abcd\n')
  })
})

it('omits facts without a value', () => {
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
    {
      name: 'not with NO_COLOR',
      env: { NO_COLOR: '1', CLICOLOR_FORCE: '1' },
      isTerminal: true,
      allowed: true,
      color: false,
    },
    { name: 'an empty NO_COLOR counts as unset', env: { NO_COLOR: '' }, isTerminal: true, allowed: true, color: true },
    {
      name: 'in a pipe with CLICOLOR_FORCE',
      env: { CLICOLOR_FORCE: '1' },
      isTerminal: false,
      allowed: true,
      color: true,
    },
    {
      name: 'CLICOLOR_FORCE=0 forces nothing',
      env: { CLICOLOR_FORCE: '0' },
      isTerminal: false,
      allowed: true,
      color: false,
    },
    { name: 'not with CLICOLOR=0', env: { CLICOLOR: '0' }, isTerminal: true, allowed: true, color: false },
    { name: 'not on a dumb terminal', env: { TERM: 'dumb' }, isTerminal: true, allowed: true, color: false },
    { name: 'never with --no-color', env: { CLICOLOR_FORCE: '1' }, isTerminal: true, allowed: false, color: false },
  ])('$name', ({ color, ...given }) => {
    expect(wantsColor(given)).toBe(color)
  })
})
