import { describe, expect, it } from 'vitest'
import { jsonOf, readJson, readRows, rowsOf } from './labels.ts'

describe('labels', () => {
  it.each([
    { name: 'nothing', rows: [], reading: { labels: {} } },
    { name: 'rows that are still empty', rows: [{ name: ' ', value: '' }], reading: { labels: {} } },
    {
      name: 'rows',
      rows: [
        { name: ' region ', value: 'eu' },
        { name: 'tier', value: '' },
      ],
      reading: { labels: { region: 'eu', tier: '' } },
    },
    {
      name: 'a value without a name',
      rows: [{ name: '', value: 'eu' }],
      reading: { problem: { kind: 'unnamed', value: 'eu' } },
    },
    {
      name: 'a name twice',
      rows: [
        { name: 'a', value: '1' },
        { name: 'a ', value: '2' },
      ],
      reading: { problem: { kind: 'twice', name: 'a' } },
    },
  ])('are read from $name', ({ rows, reading }) => {
    expect(readRows(rows)).toEqual(reading)
  })

  it.each([
    { text: '', reading: { labels: {} } },
    { text: ' \n', reading: { labels: {} } },
    { text: '{}', reading: { labels: {} } },
    { text: '{"region": "eu"}', reading: { labels: { region: 'eu' } } },
    { text: '{"replicas": 3}', reading: { labels: { replicas: 3 } } },
    { text: '["region"]', reading: { problem: { kind: 'not an object' } } },
    { text: 'null', reading: { problem: { kind: 'not an object' } } },
    { text: '"region"', reading: { problem: { kind: 'not an object' } } },
    { text: '{"region": ', reading: { problem: { kind: 'not an object' } } },
    { text: 'region=eu', reading: { problem: { kind: 'not an object' } } },
  ])('are read from the text $text', ({ text, reading }) => {
    expect(readJson(text)).toEqual(reading)
  })

  it('convert between rows and text', () => {
    const labels = { region: 'eu', 'k8s.io/pod': 'gpu-1' }
    expect(readRows(rowsOf(labels))).toEqual({ labels })
    expect(readJson(jsonOf(labels))).toEqual({ labels })
    expect(jsonOf({})).toBe('')
  })
})
