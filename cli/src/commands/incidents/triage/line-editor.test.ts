import { describe, expect, it } from 'vitest'
import { draftOf, edit, insert, layout } from './line-editor.ts'

const start = { text: 'one two\nthree', cursor: 13 }

describe('a text being written', () => {
  it.each([
    {
      name: 'inserts letters at the cursor',
      draft: { text: 'ac', cursor: 1 },
      typed: 'b',
      key: { name: 'b' },
      is: ['abc', 2],
    },
    { name: 'inserts a space', draft: draftOf('a'), typed: ' ', key: { name: 'space' }, is: ['a ', 2] },
    {
      name: 'ignores other chords',
      draft: draftOf('a'),
      typed: '\u0018',
      key: { name: 'x', ctrl: true },
      is: ['a', 1],
    },
    { name: 'starts a line with Alt-Enter', draft: draftOf('a'), key: { name: 'return', meta: true }, is: ['a\n', 2] },
    { name: 'starts a line with Ctrl-J', draft: draftOf('a'), typed: '\n', key: { name: 'enter' }, is: ['a\n', 2] },
    {
      name: 'deletes a letter with its accents at once',
      draft: draftOf('ae\u0301'),
      key: { name: 'backspace' },
      is: ['a', 1],
    },
    { name: 'deletes a family emoji at once', draft: draftOf('a👩‍👧'), key: { name: 'backspace' }, is: ['a', 1] },
    { name: 'deletes nothing at the start', draft: { text: 'a', cursor: 0 }, key: { name: 'backspace' }, is: ['a', 0] },
    {
      name: 'deletes the letter under the cursor',
      draft: { text: 'ab', cursor: 0 },
      key: { name: 'delete' },
      is: ['b', 0],
    },
    { name: 'deletes a word', draft: draftOf('one two'), key: { name: 'w', ctrl: true }, is: ['one ', 4] },
    { name: 'deletes the line up to the cursor', draft: start, key: { name: 'u', ctrl: true }, is: ['one two\n', 8] },
    {
      name: 'deletes the rest of the line',
      draft: { ...start, cursor: 3 },
      key: { name: 'k', ctrl: true },
      is: ['one\nthree', 3],
    },
    { name: 'moves to the start of the line', draft: start, key: { name: 'home' }, is: [start.text, 8] },
    {
      name: 'moves to the start of the text',
      draft: { ...start, cursor: 0 },
      key: { name: 'home' },
      is: [start.text, 0],
    },
    { name: 'moves to the end of the line', draft: { ...start, cursor: 0 }, key: { name: 'end' }, is: [start.text, 7] },
    {
      name: 'moves forward by words',
      draft: { ...start, cursor: 0 },
      key: { name: 'right', ctrl: true },
      is: [start.text, 3],
    },
    {
      name: 'moves back by words',
      draft: { ...start, cursor: 7 },
      key: { name: 'b', meta: true },
      is: [start.text, 4],
    },
  ])('$name', ({ draft, typed, key, is: [text, cursor] }) => {
    expect(edit(draft, typed, key)).toEqual({ text, cursor })
  })

  it('keeps only lines and letters of pasted text, nothing that acts on a terminal', () => {
    expect(insert(draftOf('a'), ' b\r\nc\td\u001b[2J\u202e ').text).toBe('a b\nc  d[2J ')
  })
})

it.each([
  { name: 'nothing', text: '', cursor: 0, rows: [''], row: 0, column: 0 },
  { name: 'the end', text: 'abcdef', cursor: 6, rows: ['abcd', 'ef'], row: 1, column: 2 },
  { name: 'the middle', text: 'abcdef', cursor: 1, rows: ['abcd', 'ef'], row: 0, column: 1 },
  { name: 'letters of two columns', text: '日本語', cursor: 3, rows: ['日本', '語'], row: 1, column: 2 },
  { name: 'an empty last line', text: 'ab\n', cursor: 3, rows: ['ab', ''], row: 1, column: 0 },
])('is shown in rows, with the cursor at $name', ({ text, cursor, rows, row, column }) => {
  expect(layout({ text, cursor }, 4)).toEqual({ rows, row, column })
})
