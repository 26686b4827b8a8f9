import { expect, it } from 'vitest'
import { screenJson } from './screen.ts'

const nested = (depth: number): unknown => (depth === 0 ? 'x' : { a: nested(depth - 1) })
const nestedLists = (depth: number): unknown => (depth === 0 ? 'x' : [nestedLists(depth - 1)])

it.each([
  {
    name: 'nothing changed',
    value: { a: [1, 'two', true, { b: 'é🦦' }] },
    screened: { a: [1, 'two', true, { b: 'é🦦' }] },
  },
  { name: 'null members left out', value: { a: null, b: { c: null, d: 1 } }, screened: { b: { d: 1 } } },
  { name: 'null in lists kept', value: { a: [null, 1] }, screened: { a: [null, 1] } },
  { name: 'null itself', value: null, screened: null },
  { name: 'a number', value: 5, screened: 5 },
  { name: '32 levels', value: nested(32), screened: nested(32) },
])('accepts $name', ({ value, screened }) => {
  expect(screenJson(value)).toEqual(screened)
})

it.each([
  { name: '33 levels', value: nested(33) },
  { name: '33 lists', value: nestedLists(33) },
  { name: 'NUL', value: { a: 'x\0y' } },
  { name: 'NUL in a name', value: { 'x\0y': 1 } },
  { name: 'NUL in a list', value: ['\0'] },
  { name: 'half a surrogate pair', value: { a: '\ud800' } },
  { name: 'the other half', value: { a: 'x\udc00' } },
  { name: 'half a pair in a name', value: { '\udbff': 1 } },
  { name: '__proto__', value: JSON.parse('{"__proto__":{"isAdmin":true}}') },
  { name: '__proto__ of null', value: JSON.parse('{"__proto__":null}') },
  { name: 'constructor, deep', value: { a: [{ constructor: 1 }] } },
  { name: 'prototype', value: { prototype: 1 } },
  { name: 'toString', value: { a: { length: { toString: 1 } } } },
  { name: 'valueOf', value: { a: { length: { valueOf: 1 } } } },
])('rejects $name', ({ value }) => {
  expect(() => screenJson(value)).toThrow(expect.objectContaining({ code: 'bad_request' }))
  expect(Object.hasOwn(Object.prototype, 'isAdmin')).toBe(false)
})
