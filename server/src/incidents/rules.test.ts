import { describe, expect, it } from 'vitest'
import { digestLines, isEmailedAtOnce, reportRefusal } from './rules.ts'

const links = (count: number, of = 'https://a.example') => Array.from({ length: count }, () => of).join(' ')

it.each([
  { name: 'no link', text: 'It was rude.', refused: false },
  { name: 'ten links', text: links(10), refused: false },
  { name: 'eleven links', text: links(11), refused: true },
  { name: 'eleven links without a scheme', text: links(11, 'www.a.example'), refused: true },
  { name: 'eleven links of another scheme', text: links(11, 'FTP://a.example'), refused: true },
  { name: 'ten bare hosts', text: links(10, 'spam.com/buy'), refused: false },
  { name: 'eleven bare hosts', text: links(11, 'spam.com/buy'), refused: true },
  { name: 'eleven bare hosts of a reserved name', text: links(11, 'spam.example'), refused: true },
  { name: 'eleven bare hosts of other letters', text: links(11, 'пример.рф'), refused: true },
  { name: 'eleven bare hosts under a suffix of two labels', text: links(11, 'Spam.Co.UK,'), refused: true },
  {
    name: 'ten links, each with a host that begins with www',
    text: links(10, 'https://www.a.example/b.com'),
    refused: false,
  },
  {
    name: 'sentences without blanks between them, versions and abbreviations',
    text: 'It lied.Then it fell. E.g. 1.2.3, i.e. v2.0 of file.bin. '.repeat(20),
    refused: false,
  },
  { name: 'words with colons and slashes', text: 'and/or: it said either: // or: '.repeat(20), refused: false },
])('a report with $name is rejected: $refused', ({ text, refused }) => {
  expect(reportRefusal({ title: 'x', description: text }) !== undefined).toBe(refused)
  expect(reportRefusal({ title: text, description: 'x' }) !== undefined).toBe(refused)
})

const none = { all: 0, unverified: 0 }

it.each([
  { name: 'with a link', is_verified_report: true, severity: 'low', alerts: none, isEmailed: true },
  {
    name: 'with a link, after nine others',
    is_verified_report: true,
    severity: 'low',
    alerts: { all: 9, unverified: 2 },
    isEmailed: true,
  },
  {
    name: 'with a link, after ten others',
    is_verified_report: true,
    severity: 'critical',
    alerts: { all: 10, unverified: 0 },
    isEmailed: false,
  },
  {
    name: 'critical',
    is_verified_report: false,
    severity: 'critical',
    alerts: { all: 5, unverified: 1 },
    isEmailed: true,
  },
  {
    name: 'critical, after two like it',
    is_verified_report: false,
    severity: 'critical',
    alerts: { all: 2, unverified: 2 },
    isEmailed: false,
  },
  { name: 'high, without a link', is_verified_report: false, severity: 'high', alerts: none, isEmailed: false },
] as const)('a report that is $name is emailed at once: $isEmailed', ({ alerts, isEmailed, ...report }) => {
  expect(isEmailedAtOnce(report, alerts)).toBe(isEmailed)
})

describe('a digest', () => {
  const reports = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      id: `inc_${String(index).padStart(2, '0')}`,
      title: `Title ${index}`,
      category: 'harmful_content' as const,
      severity: 'low' as const,
    }))

  it('quotes the titles of up to ten reports, oldest first', () => {
    const lines = digestLines(reports(10).toReversed())
    expect(lines.slice(0, 3)).toEqual([
      '10 reports about your models arrived since the last email.',
      'harmful content, severity low:',
      { quote: 'Title 0' },
    ])
    expect(lines).toHaveLength(21)
  })

  it('counts what it does not quote', () => {
    expect(digestLines(reports(11)).at(-1)).toBe('And 1 more.')
    expect(digestLines(reports(1))[0]).toBe('One of your models was reported since the last email.')
  })
})
