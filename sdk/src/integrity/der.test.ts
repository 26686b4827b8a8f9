import { expect, it } from 'vitest'
import { oidText, readDer, readOneDer } from './der.ts'

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex')

it.each([
  { name: 'nothing', hex: '', tags: [] },
  { name: 'an empty value', hex: '05 00', tags: [5] },
  { name: 'two values', hex: '02 01 07 0c 01 78', tags: [2, 12] },
  { name: 'a length of two bytes', hex: `04 82 01 00 ${'00'.repeat(256)}`, tags: [4] },
])('reads $name', ({ hex, tags }) => {
  expect(readDer(bytes(hex)).map(({ tag }) => tag)).toEqual(tags)
})

it.each([
  { name: 'a tag without a length', hex: '04' },
  { name: 'a tag of several bytes', hex: '1f 81 01 00' },
  { name: 'a value that ends outside', hex: '04 02 00' },
  { name: 'a length that ends outside', hex: '04 82 01' },
  { name: 'a length without end', hex: '30 80 00 00' },
  { name: 'a length of five bytes', hex: '04 85 00 00 00 00 01 00' },
  { name: 'bytes after a truncated value', hex: '02 01 07 04' },
])('rejects $name', ({ hex }) => {
  expect(() => readDer(bytes(hex))).toThrow(RangeError)
})

it('rejects anything but exactly one value where one is expected', () => {
  expect(readOneDer(bytes('02 01 07')).content).toEqual(bytes('07'))
  for (const hex of ['', '02 01 07 02 01 07']) expect(() => readOneDer(bytes(hex))).toThrow(RangeError)
})

it.each([
  { hex: '55 1d 11', oid: '2.5.29.17' },
  { hex: '2b 06 01 04 01 83 bf 30 01 08', oid: '1.3.6.1.4.1.57264.1.8' },
  { hex: '88 37 03', oid: '2.999.3' },
])('reads the object identifier $oid', ({ hex, oid }) => {
  expect(oidText(bytes(hex))).toBe(oid)
})
